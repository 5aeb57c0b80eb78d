// The instantiations of a template are one finding, and one time: the slowest.

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics | FileCheck %s --implicit-check-not=takes --implicit-check-not=gpu-estimate-uncoalesced
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics --all-findings | grep -c "takes.*gpu-estimate-time" | grep -x 4
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format json | grep -c '"time_ms"' | grep -x 4

#include <cuda_runtime.h>

// CHECK-DAG: instantiations.cu:[[#@LINE+1]]:{{[0-9]+}}: remark: 'column<double>' takes {{.*}}; launched at instantiations.cu:[[#@LINE+13]]; the slowest of 3 instantiations [-Wgpu-estimate-time]
template <class T> __global__ void column(const T *in, T *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK-DAG: instantiations.cu:[[#@LINE+1]]:{{[0-9]+}}: remark: load from 'in' touches {{.*}}; predicted gain {{[1-9][0-9.]*}}%, the most of 3 instantiations [-Wgpu-estimate-uncoalesced]
  out[i] = in[i * 64];
}

// CHECK-DAG: instantiations.cu:[[#@LINE+1]]:{{[0-9]+}}: remark: 'plain' takes {{.*}}; launched at instantiations.cu:[[#@LINE+7]] [-Wgpu-estimate-time]
__global__ void plain(float *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

void host(float *f, double *d, int *i) {
  column<<<4096, 256>>>(f, f, 64);
  column<<<4096, 256>>>(i, i, 64);
  column<<<4096, 256>>>(d, d, 64);
  plain<<<4096, 256>>>(f);
}
