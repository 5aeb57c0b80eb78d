#include "MatrixEmitter.h"

#include "llvm/ADT/StringExtras.h"

namespace gpuestimate {

namespace {

struct Shape {
  unsigned M = 0, N = 0, K = 0;
};

/// "m16n16k16" somewhere in Name.
std::optional<Shape> shapeIn(llvm::StringRef Name) {
  for (size_t At = Name.find('m'); At != llvm::StringRef::npos;
       At = Name.find('m', At + 1)) {
    llvm::StringRef S = Name.substr(At + 1);
    Shape Result;
    if (!S.consumeInteger(10, Result.M) && S.consume_front("n") &&
        !S.consumeInteger(10, Result.N) && S.consume_front("k") &&
        !S.consumeInteger(10, Result.K))
      return Result;
  }
  return std::nullopt;
}

struct Tensor {
  OpClass Class;
  double PerInstruction; ///< multiply-adds of one machine instruction
};

/// From the types in the name of a multiply-accumulate.
Tensor tensorOf(llvm::StringRef Name) {
  if (Name.contains("f64"))
    return {OpClass::TensorFp64, 8 * 8 * 4};
  if (Name.contains("tf32"))
    return {OpClass::TensorTf32, 16 * 8 * 8};
  if (Name.contains(".s8") || Name.contains(".u8") || Name.contains("e4m3") ||
      Name.contains("e5m2"))
    return {OpClass::TensorInt8, 16 * 8 * 32};
  if (Name.contains(".s4") || Name.contains(".u4"))
    return {OpClass::TensorInt8, 16 * 8 * 64};
  if (Name.contains(".b1"))
    return {OpClass::TensorInt8, 16 * 8 * 256};
  if (Name.contains(".s32"))
    return {OpClass::TensorInt8, 16 * 8 * 32};
  return {OpClass::TensorFp16, 16 * 8 * 16};
}

unsigned elementBits(llvm::StringRef Name) {
  if (Name.contains("f64"))
    return 64;
  if (Name.contains("tf32") || Name.contains("f32") || Name.contains("s32"))
    return 32;
  if (Name.contains("f16"))
    return 16;
  if (Name.contains(".s8") || Name.contains(".u8"))
    return 8;
  if (Name.contains(".s4") || Name.contains(".u4"))
    return 4;
  return Name.contains(".b1") ? 1 : 16;
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
  std::optional<Shape> S = shapeIn(Name);
  if (!S)
    return false;
  Tensor T = tensorOf(Name);
  // A warpgroup's instruction is shared by its four warps.
  double Warps = Name.contains("wgmma") ? 4 : 1;
  double MultiplyAdds = static_cast<double>(S->M) * S->N * S->K / Warps;
  llvm::SmallVector<const llvm::Value *> Values(I.args());
  unsigned Index = B.append(T.Class, I, Values);
  Operation &Op = Model.Operations[Index];
  Op.TensorMultiplyAdds = MultiplyAdds;
  Op.Count =
      static_cast<unsigned>(std::max(1.0, MultiplyAdds / T.PerInstruction));
  B.setProducer(I, Index);
  return true;
}

void MatrixEmitter::emitFragment(const llvm::CallBase &I,
                                 llvm::StringRef Name) {
  bool Store = Name.contains(".store.");
  std::optional<Shape> S = shapeIn(Name);
  if (!S)
    S = Shape{16, 16, 16};
  unsigned Bits = elementBits(Name);
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
