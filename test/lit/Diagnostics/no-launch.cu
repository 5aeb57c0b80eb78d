// Kernels without a launch in the file have no time, as any grid would be
// invented: a remark for each kernel has the table and what settles it, and one
// names those beyond the fourth.
// REQUIRES: plugin

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics > %t.analyze
// RUN: FileCheck %s --input-file=%t.analyze --implicit-check-not=takes --implicit-check-not=gpu-estimate-time --implicit-check-not=gpu-estimate-launch --implicit-check-not=gpu-estimate-assumption
// RUN: %clang_cuda -fsyntax-only -fplugin=%plugin -fplugin-arg-gpu_estimate-gpu=nvidia-a100-40gb-pcie %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=takes --implicit-check-not=gpu-estimate-time --implicit-check-not=gpu-estimate-launch --implicit-check-not=gpu-estimate-assumption
// CHECK: no-launch.cu:[[#@LINE+18]]:17: remark: 'add' has no time on NVIDIA A100 PCIe 40 GB without the number of thread blocks; thread blocks = 32, 1 K, 32 K, 1 M: {{.*}} (block 256); settle with --block X --grid X [-Wgpu-estimate-time]
// CHECK: no-launch.cu:[[#@LINE+23]]:17: remark: 'rows' has no time {{.*}}[-Wgpu-estimate-time]
// CHECK: no-launch.cu:[[#@LINE+30]]:{{[0-9]+}}: remark: 'scale<{{float|int}}>' has no time {{.*}}; the slowest of 2 instantiations [-Wgpu-estimate-time]
// CHECK: no-launch.cu:[[#@LINE+36]]:17: remark: 'fourth' has no time {{.*}}[-Wgpu-estimate-time]
// CHECK: no-launch.cu:[[#@LINE+39]]:17: remark: no time either without their sizes: 'fifth', 'sixth'; 'gpu-estimate analyze' prints their tables [-Wgpu-estimate-time]
// What does not depend on the grid is said.
// CHECK: no-launch.cu:[[#@LINE+28]]:{{[0-9]+}}: remark: store to 'p' touches 32 sectors per request where 4 would do; predicted gain {{[1-9].*}}%, the most of 2 instantiations (for 1 M thread blocks) [-Wgpu-estimate-uncoalesced]

// With a launch they have a time.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics --grid 512 --block 64 --param n=1 | FileCheck %s --check-prefix=GRID --implicit-check-not="has no time"
// GRID: 'add' takes {{.*}} (grid 512, block 64 from command-line)

// Whoever asks gets the table of every kernel.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics --all-findings | FileCheck %s --check-prefix=ALL --implicit-check-not=takes --implicit-check-not="no time either"
// ALL: 'sixth' has no time

#include <cuda_runtime.h>

__global__ void add(const float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] += a[i];
}

// The trip count is data, and an assumption of each row of the table.
__global__ void rows(const int *start, float *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = start[row]; i < start[row + 1]; ++i)
    sum += 1.0f / i;
  y[row] = sum;
}

template <class T> __global__ void scale(T *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[32 * i] *= 2;
}
template __global__ void scale(float *);
template __global__ void scale(int *);

__global__ void fourth(float *p) {
  p[blockIdx.x * blockDim.x + threadIdx.x] = 4;
}

__global__ void fifth(float *p) {
  p[blockIdx.x * blockDim.x + threadIdx.x] = 5;
}

__global__ void sixth(float *p) {
  p[blockIdx.x * blockDim.x + threadIdx.x] = 6;
}
