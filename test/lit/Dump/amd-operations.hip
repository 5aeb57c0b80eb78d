// What AMD GPUs execute in place of one instruction of an NVIDIA GPU, as the IR
// lets expect it.
// RUN: %gpu-estimate analyze %s --gpu amd-mi210 --grid 1 --block 256 --machine-code off \
// RUN:   --dump kernel-model | FileCheck %s

#include <hip/hip_runtime.h>

// A power of full accuracy is a logarithm and an exponential in two words.
// CHECK-LABEL: kernel power
// CHECK: compare x23 chain 1
// CHECK: fp32_add x81 chain 44
// Both arrays take the scaled index.
// CHECK-NOT: int_mul
// CHECK: store_global
__global__ void power(float *a, const float *b) {
  unsigned i = threadIdx.x;
  a[i] = powf(a[i], b[i]);
}

// A division scales its operands and has no slow path.
// CHECK-LABEL: kernel divide
// CHECK: shift
// CHECK-NEXT: int_add x2 chain 2
// CHECK-NEXT: load_global
// CHECK-NEXT: int_add x2 chain 2
// CHECK-NEXT: load_global
// CHECK-NEXT: sfu
// CHECK-NEXT: fp32_mul x3 chain 2
// CHECK-NEXT: fp32_fma x7 chain 7
// CHECK-NEXT: store_global
__global__ void divide(float *a, const float *b) {
  unsigned i = threadIdx.x;
  a[i] = a[i] / b[i];
}
