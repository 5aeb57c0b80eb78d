// The interval of a time: from the error of the model where all is known, and
// from the range of what is assumed.

// RUN: %analyze %s --gpu nvidia-h200 --format diagnostics | FileCheck %s
// CHECK: 'known' takes [[#]]{{[0-9.]*}} us ([[#]]{{[0-9.]*}}-[[#]]{{[0-9.]*}} us) on NVIDIA H200
// A time that may be ten times as long is told as an interval first.
// CHECK: 'untilZero' takes {{[0-9.]+( .s)?-[0-9.]+ .s}} on NVIDIA H200{{.*}}, depending on trip count of the loop at interval.cu:[[#]] (settle with --param 'trip@{{.*}}=VALUE', or 'gpu-estimate run'); {{[0-9.]+ .s}} as assumed, bound by

// RUN: %analyze %s --gpu nvidia-h200 --format json > %t.80.json
// RUN: %analyze %s --gpu nvidia-h200 --interval 95% --format json > %t.95.json
// RUN: %analyze %s --gpu nvidia-h200 --model roofline --format json > %t.roofline.json
// RUN: python3 %S/Inputs/interval.py %t.80.json %t.95.json %t.roofline.json

// What decides whether a launch is over its budget. The budget lies in the
// interval of the time.
// RUN: python3 %S/Inputs/budget_rules.py %t.80.json %analyze %s --gpu nvidia-h200 --kernel known --format json

// RUN: not %analyze %s --interval 70% 2> %t.err
// RUN: FileCheck %s --check-prefix=LEVEL < %t.err
// LEVEL: --interval: expected 50%, 80%, 90% or 95%, got '70%'
// RUN: not %analyze %s --budget-when maybe 2> %t.err
// RUN: FileCheck %s --check-prefix=RULE < %t.err
// RULE: --budget-when: expected likely, sure or possible, got 'maybe'

__global__ void known(int n, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += 1;
}

__global__ void untilZero(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = i; x[k] != 0; k += 1000)
    for (int j = 0; j < 200; ++j)
      sum = sum * x[k] + j;
  y[i] = sum;
}

int main() {
  float *x, *y;
  cudaMalloc(&x, 1 << 28);
  cudaMalloc(&y, 1 << 28);
  known<<<1 << 16, 256>>>(1 << 24, x);
  untilZero<<<1 << 16, 256>>>(1 << 24, x, y);
}
