#include "AssemblyText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gpuestimate {

/// Text on one line, without comments.
static std::string onOneLine(StringRef Text) {
  std::string Result;
  for (size_t At = 0; At < Text.size(); ++At) {
    StringRef Rest = Text.drop_front(At);
    if (Rest.starts_with("//")) {
      At += std::min(Rest.find('\n'), Rest.size() - 1);
      Result += ' ';
    } else if (Rest.starts_with("/*")) {
      size_t End = Rest.find("*/");
      At += End == StringRef::npos ? Rest.size() - 1 : End + 1;
      Result += ' ';
    } else {
      Result += isSpace(Text[At]) ? ' ' : Text[At];
    }
  }
  return Result;
}

/// Without the braces of scopes, labels and the guard in front of S.
static StringRef withoutPrefix(StringRef S) {
  for (;;) {
    S = S.trim(" {}");
    size_t End = S.find_first_of(" :");
    bool IsLabel = End != StringRef::npos && S[End] == ':' &&
                   !S.substr(End + 1).starts_with(":");
    // "LAB_${:uid}:" has a colon inside.
    if (S.take_front(std::min(End, S.size())).contains("${")) {
      size_t Close = S.find('}');
      if (Close != StringRef::npos && S.substr(Close + 1).starts_with(":")) {
        End = Close + 1;
        IsLabel = true;
      } else {
        IsLabel = false;
      }
    }
    if (IsLabel)
      S = S.substr(End + 1);
    else if (S.starts_with("@"))
      S = S.substr(std::min(S.find(' '), S.size()));
    else
      return S;
  }
}

SmallVector<AssemblyStatement> assemblyStatements(StringRef Text) {
  SmallVector<AssemblyStatement> Result;
  std::string Line = onOneLine(Text);
  SmallVector<StringRef> Parts;
  StringRef(Line).split(Parts, ';');
  for (StringRef Part : Parts) {
    StringRef S = withoutPrefix(Part);
    if (!S.empty() && !S.starts_with("."))
      // The brace that closes a vector operand was trimmed with the scope's.
      Result.emplace_back(S.str() + (S.count('{') > S.count('}') ? "}" : ""));
  }
  return Result;
}

SmallVector<AssemblyStatement> assemblyStatements(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || !Call->isInlineAsm())
    return {};
  return assemblyStatements(
      cast<InlineAsm>(Call->getCalledOperand())->getAsmString());
}

StringRef AssemblyStatement::mnemonic() const {
  return StringRef(Text).take_until(
      [](char C) { return C == ' ' || C == '{'; });
}

SmallVector<StringRef> AssemblyStatement::operands() const {
  SmallVector<StringRef> Result;
  StringRef Rest = StringRef(Text).drop_front(mnemonic().size()).trim();
  int Depth = 0;
  size_t Begin = 0;
  for (size_t At = 0; At <= Rest.size(); ++At) {
    char C = At < Rest.size() ? Rest[At] : ',';
    Depth += C == '[' || C == '{' || C == '(';
    Depth -= C == ']' || C == '}' || C == ')';
    if (C != ',' || (Depth > 0 && At < Rest.size()))
      continue;
    StringRef Operand = Rest.slice(Begin, At).trim();
    if (!Operand.empty())
      Result.push_back(Operand);
    Begin = At + 1;
  }
  return Result;
}

SmallVector<StringRef> AssemblyStatement::addresses() const {
  SmallVector<StringRef> Result;
  for (StringRef Operand : operands())
    if (Operand.consume_front("["))
      Result.push_back(Operand.rsplit(']').first.trim());
  return Result;
}

const Value *assemblyArgument(const CallBase &I, StringRef Operand) {
  Operand = Operand.trim();
  if (!Operand.consume_front("$"))
    return nullptr;
  Operand.consume_front("{");
  unsigned Number, Results = 0;
  if (Operand.consumeInteger(10, Number))
    return nullptr;
  // Results come first in the numbering of operands.
  if (const auto *Struct = dyn_cast<StructType>(I.getType()))
    Results = Struct->getNumElements();
  else if (!I.getType()->isVoidTy())
    Results = 1;
  return Number >= Results && Number - Results < I.arg_size()
             ? I.getArgOperand(Number - Results)
             : nullptr;
}

std::optional<int64_t> assemblyConstant(const CallBase &I, StringRef Operand) {
  int64_t Number;
  if (!Operand.trim().getAsInteger(0, Number))
    return Number;
  if (const auto *C =
          dyn_cast_or_null<ConstantInt>(assemblyArgument(I, Operand)))
    return C->getSExtValue();
  return std::nullopt;
}

bool testsPhase(const Instruction &I) {
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I)) {
    StringRef Name = Intrinsic->getCalledFunction()->getName();
    return Name.starts_with("llvm.nvvm.mbarrier.t") && Name.contains("wait");
  }
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || !Call->isInlineAsm())
    return false;
  StringRef Text = cast<InlineAsm>(Call->getCalledOperand())->getAsmString();
  return Text.contains("mbarrier.try_wait") ||
         Text.contains("mbarrier.test_wait");
}

} // namespace gpuestimate
