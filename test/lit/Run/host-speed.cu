// A host that is a hundred times as fast works for a hundredth of the time.
// RUN: %gpu-estimate run %s --gpu nvidia-v100 --no-cuda-sdk --format json -o %t.same > /dev/null
// RUN: %gpu-estimate run %s --gpu nvidia-v100 --no-cuda-sdk --host-speed 100 --format json -o %t.faster > /dev/null
// RUN: python3 -c "import json, sys; a, b = (json.load(open(f))['totals']['wall_ms'] for f in sys.argv[1:]); print('faster' if b < a / 5 else (a, b))" %t.same %t.faster | FileCheck %s
// CHECK: faster
#include <cuda_runtime.h>

__global__ void fill(float *x) { x[threadIdx.x] = 1; }

int main() {
  float *x;
  cudaMalloc(&x, 1024);
  volatile double sum = 0;
  for (int i = 0; i < 30'000'000; ++i)
    sum = sum + 1;
  fill<<<1, 256>>>(x);
  return cudaDeviceSynchronize();
}
