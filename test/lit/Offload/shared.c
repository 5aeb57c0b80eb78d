// Tiles in shared memory: two patches for a product, of which each thread
// copies one element; SYRK reads one of its two along a column of the tile.
// RUN: %analyze %s --gpu nvidia-tegra-k1 --param n=1024 | FileCheck %s

// CHECK: 'gemm' takes
// CHECK: resources {{.*}} 8192 bytes of shared memory per block
// CHECK: barriers 2.1 M by warps
// CHECK-DAG: shared load tile of a 33.6 M 1 1
// CHECK-DAG: shared load tile of b 33.6 M 1 1
// CHECK-DAG: global load a 1.05 M
// CHECK-DAG: global load b 1.05 M
void gemm(int n, const float *a, const float *b, float *c) {
#pragma gpu_estimate kernel grid(j, i) block(32, 32) shared(a, b) tile(32)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

// CHECK: 'syrk' takes
// CHECK: resources {{.*}} 8192 bytes of shared memory per block
// CHECK: shared load tile of a 33.6 M 1 1
// CHECK: shared load tile of a 33.6 M {{16|32}} 1
void syrk(int n, const float *a, float *c) {
#pragma gpu_estimate kernel grid(j, i) block(32, 32) shared(a)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * a[j * n + k];
      c[i * n + j] = sum;
    }
}

// RUN: %analyze %s --gpu nvidia-tegra-k1 --format diagnostics \
// RUN:   | FileCheck %s --check-prefix=REFUSED

// REFUSED: no estimate for 'own': shared(a): every thread of a block reads elements of its own
void own(int n, const float *a, float *c) {
#pragma gpu_estimate kernel shared(a) grid(j, i) block(32, 32)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[(k * n + i) * n + j];
      c[i * n + j] = sum;
    }
}

// REFUSED: no estimate for 'missing': shared(x): no loop of the kernel reads it
void missing(int n, const float *a, float *c) {
#pragma gpu_estimate kernel shared(x)
  for (int i = 0; i < n; i++)
    c[i] = a[i];
}

// REFUSED: no estimate for 'wide': tile(16) differs from the block's 32 threads in x
void wide(int n, const float *a, float *c) {
#pragma gpu_estimate kernel block(32, 32) shared(a) tile(16)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i * n + j] = a[i];
}
