// Atomics on the shared memory of another block of the cluster stay on the chip:
// they are shared memory's, not global memory's, and the way there is an assumption.
// RUN: %analyze %s --gpu nvidia-h100-sxm | FileCheck %s

// CHECK: 'histogram' takes
// CHECK: L2 <-> DRAM {{ *}}{{(6[78])}}.{{[0-9]*}} MB
// CHECK: global load x
// CHECK: shared atomic bins
// CHECK: distributed shared memory at distributed-shared.cu
#include <cooperative_groups.h>

__global__ void __cluster_dims__(4) histogram(const int *x, int *h, int n) {
  __shared__ int bins[1024];
  auto cluster = cooperative_groups::this_cluster();
  for (int i = threadIdx.x; i < 1024; i += blockDim.x)
    bins[i] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    int v = x[i] & 4095;
    atomicAdd(cluster.map_shared_rank(bins, v >> 10) + (v & 1023), 1);
  }
  cluster.sync();
  for (int i = threadIdx.x; i < 1024; i += blockDim.x)
    h[cluster.block_rank() * 1024 + i] += bins[i];
}

int main() {
  int *x, *h, n = 1 << 24;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&h, 4096 * sizeof(int));
  histogram<<<512, 256>>>(x, h, n);
}
