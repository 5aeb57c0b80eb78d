// What nvcc takes and clang does not on its own, with an SDK and with our headers;
// calls as version 12 of the SDK has them.
// REQUIRES: nvcc
// RUN: %gpu-estimate analyze %s --gpu nvidia-a100-40gb-pcie --ptxas off | FileCheck %s
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie | FileCheck %s
// CHECK-DAG: 'old_style'
// CHECK-DAG: 'stream'

#if __CUDACC__
extern "C" __global__ void old_style(float *a) {
  register int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
}
#endif

extern "C" __global__ void stream(float *a, float4 *v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 x = __ldcs(v + i);
  __stcs(a + i, x.x + __ldcg(a + i));
}

bool host(float x) { return isfinite(x); }
void prefetch(float *a) {
  cudaMemAdvise(a, 4, cudaMemAdviseSetReadMostly, 0);
  cudaMemPrefetchAsync(a, 4, 0);
}
