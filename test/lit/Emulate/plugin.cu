// As plugin arguments: the value is in the JSON file.
// REQUIRES: plugin

// RUN: python3 %S/Inputs/make_rows.py %t 128 3 9
// RUN: %clang_cuda --cuda-device-only -S %s -o %t/out.s -Wno-everything \
// RUN:   -fplugin=%plugin -fplugin-arg-gpu_estimate-gpu=nvidia-h200 \
// RUN:   -fplugin-arg-gpu_estimate-grid=2 -fplugin-arg-gpu_estimate-block=64 \
// RUN:   -fplugin-arg-gpu_estimate-emulate \
// RUN:   -fplugin-arg-gpu_estimate-buffer=start=%t/rows.npy \
// RUN:   -fplugin-arg-gpu_estimate-json=%t/out.json
// RUN: FileCheck %s < %t/out.json

// Three of four warps have rows of 3, the fourth of 9.
// CHECK: "what": "trip count of the loop at plugin.cu:[[#@LINE+6]]"
// CHECK-NEXT: "value": 4.5
// CHECK-NEXT: "why": "mean of 4 warps emulated with start = {{.*}}rows.npy"
__global__ void sums(const int *start, const float *x, float *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = start[row]; i < start[row + 1]; ++i)
    sum += x[i];
  y[row] = sum;
}
