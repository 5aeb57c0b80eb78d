// A point of a chart is what analyze says of the same launch: the distances of
// the pointers follow n, whatever n the charts are about.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --charts %t > /dev/null
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --param n=16777216 --format json -o %t/n.json
// RUN: python3 %S/Inputs/chart_point.py %t/*by-parameter-1.svg n 16777216 %t/n.json | FileCheck %s
// CHECK: the chart and the analysis agree

__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

void launch(int n) {
  float *p;
  cudaMalloc(&p, 3 * n * sizeof(float));
  add<<<(n + 255) / 256, 256>>>(p, p + n / 64, p + n, n);
}
