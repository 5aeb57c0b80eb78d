// A pointer to a device function in a __device__ variable: the host reads it and
// hands it to a kernel; a kernel reads a table of them.
// RUN: %gpu-estimate run --no-cuda-sdk %s --gpu nvidia-a40 | FileCheck %s
// CHECK: 14 49, table 14 49
#include <cstdio>

typedef int (*Function)(int);
__device__ int twice(int x) { return 2 * x; }
__device__ int square(int x) { return x * x; }
__device__ Function pTwice = twice, pSquare = square;
__device__ Function table[2] = {twice, square};

__global__ void apply(int *p, Function f) { *p = f(7); }
__global__ void applyTable(int *p) { p[threadIdx.x] = table[threadIdx.x](7); }

int main() {
  Function f[2];
  cudaMemcpyFromSymbol(&f[0], pTwice, sizeof(Function));
  cudaMemcpyFromSymbol(&f[1], pSquare, sizeof(Function));
  int *p, single[2], both[2];
  cudaMalloc(&p, 8);
  for (int i = 0; i < 2; ++i) {
    apply<<<1, 1>>>(p, f[i]);
    cudaMemcpy(&single[i], p, 4, cudaMemcpyDeviceToHost);
  }
  applyTable<<<1, 2>>>(p);
  cudaMemcpy(both, p, 8, cudaMemcpyDeviceToHost);
  printf("%d %d, table %d %d\n", single[0], single[1], both[0], both[1]);
}
