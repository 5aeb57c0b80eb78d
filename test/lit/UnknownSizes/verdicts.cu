// Budgets and comparisons cannot tell without the size, and say what settles it;
// that is no failure.

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --budget scale=20us --budget tiny=1us --budget add=1s | FileCheck %s
// CHECK: warning: whether 'scale' keeps its budget of 20 us (from command-line) on NVIDIA A100 PCIe 40 GB cannot be told: its time depends on n, which is not known (no launch of the kernel was seen); settle with --block X --param n=VALUE; it is kept up to about n = {{[0-9.]+}} M
// CHECK: warning: whether 'tiny' {{.*}}; it is kept nowhere in the table, not with n = 1 K
// CHECK: warning: whether 'add' {{.*}}; it is kept up to the end of the table, n = 32 M
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --budget scale=20us --format json | FileCheck %s --check-prefix=JSON
// JSON: "budgets": [
// JSON: "exceeded": false,
// JSON-NEXT: "verdict": "cannot tell",
// JSON-NEXT: "reason": "its time depends on n,

// RUN: %gpu-estimate compare %s --gpu nvidia-a100-40gb-pcie --no-cuda-sdk > %t.compare; test $? = 3
// RUN: FileCheck %s --check-prefix=COMPARE --input-file=%t.compare
// COMPARE: no estimate for 'scale' {{.*}}: models cannot be compared: its time depends on n,

// RUN: rm -f %t.golden
// RUN: %gpu-estimate golden --update %t.golden %s --gpu nvidia-a100-40gb-pcie --no-cuda-sdk --ptxas off 2>&1 | FileCheck %s --check-prefix=GOLDEN
// GOLDEN: warning: 'add' ({{.*}}verdicts.cu) on nvidia-a100-40gb-pcie is not compared: its time depends on n,
// GOLDEN: 0 estimates
// RUN: %gpu-estimate golden --check %t.golden %s --gpu nvidia-a100-40gb-pcie --no-cuda-sdk --ptxas off | FileCheck %s --check-prefix=SAME
// SAME: 0 estimates, none changed
// RUN: %gpu-estimate golden --update %t.golden %s --gpu nvidia-a100-40gb-pcie --no-cuda-sdk --ptxas off --param n=1000 --block 64
// RUN: FileCheck %s --check-prefix=KNOWN --input-file=%t.golden
// KNOWN: verdicts.cu | add | 1 | nvidia-a100-40gb-pcie | 16 of 64 |

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format json -o %t.json
// RUN: %gpu-estimate diff %t.json %t.json 2>&1 | FileCheck %s --check-prefix=DIFF
// DIFF: is not compared
// DIFF: 0 estimates, none changed

#include <cuda_runtime.h>

__global__ void scale(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] *= 2;
}

__global__ void tiny(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = 2;
}

__global__ void add(float *p, const float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += q[i];
}
