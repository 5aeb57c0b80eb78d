// Kernels without a launch in the file have no time, as any grid would be
// invented: one remark names them and what settles it.

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics | FileCheck %s --implicit-check-not=takes --implicit-check-not="no launch" --implicit-check-not=gpu-estimate-launch
// CHECK: no-launch.cu:[[#@LINE+15]]:17: remark: no launch was found of 'add' ({{[0-9.]+ us}} + {{[0-9.]+ us}} for each 1000 blocks of 256 threads on NVIDIA A100 PCIe 40 GB), 'rows', 'scale' (2 instantiations), so there is no time; give --grid X[,Y[,Z]] and --block, or execute the program with 'gpu-estimate run' [-Wgpu-estimate-time]
// What does not depend on the grid is said.
// CHECK: no-launch.cu:[[#@LINE+29]]:{{[0-9]+}}: remark: store to 'p' touches 32 sectors per request where 4 would do; predicted gain {{[1-9].*}}%, the most of 2 instantiations (for an assumed launch) [-Wgpu-estimate-uncoalesced]

// With a launch they have a time.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics --grid 512 | FileCheck %s --check-prefix=GRID --implicit-check-not="no launch"
// GRID: 'add' takes {{.*}} (grid 512, block 256 from command-line)

// Whoever asks gets the time of an assumed launch, and JSON has it.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics --all-findings | FileCheck %s --check-prefix=ALL --implicit-check-not="no launch was found"
// ALL: 'add' takes {{.*}} (grid 1024, block 256 from default)
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format json | grep -c '"time_ms"' | grep -x 4

#include <cuda_runtime.h>

__global__ void add(const float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] += a[i];
}

// The trip count moves the time as well, so that no line is given.
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
