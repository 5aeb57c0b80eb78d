// Every loop that can be proven parallel, the outermost of each nest; a sum or
// a scan where nothing within is parallel.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --offload auto --param n=1024 | FileCheck %s

// Both loops of the first nest; of the second the inner one, in each step.
// CHECK: 'work.1' takes {{.*}} (grid 32x32, block 32x32
// CHECK: 'work.2' takes {{.*}} (grid 4, block 256
// CHECK: 'prefix' takes
// CHECK-NOT: 'smooth
// CHECK: function 'work' takes {{.*}} in 1.02 K launches
// CHECK-NEXT: 1 x work.1
// CHECK-NEXT: 1.02 K x work.2
void work(int n, float *restrict a, float *restrict b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * n + j] = 0;
  for (int i = 1; i < n; i++)
    for (int j = 0; j < n; j++)
      b[i * n + j] = b[(i - 1) * n + j] + a[j];
}

void prefix(int n, float *a) {
  for (int i = 1; i < n; i++)
    a[i] += a[i - 1];
}

void smooth(int n, float *a) {
  for (int i = 1; i < n; i++)
    a[i] = 0.5f * (a[i] + a[i - 1]);
}
