// A single launch with cold caches waits for code, arguments and translations;
// the same launch in a stream, warm, or with the term switched off does not.

// RUN: %analyze %s --gpu nvidia-rtx-3080 --ptxas off --caches cold | FileCheck %s --check-prefix=COLD
// COLD: 1.7 us launch
// COLD: where the time goes
// COLD: {{^ +cold }}

// RUN: %analyze %s --gpu nvidia-rtx-3080 --ptxas off --caches cold --without cold | FileCheck %s --check-prefix=OFF
// OFF: 1.09 us launch
// OFF-NOT: {{^ +cold }}

// RUN: %analyze %s --gpu nvidia-rtx-3080 --ptxas off --caches cold --timing back-to-back | FileCheck %s --check-prefix=STREAM
// STREAM: 2.02 us launch
// STREAM-NOT: {{^ +cold }}

// RUN: %analyze %s --gpu nvidia-rtx-3080 --ptxas off --timing single | FileCheck %s --check-prefix=WARM
// WARM: 1.09 us launch
// WARM-NOT: {{^ +cold }}

#include <cuda_runtime.h>

__global__ void addOne(float *p) { p[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

int main() {
  float *p;
  cudaMalloc(&p, 1024 * sizeof(float));
  addOne<<<4, 256>>>(p);
}
