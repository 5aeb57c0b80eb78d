// Half precision: native scalar and packed operations.
// RUN: %clang_cuda_device %s | FileCheck-19 %s
// RUN: %clang_cuda_host %s
#include <cuda_fp16.h>

static_assert(sizeof(half) == 2 && sizeof(half2) == 4 && alignof(half2) == 4,
              "storage");

// CHECK-LABEL: @scalars(
extern "C" __global__ void scalars(half *h, float f) {
  // CHECK: fadd {{.*}}half
  h[0] = __hadd(h[1], h[2]);
  // CHECK: fmul {{.*}}half
  h[1] = h[3] * h[4];
  // CHECK: @llvm.fma.f16(
  h[2] = __hfma(h[5], h[6], h[7]);
  // CHECK: fptrunc float {{.*}} to half
  h[3] = __float2half(f);
  // CHECK: fcmp {{.*}}ogt half
  h[4] = __hgt(h[8], h[9]) ? h[8] : h[9];
  // CHECK: @llvm.maxnum.f16(
  h[5] = __hmax(h[10], h[11]);
  // CHECK: @__nv_fast_expf(
  h[6] = hexp(h[12]);
}

// CHECK-LABEL: @pairs(
extern "C" __global__ void pairs(half2 *h, float2 *f) {
  // CHECK: fadd {{.*}}<2 x half>
  h[0] = __hadd2(h[1], h[2]);
  // CHECK: @llvm.fma.v2f16(
  h[1] = __hfma2(h[3], h[4], h[5]);
  // CHECK: fpext half {{.*}} to float
  f[0] = __half22float2(h[6]);
  // CHECK: @llvm.nvvm.shfl.sync.bfly.i32(
  h[2] = __shfl_xor_sync(~0u, h[7], 1);
  // CHECK: atomicrmw fadd ptr {{.*}}, float
  atomicAdd(&h[8], h[9]);
}

int main() {
  half h = __float2half(1.5f);
  return (int)(__half2float(h) + (float)(h + h));
}
