#include "AssemblyEmitter.h"

#include "BulkCopyEmitter.h"
#include "MatrixEmitter.h"
#include "MemoryEmitter.h"
#include "TextureAddress.h"
#include <algorithm>

namespace gpuestimate {

namespace {

/// Bytes that the types and the vector length of an access move.
unsigned bytesOf(const PtxInstruction &P) {
  unsigned Vector = P.has("v8") ? 8 : P.has("v4") ? 4 : P.has("v2") ? 2 : 1;
  return std::min(16u, std::max(1u, P.type().bits() / 8) * Vector);
}

/// The row for an arithmetic mnemonic by the family of its last type.
const OpRow *rowOf(const PtxInstruction &P) {
  static constexpr llvm::StringLiteral ByType[] = {"add", "sub", "mul", "fma",
                                                   "mad"};
  std::string Mnemonic = P.mnemonic();
  if (llvm::is_contained(ByType, P.Opcode) && !P.Modifiers.empty()) {
    llvm::StringRef Family, Type = P.Modifiers.back();
    if (Type == "f32" || Type == "f32x2")
      Family = "{f32}";
    else if (Type == "f64")
      Family = "{f64}";
    else if (Type.starts_with("f16") || Type.starts_with("bf16"))
      Family = "{f16}";
    else if ((Type == "s64" || Type == "u64") && !P.has("wide"))
      Family = "{i64}";
    if (!Family.empty())
      if (const OpRow *Row =
              findOpRow(("ptx:" + P.Opcode + "." + Family).str()))
        return Row;
  }
  return findOpRow("ptx:" + Mnemonic);
}

/// The state space that an access names.
std::optional<MemorySpace> spaceOf(const PtxInstruction &P) {
  for (llvm::StringRef M : P.Modifiers) {
    if (M.starts_with("shared"))
      return MemorySpace::Shared;
    if (M == "global")
      return MemorySpace::Global;
    if (M == "local")
      return MemorySpace::Local;
    if (M == "const")
      return MemorySpace::Constant;
  }
  return std::nullopt;
}

bool bypassesL1(const PtxInstruction &P) {
  return llvm::any_of(P.Modifiers, [](llvm::StringRef M) {
    return M == "cg" || M == "cv" || M == "volatile" || M == "relaxed" ||
           M == "acquire" || M.contains("no_allocate");
  });
}

/// A special register that a statement reads; "" for none.
llvm::StringRef specialRegister(const PtxInstruction &P) {
  if (P.Opcode != "mov" || P.Operands.size() < 2)
    return "";
  llvm::StringRef Name = P.Operands[1].Text;
  return P.Operands[1].Kind == PtxOperand::Name && Name.starts_with("%") ? Name
                                                                         : "";
}

} // namespace

void AssemblyEmitter::emit(const llvm::CallBase &I) {
  InlineAssembly Assembly(I);
  if (Assembly.isUnreadable())
    return B.unmapped(I, Unknown::Instruction,
                      "inline assembly that is no PTX");
  for (const PtxInstruction &P : Assembly.instructions())
    emitStatement(I, Assembly, P);
}

void AssemblyEmitter::noteRemoteMemory(const llvm::CallBase &I) {
  // Latency of a load from a neighbour on H800: Luo et al. 2024, arXiv
  // 2402.13499, section on distributed shared memory.
  constexpr double NeighbourCycles = 180;
  Unknown U;
  U.Kind = Unknown::Instruction;
  U.Location = locate(I);
  U.What = "distributed shared memory at " + U.Location.brief();
  U.Why = "it costs what the block's own shared memory does; on Hopper the "
          "memory of another block of the cluster is about 180 cycles away";
  U.Default = NeighbourCycles;
  B.Names.note(std::move(U));
}

bool AssemblyEmitter::emitAccess(const llvm::CallBase &I,
                                 const InlineAssembly &Assembly,
                                 const PtxInstruction &P) {
  auto PointerAt = [&](unsigned Which) -> const llvm::Value * {
    for (const PtxOperand &O : P.Operands)
      if (O.Kind == PtxOperand::Address && Which-- == 0)
        return Assembly.argument(O);
    return nullptr;
  };
  AccessRequest Request;
  Request.At = &I;
  Request.Pointer = PointerAt(0);
  Request.Bytes = bytesOf(P);
  Request.Space = spaceOf(P);
  Request.BypassL1 = bypassesL1(P);
  unsigned BytesOfMatrices = P.has("x4") ? 16 : P.has("x2") ? 8 : 4;
  if (P.Opcode == "cp" && P.has("async") && (P.has("ca") || P.has("cg"))) {
    Request.Pointer = PointerAt(1);
    Request.Kind = AccessKind::AsyncCopy;
    Request.Space = MemorySpace::Global;
    Request.Bytes = 16;
    // The number of bytes is the third operand.
    if (std::optional<int64_t> Bytes = P.Operands.size() > 2
                                           ? Assembly.constant(P.Operands[2])
                                           : std::nullopt)
      Request.Bytes = std::clamp<int64_t>(*Bytes, 4, 16);
  } else if (P.Opcode == "ldmatrix") {
    Request.Space = MemorySpace::Shared;
    Request.Bytes = BytesOfMatrices;
  } else if (P.Opcode == "stmatrix") {
    Request.Space = MemorySpace::Shared;
    Request.Kind = AccessKind::Store;
    Request.Bytes = BytesOfMatrices;
  } else if (P.Opcode == "ld" || P.Opcode == "ldu") {
    Request.ReadOnly = P.has("nc");
  } else if (P.Opcode == "st") {
    Request.Kind = AccessKind::Store;
  } else if (P.Opcode == "atom" || P.Opcode == "red") {
    Request.Kind = AccessKind::Atomic;
    Request.ReturnsValue = P.Opcode == "atom";
  } else if (P.Opcode == "prefetch" || P.Opcode == "prefetchu") {
    Request.Bytes = 4;
  } else if (P.Opcode == "tex" || P.Opcode == "tld4" || P.Opcode == "suld") {
    Request.Space = MemorySpace::Texture;
    Request.Pointer = nullptr;
    if (P.Opcode != "suld")
      Request.Bytes = usedTexelBytes(I);
  } else if (P.Opcode == "sust") {
    Request.Kind = AccessKind::Store;
    Request.Pointer = nullptr;
  } else {
    return false;
  }
  llvm::SmallVector<const llvm::Value *> Values(I.args());
  unsigned Op = B.appendAccess(Request, Values);
  B.setProducer(I, Op);
  if (std::optional<TexelRequest> Texel =
          Request.Pointer ? std::nullopt : TexelRequest::of(Assembly, P)) {
    Texel->Bytes = Request.Bytes;
    MemoryAccess &M = Model.Accesses[*Model.Operations[Op].access()];
    if (const auto *Arg = llvm::dyn_cast_or_null<llvm::Argument>(Texel->Object))
      M.Base = B.V.nameOf(Arg, M.BaseArgument);
    if (Expr Address = TextureAddress(B.V, *Model.Context, B.A).of(*Texel)) {
      M.Address = Address;
      M.DataDependent = B.Names.contains(Address);
    }
  }
  return true;
}

void AssemblyEmitter::emitStatement(const llvm::CallBase &I,
                                    const InlineAssembly &Assembly,
                                    const PtxInstruction &P) {
  llvm::SmallVector<const llvm::Value *> Values(I.args());
  std::string Mnemonic = P.mnemonic();
  auto FirstNumber = [&] {
    return P.Operands.empty() ? 0
                              : Assembly.constant(P.Operands[0]).value_or(0);
  };
  bool MultipliesMatrices =
      P.Opcode == "mma" || (P.Opcode == "wmma" && P.has("mma"));
  if (MultipliesMatrices && Matrix.emit(I, Mnemonic))
    return;
  if (Matrix.emitAsynchronous(I, Assembly, P) || Bulk.emit(I, Assembly, P))
    return;
  if (P.Opcode == "wgmma" && P.has("wait_group"))
    return Matrix.emitWait(I, FirstNumber() == 0);
  if (P.Opcode == "tcgen05" && (P.has("ld") || P.has("st"))) {
    // One register of the warp at a time.
    unsigned Registers = Values.size();
    if (const auto *Struct = llvm::dyn_cast<llvm::StructType>(I.getType()))
      Registers = Struct->getNumElements();
    unsigned Index = B.append(OpClass::Move, I, Values);
    Model.Operations[Index].Count = std::max(1u, Registers);
    B.setProducer(I, Index);
    return;
  }
  if (P.Opcode == "cp" && P.has("async") && !P.has("bulk")) {
    if (P.has("commit_group"))
      return Memory.emitAsyncCommit(I);
    if (P.has("wait_group") || P.has("wait_all"))
      return Memory.emitAsyncWait(
          I, P.has("wait_all") ? 0 : std::clamp<int64_t>(FirstNumber(), 0, 64));
  }
  if (emitAccess(I, Assembly, P))
    return;
  if (llvm::StringRef Name = specialRegister(P); !Name.empty()) {
    std::string Register =
        ("asm " + Name + "." + P.Operands[1].Component).str();
    if (B.reuseSpecialRegister(Register, I))
      return;
    B.appendRow(*findOpRow("ptx:mov.sreg"), I, Values);
    if (!Name.contains("clock") && !Name.contains("timer"))
      B.keepSpecialRegister(Register, I);
    return;
  }
  if (P.Opcode == "nanosleep") {
    const llvm::Value *Time =
        P.Operands.empty() ? nullptr : Assembly.argument(P.Operands[0]);
    Expr Nanoseconds = Time
                           ? B.V.of(Time)
                           : B.Ctx.constant(static_cast<double>(FirstNumber()));
    unsigned Slept = B.appendWait(I, Nanoseconds, Wait::Nanoseconds);
    B.setProducer(I, B.append(OpClass::Branch, I, {}, static_cast<int>(Slept)));
    return;
  }
  // A copy that names no global memory goes from block to block.
  bool IsRemoteCopy = P.Opcode == "cp" && P.has("bulk") && !P.has("global") &&
                      !P.has("commit_group") && !P.has("wait_group");
  if (P.Opcode == "mapa" || IsRemoteCopy)
    noteRemoteMemory(I);
  const OpRow *Row = rowOf(P);
  // A form of a load or store that emitAccess() does not know has no address.
  if (!Row || llvm::any_of(Row->steps(), [](const OpStep &Step) {
        return info(Step.Class).IsMemory;
      }))
    return B.unmapped(I, Unknown::Instruction,
                      "the PTX instruction " + Mnemonic);
  // A later statement works on what an earlier one of the text made.
  std::optional<unsigned> Earlier = B.producer(I);
  size_t First = Model.Operations.size();
  B.appendRow(*Row, I, Values);
  if (Earlier && Model.Operations.size() > First)
    B.addDependence(First, *Earlier);
}

} // namespace gpuestimate
