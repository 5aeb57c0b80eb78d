#include "AssemblyEmitter.h"

#include "BulkCopyEmitter.h"
#include "MatrixEmitter.h"
#include "MemoryEmitter.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

namespace gpuestimate {

namespace {

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
  for (const AssemblyStatement &S : assemblyStatements(I))
    emitStatement(I, S);
}

Expr AssemblyEmitter::firstOperand(const llvm::CallBase &I,
                                   const AssemblyStatement &Statement) {
  llvm::SmallVector<llvm::StringRef> Operands = Statement.operands();
  if (Operands.empty())
    return B.Ctx.constant(0);
  if (std::optional<int64_t> Number = assemblyConstant(I, Operands[0]))
    return B.Ctx.constant(static_cast<double>(*Number));
  const llvm::Value *Argument = assemblyArgument(I, Operands[0]);
  return Argument ? B.V.of(Argument) : B.Ctx.constant(0);
}

void AssemblyEmitter::emitStatement(const llvm::CallBase &I,
                                    const AssemblyStatement &S) {
  llvm::StringRef Mnemonic = S.mnemonic(), Statement = S.text();
  llvm::SmallVector<const llvm::Value *> Values(I.args());
  auto PointerAt = [&](unsigned Which) -> const llvm::Value * {
    llvm::SmallVector<llvm::StringRef> Addresses = S.addresses();
    return Which < Addresses.size() ? assemblyArgument(I, Addresses[Which])
                                    : nullptr;
  };
  auto Is = [&](llvm::StringRef Prefix) {
    return Mnemonic.starts_with(Prefix);
  };

  if (Is("mma.") || Is("wmma.mma")) {
    if (Matrix.emit(I, Mnemonic))
      return;
  }
  if (Matrix.emitAsynchronous(I, S) || Bulk.emit(I, S))
    return;
  if (Is("wgmma.wait_group")) {
    llvm::SmallVector<llvm::StringRef> Operands = S.operands();
    Matrix.emitWait(I, Operands.empty() ||
                           assemblyConstant(I, Operands[0]).value_or(0) == 0);
    return;
  }
  if (Is("tcgen05.ld") || Is("tcgen05.st")) {
    // One register of the warp at a time.
    unsigned Registers = Values.size();
    if (const auto *Struct = llvm::dyn_cast<llvm::StructType>(I.getType()))
      Registers = Struct->getNumElements();
    unsigned Index = B.append(OpClass::Move, I, Values);
    Model.Operations[Index].Count = std::max(1u, Registers);
    B.setProducer(I, Index);
    return;
  }
  if (Is("cp.async.commit")) {
    Memory.emitAsyncCommit(I);
    return;
  }
  if (Is("cp.async.wait")) {
    llvm::SmallVector<llvm::StringRef> Operands = S.operands();
    Memory.emitAsyncWait(
        I, Is("cp.async.wait_all") || Operands.empty()
               ? 0
               : std::clamp<int64_t>(
                     assemblyConstant(I, Operands[0]).value_or(0), 0, 64));
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
    llvm::SmallVector<llvm::StringRef> Operands = S.operands();
    if (std::optional<int64_t> Bytes = Operands.size() > 2
                                           ? assemblyConstant(I, Operands[2])
                                           : std::nullopt)
      Request.Bytes = std::clamp<int64_t>(*Bytes, 4, 16);
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
    unsigned Slept = B.appendWait(I, firstOperand(I, S), Wait::Nanoseconds);
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
