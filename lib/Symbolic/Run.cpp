/// \file
/// The interpreter of compiled programs. Each operation is one loop over a
/// fixed number of lanes without branches, which compilers vectorise.
#include "gpu-estimate/Symbolic/CompiledExprs.h"

#include "Opcodes.h"
#include "Semantics.h"

#include <algorithm>
#include <cassert>

namespace gpuestimate {

namespace {

template <unsigned Lanes, typename Operation>
inline void unary(double *__restrict Result, const double *A, Operation Op) {
  for (unsigned L = 0; L < Lanes; ++L)
    Result[L] = Op(A[L]);
}

template <unsigned Lanes, typename Operation>
inline void binary(double *__restrict Result, const double *A, const double *B,
                   Operation Op) {
  for (unsigned L = 0; L < Lanes; ++L)
    Result[L] = Op(A[L], B[L]);
}

} // namespace

template <unsigned Lanes>
void CompiledExprs::runSum(const Instruction &Sum, double *Slots) const {
  namespace sampling = semantics::sampling;
  // Copies, because the compiler must assume that slots alias.
  double Count[Lanes], Total[Lanes];
  unsigned Size = 0;
  for (unsigned L = 0; L < Lanes; ++L) {
    Count[L] = Slots[Sum.A * Lanes + L];
    bool Unknown = Count[L] != Count[L];
    Total[L] = Unknown ? NotANumber : 0.0;
    Size = std::max(Size, Unknown ? 0 : sampling::size(Count[L]));
  }
  double *Variable = Slots + Sum.B * Lanes;
  const double *Body = Slots + Sum.C * Lanes;
  const Instruction *Begin = &Sum + 1;
  for (unsigned K = 0; K < Size; ++K) {
    unary<Lanes>(Variable, Count,
                 [&](double N) { return sampling::point(N, K); });
    run<Lanes>(Begin, Begin + Sum.Length, Slots);
    for (unsigned L = 0; L < Lanes; ++L) {
      double Weight = sampling::weight(Count[L], K);
      double Share = Weight * Body[L];
      Total[L] += Weight == 0 ? 0.0 : Share;
    }
  }
  std::copy_n(Total, Lanes, Slots + Sum.Result * Lanes);
}

template <unsigned Lanes>
void CompiledExprs::run(const Instruction *I, const Instruction *End,
                        double *Slots) const {
  using namespace semantics;
  for (; I != End; ++I) {
    double *Result = Slots + size_t(I->Result) * Lanes;
    const double *A = Slots + size_t(I->A) * Lanes,
                 *B = Slots + size_t(I->B) * Lanes;
    switch (I->Op) {
#define OPERATION(NAME, FUNCTION)                                              \
  case Opcode::NAME:                                                           \
    binary<Lanes>(Result, A, B, [](double X, double Y) { return FUNCTION; });  \
    break;
      OPERATION(Add, X + Y)
      OPERATION(Mul, mul(X, Y))
      OPERATION(PlainMul, X * Y)
      OPERATION(Div, div(X, Y))
      OPERATION(FloorDiv, floorDiv(X, Y))
      OPERATION(CeilDiv, ceilDiv(X, Y))
      OPERATION(FloorMul, floorOf(X * Y))
      OPERATION(CeilMul, ceilOf(X * Y))
      OPERATION(Mod, mod(X, Y))
      OPERATION(Min, min(X, Y))
      OPERATION(Max, max(X, Y))
      OPERATION(Less, less(X, Y))
      OPERATION(LessEqual, lessEqual(X, Y))
      OPERATION(Equal, equal(X, Y))
      OPERATION(NotEqual, notEqual(X, Y))
      OPERATION(BitAnd, bitAnd(X, Y))
      OPERATION(BitOr, bitOr(X, Y))
      OPERATION(BitXor, bitXor(X, Y))
      OPERATION(ShiftLeft, shiftLeft(X, Y))
#undef OPERATION
    case Opcode::FloorLog2:
      unary<Lanes>(Result, A, floorLog2);
      break;
    case Opcode::SquareRoot:
      unary<Lanes>(Result, A, squareRoot);
      break;
    case Opcode::Select: {
      const double *C = Slots + size_t(I->C) * Lanes;
      for (unsigned L = 0; L < Lanes; ++L)
        Result[L] = select(A[L], B[L], C[L]);
      break;
    }
    case Opcode::Sum:
      runSum<Lanes>(*I, Slots);
      I += I->Length;
      break;
    }
  }
}

void CompiledExprs::evaluate(llvm::ArrayRef<double> Inputs,
                             llvm::MutableArrayRef<double> Out) const {
  assert(Inputs.size() >= NumInputs && Out.size() >= Outputs.size());
  for (unsigned K : Used)
    Narrow[K] = Inputs[K];
  run<1>(Program.data(), Program.data() + Program.size(), Narrow.data());
  for (size_t K = 0; K < Outputs.size(); ++K)
    Out[K] = Narrow[Outputs[K]];
}

void CompiledExprs::evaluateMany(llvm::ArrayRef<double> Inputs,
                                 llvm::MutableArrayRef<double> Out,
                                 unsigned Width) const {
  assert(Inputs.size() >= size_t(NumInputs) * Width &&
         Out.size() >= Outputs.size() * Width);
  // Many programs are run for single bindings only.
  if (Wide.empty()) {
    Wide.resize(Narrow.size() * ChunkLanes);
    for (size_t Slot = 0; Slot < Narrow.size(); ++Slot)
      std::fill_n(Wide.begin() + Slot * ChunkLanes, ChunkLanes, Narrow[Slot]);
  }
  for (unsigned First = 0; First < Width; First += ChunkLanes) {
    // Unused lanes of a partial chunk compute on old values, which are ignored.
    unsigned Lanes = std::min(ChunkLanes, Width - First);
    for (unsigned K : Used)
      std::copy_n(Inputs.begin() + size_t(K) * Width + First, Lanes,
                  Wide.begin() + size_t(K) * ChunkLanes);
    run<ChunkLanes>(Program.data(), Program.data() + Program.size(),
                    Wide.data());
    for (size_t K = 0; K < Outputs.size(); ++K)
      std::copy_n(Wide.begin() + size_t(Outputs[K]) * ChunkLanes, Lanes,
                  Out.begin() + K * Width + First);
  }
}

} // namespace gpuestimate
