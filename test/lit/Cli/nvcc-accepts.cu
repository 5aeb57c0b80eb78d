// What nvcc takes and clang does not on its own, with an SDK and with our headers.
// REQUIRES: nvcc
// RUN: %gpu-estimate analyze %s --gpu nvidia-a100-40gb-pcie --ptxas off | FileCheck %s
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie | FileCheck %s
// CHECK: old_style

#if __CUDACC__
extern "C" __global__ void old_style(float *a) {
  register int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
}
#endif
