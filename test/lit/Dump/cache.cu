// Decisions of the cache model, with the lines of the accesses. The warps of a
// block share y[k] in L1; x is larger than L2, so that a launch leaves nothing
// to the next one.
// RUN: %gpu-estimate analyze %s --no-cuda-sdk --ptxas off --gpu nvidia-a100-40gb-pcie \
// RUN:   --grid 65536 --block 256 --param n=16777216 --kernel scale --dump cache | FileCheck %s
// RUN: %gpu-estimate analyze %s --no-cuda-sdk --ptxas off --gpu nvidia-a100-40gb-pcie \
// RUN:   --grid 1024 --block 256 --param n=262144 --kernel gather --dump cache | FileCheck %s --check-prefix=RANDOM
// A trace takes the place of the closed form where the sets are known.
// RUN: %gpu-estimate analyze %s --no-cuda-sdk --ptxas off --gpu nvidia-v100 \
// RUN:   --grid 1024 --block 256 --param n=262144 --kernel gather --cache-model set-associative \
// RUN:   --dump cache | FileCheck %s --check-prefix=TRACED

__global__ void scale(float *x, const float *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < 64; ++k)
    sum += y[k * 4096];
  x[i] *= sum;
}

__global__ void gather(float *x, const float *__restrict__ y, const int *index, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = y[index[i]];
}

// CHECK: kernel scale at cache.cu:13 on nvidia-a100-40gb-pcie
// CHECK-NEXT: launch: 65536 of 65536 blocks make requests, 8 on each of 108 multiprocessors at a time
// CHECK: L1: {{.*}} beside the shared memory
// CHECK: L1 cache.cu:19 load y: layer conditions, blocks reach the caches at random; {{.*}} requested
// CHECK: L1 cache.cu:19 load y: other warps and members in one iteration: {{.*}} between uses, {{.*}} held: hits 1
// CHECK: L1 cache.cu:19 load y: fetches
// CHECK: L1 cache.cu:20 store x: bypasses L1
// CHECK: L2 cache.cu:19 load y: layer conditions, blocks in lockstep for the first wave (0.0132 of the blocks), staggered for the others
// CHECK: L2 cache.cu:19 load y: after 864 thread blocks: {{.*}} hits 1
// CHECK: L2 cache.cu:20 {{.*}} x: previous launch: 67.{{.*}} of a launch, 35.5 MB held: hits 0 of 67.1 MB

// RANDOM: L1 cache.cu:26 load y: random indices, presence by the capacity left
// RANDOM: L1 cache.cu:26 load y: {{.*}} of the cache left for {{.*}} of lines: hits

// TRACED: L1 cache.cu:26 load {{.*}} traced through its sets instead: misses
