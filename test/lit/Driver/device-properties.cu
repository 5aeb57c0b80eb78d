// A launch that follows the device it runs on is that of the estimated GPU.

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --gpu nvidia-rtx-3090 | FileCheck %s
// An A100 has 108 multiprocessors, an RTX 3090 82 of 1536 threads.
// CHECK-NOT: multiProcessorCount
// CHECK-DAG: 'strided' takes {{.*}} on {{.*}}A100{{.*}} (grid 3456, block 256 from host-code)
// CHECK-DAG: 'strided' takes {{.*}} on {{.*}}3090{{.*}} (grid 2624, block 256 from host-code)
// CHECK-DAG: 'queried' takes {{.*}} on {{.*}}A100{{.*}} (grid 216, block 64 from host-code)
// CHECK-DAG: 'queried' takes {{.*}} on {{.*}}3090{{.*}} (grid 164, block 48 from host-code)

// What somebody says of the device is believed.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --kernel strided --param gpu.multiProcessorCount=10 | FileCheck %s --check-prefix=SAID
// SAID: 'strided' takes {{.*}} (grid 320, block 256 from host-code)

// The same through tune: the launch as written differs from GPU to GPU.
// RUN: %gpu-estimate tune %s --kernel strided --gpu nvidia-a100-40gb-pcie --gpu nvidia-rtx-3090 --block 128,256 --format json | tr -d ' \n' | FileCheck %s --check-prefix=TUNE
// TUNE-DAG: "block":[128,1,1],"grid":[6912,1,1]
// TUNE-DAG: "block":[128,1,1],"grid":[5248,1,1]

#include <cuda_runtime.h>

__global__ void strided(float *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    x[i] = 1.0f;
}

__global__ void queried(float *x) {
  x[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f;
}

int kept = 0;

void run(float *x, int device) {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, device);
  kept = properties.multiProcessorCount;
  strided<<<32 * properties.multiProcessorCount, 256>>>(x, 1 << 20);
  int processors = 0, threads = 0;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);
  queried<<<2 * processors, threads / 32>>>(x);
}

// A persistent kernel fills the device as far as it fits.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --kernel persistent --registers 64 | FileCheck %s --check-prefix=FITS
// FITS: 'persistent' takes {{.*}} (grid 432, block 256 from host-code)
// FITS-NOT: activeBlocks
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --kernel chosen --registers 64 | FileCheck %s --check-prefix=CHOSEN
// CHOSEN: 'chosen' takes {{.*}} (grid 108, block 1024 from host-code)
// Another kernel's answer is an assumption.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --kernel other --registers 64 | FileCheck %s --check-prefix=OTHER
// OTHER: 'other' takes {{.*}} (grid 864, block 256 from host-code)
// OTHER: 'gpu.activeBlocks(persistent)' of the host code = 8: asked for another kernel

__global__ void persistent(float *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    x[i] = 1.0f;
}
__global__ void chosen(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void other(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --kernel global | FileCheck %s --check-prefix=GLOBAL
// GLOBAL: 'global' takes {{.*}} (grid 324, block 128 from host-code)
__global__ void global(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

void fill(float *x) {
  global<<<3 * kept, 128>>>(x);
  int blocks, processors, threads = 256;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, persistent, threads, 0);
  persistent<<<blocks * processors, threads>>>(x, 1 << 24);
  other<<<blocks * processors, threads>>>(x);
  int least, best;
  cudaOccupancyMaxPotentialBlockSize(&least, &best, chosen);
  chosen<<<least, best>>>(x);
}
