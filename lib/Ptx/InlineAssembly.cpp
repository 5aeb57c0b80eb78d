#include "gpu-estimate/Ptx/InlineAssembly.h"

#include "AssemblyFence.h"
#include "FunctionTranslator.h"
#include "PointerRecovery.h"
#include "gpu-estimate/Ptx/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <map>

using namespace llvm;

namespace gpuestimate {

namespace {

const InlineAsm *assemblyOf(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  return Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
}

/// The operands of a call, as its text numbers them: results first.
SmallVector<PtxAssemblyOperand> operandsOf(const CallBase &Call) {
  const auto &Assembly = *cast<InlineAsm>(Call.getCalledOperand());
  SmallVector<Type *> Results;
  if (auto *S = dyn_cast<StructType>(Call.getType()))
    append_range(Results, S->elements());
  else if (!Call.getType()->isVoidTy())
    Results.push_back(Call.getType());
  SmallVector<PtxAssemblyOperand> Operands;
  unsigned NextResult = 0;
  int Next = 0;
  for (const InlineAsm::ConstraintInfo &C : Assembly.ParseConstraints()) {
    if (C.Type != InlineAsm::isInput && C.Type != InlineAsm::isOutput)
      continue;
    PtxAssemblyOperand O;
    O.Name = "$" + utostr(Operands.size());
    if (C.Type == InlineAsm::isOutput) {
      if (C.isIndirect || NextResult >= Results.size())
        return {};
      O.IsResult = true;
      O.Type = Results[NextResult++];
    } else {
      if (C.isIndirect || unsigned(Next) >= Call.arg_size())
        return {};
      O.Type = Call.getArgOperand(Next)->getType();
      O.Parameter = Next++;
      // An input in the place of a result is its first value.
      unsigned Tied;
      if (!C.Codes.empty() && !StringRef(C.Codes[0]).getAsInteger(10, Tied) &&
          Tied < Operands.size() && Operands[Tied].Type == O.Type)
        Operands[Tied].Parameter = O.Parameter;
    }
    Operands.push_back(std::move(O));
  }
  return Operands;
}

/// Can a register hold the type?
bool fitsRegister(const Type *T) {
  return T->isPointerTy() || T->isFloatingPointTy() || T->isIntegerTy() ||
         (isa<FixedVectorType>(T) &&
          T->getScalarType()->getPrimitiveSizeInBits() > 0);
}

/// The text with operands as "$3" and their numbers in place of constants.
/// LLVM writes "${3:mark}", and "$$" for the character itself.
std::string plainText(StringRef Text, const CallBase &Call,
                      ArrayRef<PtxAssemblyOperand> Operands) {
  std::string Result;
  auto Append = [&](StringRef Digits) {
    unsigned Number;
    if (!Digits.getAsInteger(10, Number) && Number < Operands.size() &&
        !Operands[Number].IsResult)
      if (const auto *C = dyn_cast<ConstantInt>(
              Call.getArgOperand(Operands[Number].Parameter));
          C && C->getBitWidth() > 1 && C->getBitWidth() <= 64) {
        Result += itostr(C->getSExtValue());
        return;
      }
    Result += "$" + Digits.str();
  };
  while (!Text.empty()) {
    size_t At = std::min(Text.find('$'), Text.size());
    Result += Text.take_front(At);
    Text = Text.drop_front(At);
    if (!Text.consume_front("$"))
      break;
    if (Text.consume_front("$")) {
      Result += '$';
    } else if (Text.consume_front("{")) {
      StringRef Inside = Text.take_until([](char C) { return C == '}'; });
      Text = Text.drop_front(std::min(Inside.size() + 1, Text.size()));
      StringRef Digits = Inside.split(':').first;
      if (Digits.empty()) // ${:uid}: each assembly has labels of its own
        Result += "0";
      else
        Append(Digits);
    } else {
      StringRef Digits = Text.take_while(isDigit);
      Text = Text.drop_front(Digits.size());
      Append(Digits);
    }
  }
  return Result + "\n;"; // the last statement may lack it
}

bool clobbersMemory(const InlineAsm &Assembly) {
  return StringRef(Assembly.getConstraintString()).contains("~{memory}");
}

/// A function with the code of the assembly that Call calls; null if it cannot
/// be translated.
Function *translate(CallInst &Call, const std::string &Text,
                    ArrayRef<PtxAssemblyOperand> Operands, AssemblyUse Use) {
  const auto &Assembly = *cast<InlineAsm>(Call.getCalledOperand());
  Expected<PtxFunction> Parsed = parsePtxStatements(Text);
  if (!Parsed) {
    consumeError(Parsed.takeError());
    return nullptr;
  }
  bool HasCode = any_of(Parsed->Body, [](const PtxStatement &S) {
    return S.Kind == PtxStatement::Instruction;
  });
  if (!HasCode)
    return nullptr;
  Module &M = *Call.getModule();
  PtxSignature Signature;
  Signature.Type = Call.getFunctionType();
  Signature.Declaration = &*Parsed;
  Signature.Code = Function::Create(
      Signature.Type, GlobalValue::InternalLinkage, "gpu-estimate.asm", M);
  PtxFile File;
  PtxSignatures Signatures;
  PtxSymbols Symbols;
  // What `volatile` loads is not known from before.
  bool Loads = any_of(Parsed->Body, [](const PtxStatement &S) {
    return S.Kind == PtxStatement::Instruction &&
           (S.Code.Opcode == "ld" || S.Code.Opcode == "ldu");
  });
  PtxAssemblyMode Mode{Use, Assembly.hasSideEffects(),
                       clobbersMemory(Assembly) ||
                           (Loads && Assembly.hasSideEffects()),
                       Call.isConvergent()};
  if (Error E = PtxFunctionTranslator(File, *Parsed, Signature, Signatures,
                                      Symbols, nullptr)
                    .runAssembly(Operands, Mode)) {
    consumeError(std::move(E));
    Signature.Code->eraseFromParent();
    return nullptr;
  }
  for (Instruction &I : instructions(*Signature.Code))
    if (isa<IntToPtrInst>(I))
      I.setMetadata(PtxPointerRecovery::AssemblyAddress,
                    MDNode::get(M.getContext(), {}));
  return Signature.Code;
}

} // namespace

Value *createAssemblyFence(IRBuilder<> &B, Value *V, bool IsConvergent) {
  auto *Type = FunctionType::get(V->getType(), {V->getType()}, false);
  CallInst *Call = B.CreateCall(
      InlineAsm::get(Type, "", "=r,0", /*hasSideEffects=*/false), {V});
  Call->setDoesNotAccessMemory();
  Call->setDoesNotThrow();
  if (IsConvergent)
    Call->setConvergent();
  return Call;
}

Value *fencedByAssembly(const Instruction &I) {
  const InlineAsm *Assembly = assemblyOf(I);
  const auto *Call = dyn_cast<CallBase>(&I);
  return Assembly && Assembly->getAsmString().empty() &&
                 !Assembly->hasSideEffects() && Call->arg_size() == 1 &&
                 Assembly->getConstraintString() == "=r,0" &&
                 Call->getType() == Call->getArgOperand(0)->getType()
             ? Call->getArgOperand(0)
             : nullptr;
}

void removeAssemblyFences(Module &M) {
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (Value *V = fencedByAssembly(I)) {
        I.replaceAllUsesWith(V);
        I.eraseFromParent();
      }
}

void translateInlineAssembly(Module &M, AssemblyUse Use) {
  if (!Triple(M.getTargetTriple()).isNVPTX())
    return;
  SmallVector<CallInst *> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (const InlineAsm *Assembly = assemblyOf(I);
          Assembly && !StringRef(Assembly->getAsmString()).trim().empty())
        Calls.push_back(cast<CallInst>(&I));
  // A text is translated once for each set of constants.
  using Key = std::tuple<const InlineAsm *, std::string, bool>;
  std::map<Key, Function *> Translated;
  for (CallInst *Call : Calls) {
    SmallVector<PtxAssemblyOperand> Operands = operandsOf(*Call);
    if ((Operands.empty() &&
         (Call->arg_size() || !Call->getType()->isVoidTy())) ||
        !all_of(Operands, [](const PtxAssemblyOperand &O) {
          return fitsRegister(O.Type);
        }))
      continue;
    const auto *Assembly = cast<InlineAsm>(Call->getCalledOperand());
    std::string Text = plainText(Assembly->getAsmString(), *Call, Operands);
    auto [Entry, IsNew] =
        Translated.try_emplace({Assembly, Text, Call->isConvergent()}, nullptr);
    if (IsNew)
      Entry->second = translate(*Call, Text, Operands, Use);
    if (!Entry->second)
      continue;
    Call->setCalledFunction(Entry->second);
    Call->setAttributes(AttributeList());
    InlineFunctionInfo Info;
    InlineFunction(*Call, Info, /*MergeAttributes=*/false,
                   /*CalleeAAR=*/nullptr, /*InsertLifetime=*/false);
  }
  for (auto &[Of, Code] : Translated)
    if (Code)
      Code->eraseFromParent();
}

void recoverAssemblyPointers(Module &M) {
  if (!Triple(M.getTargetTriple()).isNVPTX())
    return;
  for (Function &F : M)
    if (any_of(instructions(F), [](const Instruction &I) {
          return I.hasMetadata(PtxPointerRecovery::AssemblyAddress);
        })) {
      PtxPointerRecovery Recovery(F, {});
      Recovery.onlyAssembly();
      Recovery.run();
    }
}

InlineAssembly::InlineAssembly(const Instruction &I) {
  const InlineAsm *Assembly = assemblyOf(I);
  if (!Assembly)
    return;
  Call = cast<CallBase>(&I);
  Text = std::make_unique<std::string>(
      plainText(Assembly->getAsmString(), *Call, {}));
  Expected<PtxFunction> Parsed = parsePtxStatements(*Text);
  if (!Parsed) {
    consumeError(Parsed.takeError());
    Unreadable = true;
    return;
  }
  for (PtxStatement &S : Parsed->Body)
    if (S.Kind == PtxStatement::Instruction)
      Instructions.push_back(std::move(S.Code));
}

/// The number in "$3"; that of the address in "[$3+16]".
static std::optional<unsigned> operandNumber(const PtxOperand &O) {
  if (O.Kind == PtxOperand::Address)
    return operandNumber(O.Parts[0]);
  StringRef Digits = O.Text;
  unsigned Number;
  if (O.Kind != PtxOperand::Name || !Digits.consume_front("$") ||
      Digits.getAsInteger(10, Number))
    return std::nullopt;
  return Number;
}

static unsigned countResults(const CallBase &Call) {
  if (const auto *S = dyn_cast<StructType>(Call.getType()))
    return S->getNumElements();
  return Call.getType()->isVoidTy() ? 0 : 1;
}

const Value *InlineAssembly::argument(const PtxOperand &O) const {
  std::optional<unsigned> Number = operandNumber(O);
  unsigned Results = Call ? countResults(*Call) : 0;
  return Number && Call && *Number >= Results &&
                 *Number - Results < Call->arg_size()
             ? Call->getArgOperand(*Number - Results)
             : nullptr;
}

std::optional<int64_t> InlineAssembly::constant(const PtxOperand &O) const {
  if (O.Kind == PtxOperand::Integer)
    return static_cast<int64_t>(O.Value);
  if (const auto *C = dyn_cast_or_null<ConstantInt>(argument(O)))
    return C->getSExtValue();
  return std::nullopt;
}

} // namespace gpuestimate
