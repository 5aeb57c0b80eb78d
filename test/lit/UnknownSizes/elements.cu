// Without a launch the grid follows the argument that the kernel compares the
// index of its threads with, and the time is a table over that argument.

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie | FileCheck %s --implicit-check-not=takes
// CHECK: 'scale' has no time on NVIDIA A100 PCIe 40 GB without n; n = 1 K, 32 K, 1 M, 32 M: {{[0-9.]+ us, [0-9.]+ us, [0-9.]+ us, [0-9.]+ us}} (block 256); settle with --block X --param n=VALUE
// CHECK: time over n: no launch of the kernel was seen
// CHECK-NEXT: n time interval bound launch
// CHECK-NEXT: 1 K {{[0-9.]+}} us {{[0-9.]+-[0-9.]+}} us launch grid 4, block 256
// CHECK-NEXT: 32 K {{[0-9.]+}} us {{[0-9.]+-[0-9.]+}} us launch grid 128, block 256
// CHECK-NEXT: 1 M {{.*}} grid 4096, block 256
// CHECK-NEXT: 32 M {{[0-9.]+}} us {{[0-9.]+-[0-9.]+}} us dram-bandwidth grid 131072, block 256
// CHECK-NEXT: us for each 1 M of n at the far end: {{[0-9.]+}} us + {{[0-9.]+}} ps * n
// CHECK-NEXT: launch and latency decide below about n = {{[0-9]+}} K, throughput above
// CHECK-NEXT: not known either, and in the table: block 256
// CHECK-NEXT: settle with --block X --param n=VALUE
// CHECK-NEXT: or above the kernel with // gpu-estimate: block=X param n=VALUE
// CHECK: at n = 32 M, the last row, all that follows
// CHECK-NOT: argument n
// A thread has four elements, and rounds the number of them up.
// CHECK: 'four' has no time {{.*}} without p.count;
// CHECK: 1 M {{.*}} grid 1024, block 256
// A loop that strides over the grid has one iteration for each thread.
// CHECK: 'strided' has no time {{.*}} without n;
// CHECK: 1 M {{.*}} grid 4096, block 256
// Quadratic work has no time for each element.
// CHECK: 'pairs' has no time {{.*}} without n;
// CHECK: grows as n^{{(2|1.9[0-9]*|2.0[0-9]*)}} at the far end
// An argument that only strides over memory is no size.
// CHECK: 'column' has no time {{.*}} without n; {{.*}} (block 256);

// The grid is settled by the argument alone; then the block is what is left.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --kernel scale --param n=1000000 | FileCheck %s --check-prefix=BLOCK
// BLOCK: 'scale' has no time {{.*}} without the number of threads of a block; threads of a block = 64, 128, 256, 512, 1 K: {{[^(]*}}; settle with --block X
// BLOCK: 128 {{.*}} grid 7813, block 128
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --kernel scale --param n=1000000 --block 128 | FileCheck %s --check-prefix=TIME
// TIME: 'scale' takes {{.*}}(grid 7813, block 128 from command-line)

// JSON has no time, and the table.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format json -o %t.json && %check_json %t.json
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --kernel scale --format json | FileCheck %s --check-prefix=JSON
// JSON: "time_ms": null,
// JSON: "interval": null,
// JSON: "unknown": {
// JSON-NEXT: "name": "n",
// JSON-NEXT: "why": "no launch of the kernel was seen",
// JSON-NEXT: "settle": "--block X --param n=VALUE",
// JSON-NEXT: "others": {
// JSON-NEXT: "block": "256"
// JSON: "per_unit_ms": {{[0-9.]+}}e-09,
// JSON: "crossover":
// JSON: "curve": [
// JSON: "value": 1024,
// JSON-NEXT: "time_ms": 0.00{{[0-9]+}},
// JSON-NEXT: "low_ms": 0.00{{[0-9]+}},
// JSON-NEXT: "high_ms": 0.00{{[0-9]+}},
// JSON-NEXT: "bound": "launch"
// JSON: "execution_ms": null,

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --kernel scale --format html | FileCheck %s --check-prefix=HTML
// HTML: Time over n

// RUN: rm -rf %t && mkdir -p %t && cp %s %t/k.cu
// RUN: printf 'gpu: nvidia-a100-40gb-pcie\nkernels:\n  - kernel: scale\n    block: 512\n    param: {n: 1024}\n' > %t/.gpu-estimate.yaml
// RUN: %analyze %t/k.cu --kernel scale | FileCheck %s --check-prefix=CONFIG
// CONFIG: 'scale' takes {{.*}}(grid 2, block 512 from config)

#include <cuda_runtime.h>

__global__ void scale(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] *= 2;
}

struct Part {
  float *data;
  int count;
};

__global__ void four(Part p) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 3 < p.count)
    *reinterpret_cast<float4 *>(p.data + i) = float4{1, 2, 3, 4};
}

__global__ void strided(const float *x, float *y, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    y[i] = 2 * x[i];
}

__global__ void pairs(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int j = 0; j < n; ++j)
    sum += rsqrtf(fabsf(x[j] - x[i]) + 1);
  y[i] = sum;
}

__global__ void column(const float *x, float *y, int n, int pitch) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i * pitch];
}
