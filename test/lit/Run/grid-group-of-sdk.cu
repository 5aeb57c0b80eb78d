// The SDK's cooperative groups synchronise a grid through memory that the
// driver has for it, and find it by registers of the environment.
// REQUIRES: nvcc
// RUN: %gpu-estimate run %s --gpu nvidia-a40 | FileCheck %s
// CHECK: valid 1 0, wrong 0
#include <cooperative_groups.h>
#include <cub/version.cuh> // which the headers of gpu-estimate lack
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void rotate(int *data, int *valid) {
  cg::grid_group grid = cg::this_grid();
  if (grid.thread_rank() == 0)
    *valid = grid.is_valid();
  if (!grid.is_valid())
    return;
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  for (int turn = 0; turn < 5; ++turn) {
    int next = data[(i + 1) % n];
    grid.sync();
    data[i] = next;
    grid.sync();
  }
}

int main() {
  constexpr int Blocks = 6, Threads = 64, N = Blocks * Threads;
  int *data, *valid;
  cudaMallocManaged(&data, N * sizeof(int));
  cudaMallocManaged(&valid, 2 * sizeof(int));
  for (int i = 0; i < N; ++i)
    data[i] = i;
  void *arguments[] = {&data, &valid};
  cudaLaunchCooperativeKernel((void *)rotate, dim3(Blocks), dim3(Threads),
                              arguments, 0, 0);
  rotate<<<1, 32>>>(data, valid + 1);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < N; ++i)
    wrong += data[i] != (i + 5) % N;
  printf("valid %d %d, wrong %d\n", valid[0], valid[1], wrong);
}
