// Under the SDK's headers a fetch of a texture is an instruction of PTX, and
// groups of several warps use shared memory that CUDA reserves.
// REQUIRES: nvcc, slow
// RUN: %gpu-estimate run %s --gpu nvidia-a40 | FileCheck %s
// CHECK: 49, sums 2016 6112
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <thrust/device_vector.h>

__global__ void fetch(float *out, cudaTextureObject_t texture) {
  out[threadIdx.x] = tex2D<float>(texture, threadIdx.x + .5f, .5f);
}

__global__ void sum(int *out) {
  namespace cg = cooperative_groups;
  __shared__ cg::block_tile_memory<128> memory;
  cg::thread_block block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<64>(block);
  int total = cg::reduce(tile, int(threadIdx.x), cg::plus<int>());
  if (tile.thread_rank() == 0)
    out[threadIdx.x / 64] = total;
}

int main() {
  float h[8];
  for (int i = 0; i < 8; i++)
    h[i] = i * i;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, 8, 1);
  cudaMemcpy2DToArray(array, 0, 0, h, 32, 32, 1, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &description, 0);
  thrust::device_vector<float> v(8);
  fetch<<<1, 8>>>(thrust::raw_pointer_cast(v.data()), texture);
  float last = v[7];
  int *p, sums[2];
  cudaMalloc(&p, 8);
  sum<<<1, 128>>>(p);
  cudaMemcpy(sums, p, 8, cudaMemcpyDeviceToHost);
  printf("%g, sums %d %d\n", last, sums[0], sums[1]);
}
