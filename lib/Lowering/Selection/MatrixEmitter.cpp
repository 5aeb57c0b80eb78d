#include "MatrixEmitter.h"

#include "gpu-estimate/Ptx/MatrixName.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

namespace gpuestimate {

namespace {

struct Tensor {
  OpClass Class;
  double PerInstruction; ///< multiply-adds of one machine instruction
};

/// From the types in the name of a multiply-accumulate.
Tensor tensorOf(llvm::StringRef Name) {
  auto Types = matrixTypesIn(Name);
  auto HasAny = [&](auto... Type) {
    return (llvm::is_contained(Types, Type) || ...);
  };
  if (HasAny(MatrixType::F64))
    return {OpClass::TensorFp64, 8 * 8 * 4};
  if (HasAny(MatrixType::TF32))
    return {OpClass::TensorTf32, 16 * 8 * 8};
  if (HasAny(MatrixType::S8, MatrixType::U8, MatrixType::E4M3,
             MatrixType::E5M2))
    return {OpClass::TensorInt8, 16 * 8 * 32};
  if (HasAny(MatrixType::S4, MatrixType::U4))
    return {OpClass::TensorInt8, 16 * 8 * 64};
  if (HasAny(MatrixType::B1))
    return {OpClass::TensorInt8, 16 * 8 * 256};
  if (HasAny(MatrixType::S32))
    return {OpClass::TensorInt8, 16 * 8 * 32};
  return {OpClass::TensorFp16, 16 * 8 * 16};
}

} // namespace

bool MatrixEmitter::emit(const llvm::CallBase &I, llvm::StringRef Name) {
  if (Name.contains("ldmatrix")) {
    AccessRequest Request;
    Request.At = &I;
    Request.Pointer = I.getArgOperand(0);
    Request.Space = MemorySpace::Shared;
    Request.Bytes = Name.contains(".x4") ? 16 : Name.contains(".x2") ? 8 : 4;
    B.setProducer(I, B.appendAccess(Request, {}));
    return true;
  }
  if (Name.contains(".load.") || Name.contains(".store.")) {
    emitFragment(I, Name);
    return true;
  }
  std::optional<MatrixShape> S = MatrixShape::find(Name);
  if (!S)
    return false;
  Tensor T = tensorOf(Name);
  double MultiplyAdds = static_cast<double>(S->M) * S->N * S->K;
  llvm::SmallVector<const llvm::Value *> Values(I.args());
  unsigned Index = B.append(T.Class, I, Values);
  Operation &Op = Model.Operations[Index];
  Op.Count =
      static_cast<unsigned>(std::max(1.0, MultiplyAdds / T.PerInstruction));
  Op.TensorMultiplyAdds = MultiplyAdds / Op.Count;
  B.setProducer(I, Index);
  return true;
}

void MatrixEmitter::emitSharedOperands(const llvm::CallBase &I, double Bytes,
                                       unsigned Lanes) {
  constexpr unsigned Word = 4, Widest = 16;
  unsigned Left = Word * static_cast<unsigned>(
                             std::max(1.0, std::ceil(Bytes / Lanes / Word)));
  // Requests of four words a lane, which fill all banks, and what remains.
  while (Left > 0) {
    AccessRequest Request;
    Request.At = &I;
    Request.Space = MemorySpace::Shared;
    Request.Bytes = Lanes == 1 ? Left : std::min(Left, Widest);
    if (Request.Bytes == 3 * Word)
      Request.Bytes = 2 * Word;
    Left -= Request.Bytes;
    unsigned Index = B.appendAccess(Request, {});
    Model.Operations[Index].Count = 0;
    MemoryAccess &M = Model.Accesses[*Model.Operations[Index].access()];
    M.Address = Lanes == 1
                    ? Ctx.constant(0)
                    : static_cast<double>(Request.Bytes) *
                          Ctx.mod(Ctx.parameter("threadIdx.x"),
                                  Ctx.constant(static_cast<double>(Lanes)));
    M.DataDependent = false;
  }
}

namespace {

/// Bits of an element of the factors, from the name of an asynchronous
/// instruction: its last type, or its kind.
unsigned factorBits(llvm::StringRef Name) {
  if (Name.contains("tf32"))
    return 32;
  if (Name.contains("kind::mxf4"))
    return 4;
  if (Name.contains(".s8") || Name.contains(".u8") || Name.contains("e4m3") ||
      Name.contains("e5m2") || Name.contains("kind::i8") ||
      Name.contains("f8f6f4"))
    return 8;
  return Name.contains(".b1") ? 1 : 16;
}

/// The shape in the instruction descriptor of tcgen05.mma (PTX ISA, table
/// "Instruction descriptor format"): N / 8 in bits 17 to 22, M / 16 in bits 24
/// to 28. K is 32 bytes of each factor.
MatrixShape shapeOfDescriptor(uint64_t Descriptor, unsigned Bits) {
  return {unsigned(Descriptor >> 24 & 0x1f) * 16,
          unsigned(Descriptor >> 17 & 0x3f) * 8, 256 / Bits};
}

} // namespace

bool MatrixEmitter::emitAsynchronous(const llvm::CallBase &I,
                                     const InlineAssembly &Assembly,
                                     const PtxInstruction &P) {
  bool IsGroup = P.Opcode == "wgmma" && P.has("mma_async");
  if (!IsGroup && !(P.Opcode == "tcgen05" && P.has("mma")))
    return false;
  std::string Mnemonic = P.mnemonic();
  llvm::StringRef Name = Mnemonic;
  llvm::ArrayRef<PtxOperand> Operands = P.Operands;
  unsigned Bits = factorBits(Name);
  std::optional<MatrixShape> S;
  bool RowsInRegisters = false;
  if (IsGroup) {
    S = MatrixShape::find(Name);
    RowsInRegisters =
        Operands.size() > 1 && Operands[1].Kind == PtxOperand::Vector;
  } else {
    RowsInRegisters =
        Operands.size() > 1 && Operands[1].Kind == PtxOperand::Address;
    std::optional<int64_t> Descriptor =
        Operands.size() > 3 ? Assembly.constant(Operands[3]) : std::nullopt;
    if (Descriptor)
      S = shapeOfDescriptor(*Descriptor, Bits);
    if (!S || !S->M || !S->N) {
      S = MatrixShape{Name.contains("cta_group::2") ? 256u : 128u, 256,
                      256 / Bits};
      Unknown U;
      U.Kind = Unknown::Instruction;
      U.Location = locate(I);
      U.What = "shape of tcgen05.mma at " + U.Location.brief();
      U.Why = "its descriptor is no constant; it is taken as " +
              std::to_string(S->M) + "x" + std::to_string(S->N);
      U.Default = S->N;
      B.Names.note(std::move(U));
    }
  }
  if (!S)
    return false;
  // Half of a sparse row is multiplied. Two 4-bit products take the time
  // of one of 8 bits (NVIDIA's dense peaks). Two multiprocessors share an
  // instruction of a pair of blocks.
  double MultiplyAdds = static_cast<double>(S->M) * S->N * S->K;
  if (Name.contains(".sp"))
    MultiplyAdds /= 2;
  if (Bits == 4)
    MultiplyAdds /= 2;
  double Rows = S->M;
  if (Name.contains("cta_group::2")) {
    MultiplyAdds /= 2;
    Rows /= 2;
  }
  double Bytes = ((RowsInRegisters ? 0 : Rows) + S->N) * S->K * Bits / 8.0;
  constexpr unsigned WarpsOfGroup = 4, WarpLanes = 32;
  emitSharedOperands(I, Bytes, IsGroup ? WarpsOfGroup * WarpLanes : 1);
  // Factors in registers are awaited, sums are not.
  llvm::SmallVector<const llvm::Value *> Values;
  if (IsGroup && RowsInRegisters)
    for (const PtxOperand &Part : Operands[1].Parts)
      if (const llvm::Value *Factor = Assembly.argument(Part))
        Values.push_back(Factor);
  OpClass Class = Bits == 32   ? OpClass::TensorTf32
                  : Bits == 16 ? OpClass::TensorFp16
                               : OpClass::TensorInt8;
  unsigned Index = B.append(Class, I, Values);
  Operation &Op = Model.Operations[Index];
  Op.TensorMultiplyAdds = MultiplyAdds / (IsGroup ? WarpsOfGroup : 1);
  Op.Scope = IsGroup ? MatrixScope::Warpgroup : MatrixScope::Multiprocessor;
  B.setProducer(I, Index);
  Asynchronous.push_back(Index);
  return true;
}

void MatrixEmitter::emitWait(const llvm::CallBase &I, bool AllGroups) {
  unsigned Index = B.append(OpClass::Branch, I);
  B.setProducer(I, Index);
  int L = B.currentLoop();
  for (unsigned Op : llvm::reverse(Asynchronous)) {
    bool SameLoop = B.loopOf(Op) == L;
    if (!SameLoop && L >= 0)
      continue;
    B.addDependence(Index, Op, /*Carried=*/!AllGroups && SameLoop && L >= 0);
    return; // the unit executes them in order
  }
}

/// "32x32x8f16" with the type of the factors behind the shape.
bool MatrixEmitter::emitAmd(const llvm::CallBase &I, llvm::StringRef Name) {
  if (!Name.starts_with("llvm.amdgcn.mfma.") &&
      !Name.starts_with("llvm.amdgcn.smfmac.") &&
      !Name.starts_with("llvm.amdgcn.wmma.") &&
      !Name.starts_with("llvm.amdgcn.swmmac."))
    return false;
  llvm::SmallVector<llvm::StringRef> Parts;
  Name.split(Parts, '.');
  for (size_t N = 3; N < Parts.size(); ++N) {
    llvm::StringRef Text = Parts[N];
    MatrixShape S;
    if (Text.consumeInteger(10, S.M) || !Text.consume_front("x") ||
        Text.consumeInteger(10, S.N) || !Text.consume_front("x") ||
        Text.consumeInteger(10, S.K))
      continue;
    // The type follows at once, or as the next part of WMMA's names.
    llvm::StringRef Type = !Text.empty()          ? Text
                           : N + 1 < Parts.size() ? Parts[N + 1]
                                                  : llvm::StringRef("f16");
    // Matrices of 32-bit reals have the rate of 64-bit ones on CDNA 2 and 3
    // (AMD's white papers: 95.7 TFLOP/s each on MI250X, 163.4 on MI300X).
    OpClass Class = Type.starts_with("f64") || Type.starts_with("f32")
                        ? OpClass::TensorFp64
                    : Type.starts_with("xf32") ? OpClass::TensorTf32
                    : Type.starts_with("i") || Type.contains("f8") ||
                            Type.starts_with("fp8")
                        ? OpClass::TensorInt8
                        : OpClass::TensorFp16;
    // Several products of small tiles: lanes of a wavefront times values.
    double Blocks = 1;
    constexpr double Wavefront = 64;
    bool IsMfma = Name.contains("mfma");
    if (const auto *V = llvm::dyn_cast<llvm::FixedVectorType>(I.getType());
        V && IsMfma)
      Blocks = std::max(1.0, V->getNumElements() * Wavefront / (S.M * S.N));
    double MultiplyAdds = double(S.M) * S.N * S.K * Blocks;
    if (Name.contains("smfmac") || Name.contains("swmmac"))
      MultiplyAdds /= 2;
    llvm::SmallVector<const llvm::Value *> Values(I.args());
    unsigned Index = B.append(Class, I, Values);
    Model.Operations[Index].TensorMultiplyAdds = MultiplyAdds;
    B.setProducer(I, Index);
    return true;
  }
  return false;
}

void MatrixEmitter::emitFragment(const llvm::CallBase &I,
                                 llvm::StringRef Name) {
  bool Store = Name.contains(".store.");
  std::optional<MatrixShape> S = MatrixShape::find(Name);
  if (!S)
    S = MatrixShape{16, 16, 16};
  auto Types = matrixTypesIn(Name); // of a fragment: one
  unsigned Bits = bitsOf(Types.empty() ? MatrixType::F16 : Types.front());
  bool IsA = Name.contains(".a."), IsB = Name.contains(".b.");
  unsigned Rows = IsB ? S->K : S->M, Columns = IsA ? S->K : S->N;
  // Rows are what the stride separates in memory.
  if (Name.contains(".col"))
    std::swap(Rows, Columns);
  // One lane moves a word of a tile's row; accumulators of 32 bits move two.
  unsigned WordBits = std::max(Bits, 32u);
  if (!IsA && !IsB && Bits == 32)
    WordBits = 64;
  unsigned TileColumns = 4 * WordBits / Bits;
  unsigned Down = std::max(1u, Rows / 8),
           Across = std::max(1u, Columns / TileColumns);

  bool HasStride = Name.contains(".stride");
  Expr Stride = HasStride && I.arg_size() > 1
                    ? V.of(I.getArgOperand(I.arg_size() - 1))
                    : Ctx.constant(Columns);
  Expr Linear =
      Ctx.parameter("threadIdx.x") +
      Ctx.parameter("blockDim.x") *
          (Ctx.parameter("threadIdx.y") +
           Ctx.parameter("blockDim.y") * Ctx.parameter("threadIdx.z"));
  Expr Lane = Ctx.mod(Linear, Ctx.constant(32));
  Expr Row = Ctx.floorDiv(Lane, Ctx.constant(4)),
       Word = Ctx.mod(Lane, Ctx.constant(4));
  double ElementBytes = Bits / 8.0;

  llvm::SmallVector<const llvm::Value *> Values;
  if (Store)
    Values.append(std::next(I.arg_begin()), I.arg_end());
  // Lane, row and word are worked out once a kernel; the row's address for
  // every access: base + row * stride + word.
  unsigned Address = B.append(OpClass::IntMul, I, {I.getArgOperand(0)});
  Address = B.append(OpClass::IntAdd, I, {}, static_cast<int>(Address));
  Model.Operations[Address].Count = 2 * Down; // 64-bit addresses of tile rows
  int Last = -1;
  for (unsigned D = 0; D < Down; ++D)
    for (unsigned C = 0; C < Across; ++C) {
      AccessRequest Request;
      Request.At = &I;
      Request.Pointer = I.getArgOperand(0);
      Request.Bytes = WordBits / 8;
      Request.Kind = Store ? AccessKind::Store : AccessKind::Load;
      Request.Extra = ElementBytes * (Stride * (Row + 8.0 * D)) +
                      (WordBits / 8.0) * Word + ElementBytes * TileColumns * C;
      unsigned Index = B.appendAccess(Request, Values);
      B.addDependence(Index, Address);
      // The fragment is complete when all its pieces are: the consumer waits
      // for the last, which is issued last.
      Last = static_cast<int>(Index);
    }
  // A 16-bit operand whose rows in memory are not those of the unit is turned
  // around in registers, tile by tile (MOVM).
  bool Turned =
      Bits == 16 && !Store &&
      ((IsB && Name.contains(".row")) || (IsA && Name.contains(".col")));
  if (Turned) {
    unsigned Index = B.append(OpClass::Shuffle, I, {}, Last);
    Model.Operations[Index].Count = Down * Across;
    Last = static_cast<int>(Index);
  }
  if (Last >= 0)
    B.setProducer(I, static_cast<unsigned>(Last));
}

} // namespace gpuestimate
