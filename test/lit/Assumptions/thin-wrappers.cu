// Functions that only pass on what they get, as those of CuTe and CUTLASS do, cost
// the instructions that are left of them when each is simplified before it is
// inlined: 2^14 calls of size() are one constant, and an array that is reached
// through sixty wrappers stays in registers.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --ptxas off | FileCheck %s
template <int Depth> struct Shape {
  Shape<Depth - 1> Left, Right;
};
template <> struct Shape<0> {
  __device__ int extent() const { return 1; }
};

template <int Depth> __device__ int size(const Shape<Depth> &S) {
  if constexpr (Depth == 0)
    return S.extent();
  else
    return size<Depth - 1>(S.Left) + size<Depth - 1>(S.Right);
}

struct Fragment {
  float Values[16];
};

/// Four copies of a fragment at each level, which the optimiser removes.
template <int Depth>
__device__ Fragment scale(const Fragment &In, const float &By) {
  if constexpr (Depth == 0) {
    Fragment Out;
    for (int I = 0; I < 16; ++I)
      Out.Values[I] = In.Values[I] * By;
    return Out;
  } else {
    Fragment Copy = In;
    Fragment Scaled = scale<Depth - 1>(Copy, By);
    Fragment Other = Scaled;
    return Other;
  }
}

__global__ void wrapped(float *Out, float By) {
  Shape<14> S;
  Fragment F;
  for (int I = 0; I < 16; ++I)
    F.Values[I] = Out[I * 256 + threadIdx.x];
  F = scale<60>(F, By);
  F = scale<59>(F, By);
  for (int I = 0; I < 16; ++I)
    Out[I * 256 + threadIdx.x] = F.Values[I] * size<14>(S);
}

// CHECK-LABEL: 'wrapped' takes
// CHECK-NOT: too large to inline
// CHECK-NOT: local memory

void host(float *Out) { wrapped<<<1, 256>>>(Out, 2); }
