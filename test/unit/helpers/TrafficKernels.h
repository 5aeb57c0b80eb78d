/// \file
/// Small kernels whose traffic is known, and a short way to estimate it.
#ifndef GPU_ESTIMATE_TEST_UNIT_HELPERS_TRAFFICKERNELS_H
#define GPU_ESTIMATE_TEST_UNIT_HELPERS_TRAFFICKERNELS_H

#include "gpu-estimate/Evaluate/Cache/Traffic.h"
#include "helpers/TestKernel.h"

namespace gpuestimate::test {

inline TestKernel matmul() {
  TestKernel K;
  Expr N = K.parameter("n");
  int Loop = K.loop(-1, N);
  unsigned Body = K.block(Loop);
  K.access(Body, "A", (K.id('y') * N + K.counter(Loop)) * 4);
  K.access(Body, "B", (K.counter(Loop) * N + K.id()) * 4);
  K.access(K.block(-1), "C", (K.id('y') * N + K.id()) * 4, AccessKind::Store);
  return K;
}

inline TestKernel transpose() {
  TestKernel K;
  Expr N = K.parameter("n");
  unsigned B = K.block(-1);
  K.access(B, "in", (K.id('y') * N + K.id()) * 4);
  K.access(B, "out", (K.id() * N + K.id('y')) * 4, AccessKind::Store);
  return K;
}

/// Star of points around (x, y, z) on a grid of n by n by any.
inline TestKernel stencil(bool Marching) {
  TestKernel K;
  Expr N = K.parameter("n"), X = K.id() + 1, Y = K.id('y') + 1;
  int Loop = Marching ? K.loop(-1, K.parameter("nz") - 2) : -1;
  Expr Z = Marching ? K.counter(Loop) + 1 : K.number(0);
  unsigned B =
      K.block(Loop, K.context().less(X, N - 1) * K.context().less(Y, N - 1));
  auto at = [&](double Dx, double Dy, double Dz) {
    return (((Z + Dz) * N + (Y + Dy)) * N + (X + Dx)) * 4;
  };
  for (auto [Dx, Dy] : {std::pair(0, 0), {-1, 0}, {1, 0}, {0, -1}, {0, 1}})
    K.access(B, "in", at(Dx, Dy, 0));
  if (Marching) {
    K.access(B, "in", at(0, 0, -1));
    K.access(B, "in", at(0, 0, 1));
  }
  K.access(B, "out", at(0, 0, 0), AccessKind::Store);
  return K;
}

/// c[i] = a[Stride * i] + b[i] for i < n
inline TestKernel stream(double Stride = 1) {
  TestKernel K;
  unsigned B = K.block(-1, K.context().less(K.id(), K.parameter("n")));
  K.access(B, "a", K.id() * (4 * Stride));
  K.access(B, "b", K.id() * 4);
  K.access(B, "c", K.id() * 4, AccessKind::Store);
  return K;
}

/// out[i] = x[index[i]]
inline TestKernel gather() {
  TestKernel K;
  unsigned B = K.block(-1, K.context().less(K.id(), K.parameter("n")));
  unsigned Index = K.access(B, "index", K.id() * 4);
  unsigned X = K.access(B, "x", K.parameter("value@f.cu:1") * 4);
  K.access(B, "out", K.id() * 4, AccessKind::Store);
  Unknown U;
  U.Kind = Unknown::LoadedValue;
  U.Name = "value@f.cu:1";
  U.Location = {"f.cu", 1, 9};
  K.Model.Unknowns.push_back(U);
  K.Model.Accesses[Index].Location = U.Location;
  K.Model.Accesses[X].DataDependent = true;
  KernelArgument Argument;
  Argument.Name = "x";
  Argument.Kind = KernelArgument::Pointer;
  Argument.ElementBytes = 4;
  K.Model.Arguments.push_back(Argument);
  K.Model.Accesses[X].BaseArgument = 0;
  return K;
}

/// Each thread walks along a row of its own.
inline TestKernel rows() {
  TestKernel K;
  int Loop = K.loop(-1, K.parameter("m"));
  K.access(K.block(Loop), "a",
           (K.id() * K.parameter("m") + K.counter(Loop)) * 4);
  return K;
}

/// Every thread reads all of p.
inline TestKernel nbody() {
  TestKernel K;
  int Loop = K.loop(-1, K.parameter("n"));
  K.access(K.block(Loop), "p", K.counter(Loop) * 16, AccessKind::Load, 16);
  return K;
}

/// Each block reads m rows of its own, twice.
inline TestKernel twoPasses() {
  TestKernel K;
  for (int Pass = 0; Pass < 2; ++Pass) {
    int Loop = K.loop(-1, K.parameter("m"));
    K.access(K.block(Loop), "a",
             (K.bid() * K.parameter("m") + K.counter(Loop)) * 512 +
                 K.tid() * 4);
  }
  return K;
}

inline TestKernel gridStride() {
  TestKernel K;
  Expr Step = K.dim() * K.parameter("gridDim.x"), N = K.parameter("n");
  int Loop = K.loop(-1, K.context().ceilDiv(
                            K.context().max({N - K.id(), K.number(0)}), Step));
  K.access(K.block(Loop), "a", (K.id() + K.counter(Loop) * Step) * 4);
  return K;
}

inline Traffic estimate(const TestKernel &K, const GpuModel &G, const Launch &L,
                        const Bindings &V, const EvaluateOptions &O,
                        unsigned BlocksPerSm = 8) {
  return estimateTraffic(K.Model, G, L, V, sampleLaunch(K.Model, G, L, V),
                         BlocksPerSm, O);
}

inline EvaluateOptions caches(CacheState S) {
  EvaluateOptions O;
  O.Caches = S;
  return O;
}
inline const EvaluateOptions Cold = caches(CacheState::Cold),
                             Warm = caches(CacheState::Warm);

} // namespace gpuestimate::test

#endif
