// The same work given to threads in another way: offered where the changed
// kernel is faster, at the loop nest; silent where nothing is to be gained.

// RUN: %analyze %s --gpu nvidia-p100 --param n=2048 --format diagnostics --all-findings | FileCheck %s
// RUN: %analyze %s --gpu nvidia-p100 --param n=2048 --format diagnostics | FileCheck %s --check-prefix=NONE

// Neighbouring threads a row apart.
void rows(int n, const float *a, float *b) {
#pragma gpu_estimate kernel
  // CHECK: mapping.c:[[#@LINE+2]]:3: remark: neighbouring threads of 'rows' run along 'j', which scatters its accesses; predicted gain {{[1-9][0-9.]*}}% [-Wgpu-estimate-mapping]
  // CHECK-NEXT: note: let neighbouring threads run along 'i': grid(i, j)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      b[j * n + i] = 2 * a[j * n + i];
}

// Every row of a is loaded by all columns, every column of b by all rows.
void product(int n, const float *a, const float *b, float *c) {
#pragma gpu_estimate kernel
  // CHECK: mapping.c:[[#@LINE+2]]:3: remark: threads of 'product' that differ in '{{[ij]}}' load the same elements; predicted gain {{[1-9][0-9.]*}}% [-Wgpu-estimate-mapping]
  // CHECK-NEXT: note: let each thread do {{[248]}} times the work along '{{[ij]}}', in steps of a block, and load those elements once
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

// A block of two warps leaves most of the multiprocessor empty.
void narrow(int n, const float *a, float *b) {
#pragma gpu_estimate kernel block(32, 1)
  // CHECK: mapping.c:[[#@LINE+2]]:3: remark: 'narrow' runs in blocks of 32 threads; predicted gain {{[1-9][0-9.]*}}% [-Wgpu-estimate-mapping]
  // CHECK-NEXT: note: launch it in blocks of {{[0-9x]+}}: block({{[0-9]+, [0-9]+}})
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      b[i * n + j] = 2 * a[i * n + j];
}

void chain(int n, const float *a, float *b, float *c, float *d) {
#pragma gpu_estimate kernel name(first)
  for (int i = 0; i < n * n; i++)
    b[i] = 2 * a[i];
#pragma gpu_estimate kernel name(second)
  // CHECK: mapping.c:[[#@LINE+2]]:3: remark: 'second' has the same iterations as 'first' directly before it; predicted gain {{[1-9][0-9.]*}}% [-Wgpu-estimate-mapping]
  // CHECK-NEXT: note: do the work of both in one loop nest
  for (int i = 0; i < n * n; i++)
    c[i] = b[i] + a[i];
  // Neighbours' elements: the third cannot be done with the second.
#pragma gpu_estimate kernel name(third)
  // NONE-NOT: 'third' goes over
  for (int i = 0; i < n * n - 1; i++)
    d[i] = c[i + 1];
}

// Something happens between the two.
void apart(int n, const float *a, float *b, float *c) {
#pragma gpu_estimate kernel name(early)
  for (int i = 0; i < n * n; i++)
    b[i] = 2 * a[i];
  b[0] = 1;
#pragma gpu_estimate kernel name(late)
  // NONE-NOT: 'late' goes over
  for (int i = 0; i < n * n; i++)
    c[i] = b[i] + a[i];
}

// A stream in blocks of 256 has nothing to gain.
void stream(int n, const float *a, float *b) {
#pragma gpu_estimate kernel name(stream)
  // NONE-NOT: mapping.c:[[#@LINE+1]]:{{.*}}mapping
  for (int i = 0; i < n * n; i++)
    b[i] = 2 * a[i];
}
