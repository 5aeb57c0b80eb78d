#include "AssemblyEmitter.h"

#include "MatrixEmitter.h"
#include "MemoryEmitter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"

namespace gpuestimate {

namespace {

/// The text of the operand in brackets, "$1" of "[$1+16]", as a number; -1
/// when there is none.
int addressOperand(llvm::StringRef Statement, unsigned Which = 0) {
  for (unsigned N = 0;; ++N) {
    size_t Open = Statement.find('[');
    if (Open == llvm::StringRef::npos)
      return -1;
    Statement = Statement.substr(Open + 1);
    if (N < Which)
      continue;
    llvm::StringRef Inside = Statement.ltrim();
    if (!Inside.consume_front("$"))
      return -1;
    Inside.consume_front("{");
    unsigned Number;
    return Inside.consumeInteger(10, Number) ? -1 : static_cast<int>(Number);
  }
}

/// Bytes that a mnemonic's types and vector length move: "ld.global.v4.f32".
unsigned bytesOf(llvm::StringRef Mnemonic) {
  unsigned Bytes = 4, Vector = 1;
  llvm::SmallVector<llvm::StringRef> Parts;
  Mnemonic.split(Parts, '.');
  for (llvm::StringRef Part : Parts) {
    if (Part == "v2")
      Vector = 2;
    else if (Part == "v4")
      Vector = 4;
    else if (Part == "f16x2" || Part == "bf16x2")
      Bytes = 4;
    else if (Part.size() > 1 && (Part[0] == 'f' || Part[0] == 'u' ||
                                 Part[0] == 's' || Part[0] == 'b')) {
      unsigned Bits;
      if (!Part.drop_front().getAsInteger(10, Bits))
        Bytes = std::max(1u, Bits / 8);
    }
  }
  return std::min(16u, Bytes * Vector);
}

/// The row for an arithmetic mnemonic by the family of its last type.
const OpRow *rowOf(llvm::StringRef Mnemonic) {
  static constexpr llvm::StringLiteral ByType[] = {"add", "sub", "mul", "fma",
                                                   "mad"};
  llvm::StringRef Root = Mnemonic.split('.').first,
                  Type = Mnemonic.rsplit('.').second;
  if (llvm::is_contained(ByType, Root)) {
    llvm::StringRef Family;
    if (Type == "f32" || Type == "f32x2")
      Family = "{f32}";
    else if (Type == "f64")
      Family = "{f64}";
    else if (Type.starts_with("f16") || Type.starts_with("bf16"))
      Family = "{f16}";
    else if ((Type == "s64" || Type == "u64") && !Mnemonic.contains("wide"))
      Family = "{i64}";
    if (!Family.empty())
      if (const OpRow *Row = findOpRow(("ptx:" + Root + "." + Family).str()))
        return Row;
  }
  return findOpRow(("ptx:" + Mnemonic).str());
}

} // namespace

void AssemblyEmitter::emit(const llvm::CallBase &I) {
  llvm::StringRef Text =
      llvm::cast<llvm::InlineAsm>(I.getCalledOperand())->getAsmString();
  // Braces of a scope are separators; those of a vector or tuple operand stay
  // with their statement, which the mnemonic alone decides.
  llvm::SmallVector<llvm::StringRef> Statements;
  llvm::SplitString(Text, Statements, ";\n");
  for (llvm::StringRef S : Statements) {
    S = S.trim(" \t\r{}");
    if (S.starts_with("//") || S.empty() || S.starts_with(".") ||
        S.ends_with(":"))
      continue;
    if (S.starts_with("@"))
      S = S.substr(std::min(S.find_first_of(" \t"), S.size())).ltrim();
    if (!S.empty())
      emitStatement(I, S);
  }
}

Expr AssemblyEmitter::firstOperand(const llvm::CallBase &I,
                                   llvm::StringRef Statement,
                                   unsigned Results) {
  Statement = Statement.substr(Statement.find_first_of(" \t")).ltrim();
  unsigned Number = 0;
  if (!Statement.consumeInteger(10, Number))
    return B.Ctx.constant(Number);
  if (Statement.consume_front("$") && !Statement.consumeInteger(10, Number) &&
      Number >= Results && Number - Results < I.arg_size())
    return B.V.of(I.getArgOperand(Number - Results));
  return B.Ctx.constant(0);
}

void AssemblyEmitter::emitStatement(const llvm::CallBase &I,
                                    llvm::StringRef Statement) {
  llvm::StringRef Mnemonic = Statement.take_until(
      [](char C) { return C == ' ' || C == '\t' || C == '{'; });
  llvm::SmallVector<const llvm::Value *> Values(I.args());

  // Results come first in the numbering of operands.
  unsigned Results = 0;
  if (auto *Struct = llvm::dyn_cast<llvm::StructType>(I.getType()))
    Results = Struct->getNumElements();
  else if (!I.getType()->isVoidTy())
    Results = 1;
  auto PointerAt = [&](unsigned Which) -> const llvm::Value * {
    int N = addressOperand(Statement, Which) - static_cast<int>(Results);
    return N >= 0 && N < static_cast<int>(I.arg_size()) ? I.getArgOperand(N)
                                                        : nullptr;
  };
  auto Is = [&](llvm::StringRef Prefix) {
    return Mnemonic.starts_with(Prefix);
  };

  if (Is("mma.") || Is("wmma.mma") || Is("wgmma.mma_async")) {
    if (Matrix.emit(I, Mnemonic))
      return;
  }
  if (Is("cp.async.wait")) {
    Memory.emitAsyncWait(I, Is("cp.async.wait_all") ||
                                Statement.rtrim().ends_with(" 0"));
    return;
  }
  AccessRequest Request;
  Request.At = &I;
  Request.Pointer = PointerAt(0);
  Request.Bytes = bytesOf(Mnemonic);
  if (Mnemonic.contains(".shared"))
    Request.Space = MemorySpace::Shared;
  else if (Mnemonic.contains(".global"))
    Request.Space = MemorySpace::Global;
  else if (Mnemonic.contains(".local"))
    Request.Space = MemorySpace::Local;
  else if (Mnemonic.contains(".const"))
    Request.Space = MemorySpace::Constant;
  Request.BypassL1 =
      Mnemonic.contains(".cg") || Mnemonic.contains(".cv") ||
      Mnemonic.contains(".volatile") || Mnemonic.contains(".relaxed") ||
      Mnemonic.contains(".acquire") || Mnemonic.contains("no_allocate");
  bool IsAccess = true;
  if (Is("cp.async.c") && !Is("cp.async.commit")) {
    Request.Pointer = PointerAt(1);
    Request.Kind = AccessKind::AsyncCopy;
    Request.Space = MemorySpace::Global;
    Request.Bytes = 16;
    // The number of bytes is the third operand: a literal or a constant.
    llvm::StringRef Size = Statement.rsplit(']').second.ltrim(", \t");
    unsigned Bytes;
    if (!Size.consumeInteger(10, Bytes)) {
      Request.Bytes = std::min(16u, std::max(4u, Bytes));
    } else if (Size.consume_front("$") && !Size.consumeInteger(10, Bytes)) {
      int N = static_cast<int>(Bytes) - static_cast<int>(Results);
      if (N >= 0 && N < static_cast<int>(I.arg_size()))
        if (const auto *C =
                llvm::dyn_cast<llvm::ConstantInt>(I.getArgOperand(N)))
          Request.Bytes =
              std::min<unsigned>(16, std::max<uint64_t>(4, C->getZExtValue()));
    }
  } else if (Is("ldmatrix")) {
    Request.Space = MemorySpace::Shared;
    Request.Bytes = Mnemonic.contains(".x4")   ? 16
                    : Mnemonic.contains(".x2") ? 8
                                               : 4;
  } else if (Is("stmatrix")) {
    Request.Space = MemorySpace::Shared;
    Request.Kind = AccessKind::Store;
    Request.Bytes = Mnemonic.contains(".x4")   ? 16
                    : Mnemonic.contains(".x2") ? 8
                                               : 4;
  } else if (Is("ld.") || Is("ldu.")) {
    Request.ReadOnly = Mnemonic.contains(".nc");
  } else if (Is("st.")) {
    Request.Kind = AccessKind::Store;
  } else if (Is("atom.") || Is("red.")) {
    Request.Kind = AccessKind::Atomic;
    Request.ReturnsValue = Is("atom.");
  } else if (Is("prefetch")) {
    Request.Bytes = 4;
  } else if (Is("tex.") || Is("tld4.") || Is("suld.")) {
    Request.Space = MemorySpace::Texture;
    Request.Pointer = nullptr;
  } else if (Is("sust.")) {
    Request.Kind = AccessKind::Store;
    Request.Pointer = nullptr;
  } else {
    IsAccess = false;
  }
  if (IsAccess) {
    B.setProducer(I, B.appendAccess(Request, Values));
    return;
  }

  if (Is("mov.") && Statement.contains('%')) {
    std::string Register =
        ("asm " + Statement.substr(Statement.find('%'))).str();
    if (B.reuseSpecialRegister(Register, I))
      return;
    B.appendRow(*findOpRow("ptx:mov.sreg"), I, Values);
    if (!llvm::StringRef(Register).contains("clock") &&
        !llvm::StringRef(Register).contains("timer"))
      B.keepSpecialRegister(Register, I);
    return;
  }
  if (Is("nanosleep")) {
    unsigned Slept =
        B.appendWait(I, firstOperand(I, Statement, Results), Wait::Nanoseconds);
    B.setProducer(I, B.append(OpClass::Branch, I, {}, static_cast<int>(Slept)));
    return;
  }
  const OpRow *Row = rowOf(Mnemonic);
  if (!Row)
    return B.unmapped(I, Unknown::Instruction,
                      "the PTX instruction " + Mnemonic.str());
  // A later statement works on what an earlier one of the text made.
  std::optional<unsigned> Earlier = B.producer(I);
  size_t First = Model.Operations.size();
  B.appendRow(*Row, I, Values);
  if (Earlier && Model.Operations.size() > First)
    B.addDependence(First, *Earlier);
}

} // namespace gpuestimate
