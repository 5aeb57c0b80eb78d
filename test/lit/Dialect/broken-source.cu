// Errors that no repair settles are those of the source as it is written.
// RUN: not %analyze %s --gpu nvidia-h100-sxm 2>&1 | FileCheck %s

// CHECK: broken-source.cu:[[#@LINE+2]]:42: error: use of undeclared identifier 'missing'
// CHECK-NOT: gpu_estimate_
__global__ void k(float *p) { p[0] = 1 + missing; }
__global__ void aligned(float *p) {
  __shared__ alignas(128) float s[32];
  s[threadIdx.x] = p[threadIdx.x];
}
