// A loop nest whose bounds are parameters of its function has a table, as a
// kernel has, and its function no total.

// RUN: %analyze %s --gpu nvidia-h200 | FileCheck %s
// CHECK: 'product' has no time {{.*}} without n; n = 256, 1 K, 4 K, 16 K: {{.*}} (m = 1 K); settle with --param n=VALUE --param m=VALUE
// CHECK: 16 K {{.*}} grid 512x512, block 32x32
// CHECK: 'eliminate' has no time {{.*}} without n;
// CHECK: 'k' of the host code = {{[0-9]+}}: the middle of what a host loop runs through
// CHECK: 'steps' has no time {{.*}} without n;
// CHECK-NOT: function '

// RUN: %analyze %s --gpu nvidia-h200 --param n=512 --param m=64 | FileCheck %s --check-prefix=KNOWN
// KNOWN: 'product' takes
// KNOWN: 'eliminate' takes
// KNOWN: 'steps' takes
// KNOWN: one launch is assumed: the trip counts of the loops around it are not known
// KNOWN: function 'product' takes

// RUN: %analyze %s --gpu nvidia-h200 --against cpu | FileCheck %s --check-prefix=AGAINST
// AGAINST: 'product' has no time
// AGAINST: the GPU pays; the GPU is faster from n = {{[0-9]+}} on (tried n = {{[0-9]+}} to 16384)

void product(int n, int m, const float *a, const float *b, float *c) {
#pragma gpu_estimate kernel block(32, 32)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < m; k++)
        sum += a[i * m + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

// Each iteration of the loop around the nest has a launch of another size: the
// table is of the middle one.
void eliminate(int n, float *a) {
  for (int k = 0; k < n - 1; k++) {
#pragma gpu_estimate kernel independent
    for (int i = k + 1; i < n; i++)
      for (int j = k + 1; j < n; j++)
        a[i * n + j] -= a[i * n + k] * a[k * n + j];
  }
}

void steps(int t, int n, const float *x, float *y) {
  for (int s = 0; s < t; s++) {
#pragma gpu_estimate kernel
    for (int i = 0; i < n; i++)
      y[i] = x[i] + 1;
  }
}
