// An annotation that says nothing is told at its place, with what was expected.

// RUN: %analyze %s --gpu nvidia-h200 --format diagnostics > %t.out 2> %t.err
// RUN: FileCheck %s < %t.out
// RUN: grep gpu-estimate-input %t.out | count 7
// RUN: FileCheck %s --check-prefix=CLANG < %t.err

#include <cuda_runtime.h>

// CHECK-DAG: wrong.cu:[[#@LINE+1]]:1: remark: no kernel, loop or 'if' follows this annotation [-Wgpu-estimate-input]
// gpu-estimate: grid=3
int unrelated;

#if 0
// gpu-estimate: grid=3
#endif

// CHECK-DAG: wrong.cu:[[#@LINE+1]]:3: remark: 'helper' is not a kernel [-Wgpu-estimate-input]
[[gpu_estimate::assume(n = 3)]] __device__ void helper(float *p) { *p = 1; }

// CLANG: wrong.cu:[[#@LINE+1]]:3: warning: 'gpu_estimate::budget' applies to kernels only and is ignored here
[[gpu_estimate::budget("1ms")]] int variable;

// CHECK-DAG: wrong.cu:[[#@LINE+1]]:3: remark: annotation ignored: expected a number, got 'MISSING': 'MISSING' is no constant
[[gpu_estimate::assume(n = MISSING)]] __global__ void constant(float *p, int n) {
  helper(p);
}

// CHECK-DAG: wrong.cu:[[#@LINE+1]]:1: remark: annotation ignored: 'buget' is no annotation; did you mean 'budget'?
// gpu-estimate: buget(1ms)
__global__ void word(float *p) {
  int i = threadIdx.x;
  // CHECK-DAG: wrong.cu:[[#@LINE+1]]:1: remark: annotation ignored: expected trip = VALUE of a loop, got 'trips = 4'; did you mean 'trip'?
  // gpu-estimate: trips = 4
  while (p[i] > 0)
    ++i;
  p[i] = 1;
}

// CHECK-DAG: wrong.cu:[[#@LINE+1]]:3: remark: annotation ignored: {{.*}}3 parsecs
[[gpu_estimate::budget("3 parsecs")]] __global__ void unit(float *p) { *p = 1; }

// CHECK-DAG: wrong.cu:[[#@LINE+1]]:3: remark: annotation ignored: unknown GPU 'nvidia-h2000'; did you mean 'nvidia-h200'
[[gpu_estimate::budget("3ms", "nvidia-h2000")]] __global__ void gpu(float *p) {
  *p = 1;
}
