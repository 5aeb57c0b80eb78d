// A launch that would draw more than the limit of the board gets the clock to
// which the driver lowers it, and one below the limit gets nothing.

// RUN: %analyze %s --gpu nvidia-v100 --set power.limit=100W --format diagnostics | FileCheck %s
// RUN: %analyze %s --gpu nvidia-v100 --format diagnostics | FileCheck %s --check-prefix=WITHIN
// RUN: %analyze %s --gpu nvidia-gtx-480 --set power.limit=100W --format diagnostics | FileCheck %s --check-prefix=WITHIN
// RUN: %analyze %s --gpu nvidia-v100 --set power.limit=100W --no-warning energy --format diagnostics | FileCheck %s --check-prefix=WITHIN

#include <cuda_runtime.h>

// WITHIN-NOT: gpu-estimate-energy

// CHECK: energy.cu:[[#@LINE+1]]:{{[0-9]+}}: remark: 'multiply' would draw {{1[0-9]+}} W of 100 W: the clock falls to {{.*}}Hz, where it takes {{.*}}; most of it is {{.*}}% [-Wgpu-estimate-energy]
__global__ void multiply(float *out, int n) {
  float a = threadIdx.x, b = a + 1, c = a + 2, d = a + 3;
  for (int k = 0; k < n; ++k) {
    a = a * a + b;
    b = b * b + c;
    c = c * c + d;
    d = d * d + a;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = a + b + c + d;
}

void host(float *out) { multiply<<<4096, 256>>>(out, 10000); }
