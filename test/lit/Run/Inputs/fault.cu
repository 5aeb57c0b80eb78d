#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void shift(int *values, int distance) {
  values[threadIdx.x + distance] = threadIdx.x;
}

__global__ void check(const int *values) {
  assert(values[threadIdx.x] == int(threadIdx.x));
}

__global__ void spin(volatile int *flag) {
  while (*flag == 0)
    ;
}

__global__ void reverse(int *values) {
  __shared__ int tile[256];
  tile[threadIdx.x] = values[threadIdx.x];
  values[threadIdx.x] = tile[255 - threadIdx.x];
}

int main(int, char **arguments) {
  int *values;
  cudaMalloc(&values, 1024 * sizeof(int));
  int what = std::atoi(arguments[1]);
  if (what == 0)
    shift<<<1, 256>>>(values, 100000);
  else if (what == 1)
    check<<<1, 64>>>(values);
  else if (what == 2)
    spin<<<1, 1>>>(values);
  else if (what == 3)
    reverse<<<1, 256>>>(values);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
