// bfloat16: native scalar and packed operations.
// RUN: %clang_cuda_device %s | FileCheck-19 %s
// RUN: %clang_cuda_host %s
#include <cuda_bf16.h>

// CHECK-LABEL: @brains(
extern "C" __global__ void brains(__nv_bfloat16 *b, __nv_bfloat162 *p, float f) {
  // CHECK: fmul {{.*}}bfloat
  b[0] = b[1] * b[2];
  // CHECK: @llvm.fma.bf16(
  b[1] = __hfma(b[3], b[4], b[5]);
  // CHECK: fptrunc float {{.*}} to bfloat
  b[2] = __float2bfloat16(f);
  // CHECK: fadd {{.*}}<2 x bfloat>
  p[0] = __hadd2(p[1], p[2]);
}

int main() { return (int)__bfloat162float(__float2bfloat16(2.0f)); }
