// Points of a table have intervals; what makes them wide is said.

// RUN: %analyze %s --gpu nvidia-h200 | FileCheck %s
// CHECK: 'walk' has no time {{.*}} without n;
// The launch itself takes its time, whatever the loop does.
// CHECK: n time interval bound launch
// CHECK: 1 K {{[0-9.]+}} us {{[1-9][0-9.]*-[0-9.]+}} us latency grid 4, block 256
// CHECK: 1 M {{[0-9.]+}} {{[mu]?s}} {{.*-.*}} grid 4096, block 256
// CHECK: intervals are wide, depending on trip count of the loop at wide-intervals.cu:[[@LINE+9]] (settle with --param 'trip@walk{{.*}}=VALUE'

#include <cuda_runtime.h>

__global__ void walk(const int *next, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int steps = 0;
  for (int at = i; at >= 0; at = next[at])
    ++steps;
  out[i] = steps;
}
