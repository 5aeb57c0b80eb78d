#include <cstdio>
#include <cuda_runtime.h>

__global__ void addOne(int *values) {
  values[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

int main() {
  int *values;
  cudaMallocManaged(&values, 1024 * sizeof(int));
  addOne<<<4, 256>>>(values);
  addOne<<<4, 256>>>(values);
  cudaDeviceSynchronize();
  printf("%d\n", values[1023]);
}
