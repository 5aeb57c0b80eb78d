// What each directive makes of a nest: its kernel, launch and where it stands.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --param n=1000 | FileCheck %s

// CHECK: 'named' takes {{.*}} (grid 32x32, block 32x32 from host-code)
void pragma(int n, float a[n][n]) {
#pragma gpu_estimate kernel name(named)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = 1;
}

// The first name is x.
// CHECK: 'columns' takes {{.*}} (grid 16x63, block 64x16 from host-code)
// CHECK: global store a 32 K 31.25 3.91
void columns(int n, float a[n][n]) {
#pragma gpu_estimate kernel grid(i, j) \
    block(64, 16)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = 1;
}

// One coordinate although both loops could be mapped.
// CHECK: 'one' takes {{.*}} (grid 4, block 256 from host-code)
void one(int n, float a[n][n]) {
#pragma gpu_estimate kernel grid(i)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = 1;
}

// CHECK: 'parallel_for' takes {{.*}} (grid 4, block 256 from host-code)
void parallel_for(int n, float *a) {
#pragma omp parallel for schedule(static) num_threads(8)
  for (int i = 0; i < n; i++)
    a[i] = 1;
}

// CHECK: 'target' takes {{.*}} (grid 32x32, block 32x32 from host-code)
void target(int n, float a[n][n]) {
#pragma omp target teams distribute parallel for collapse(2) map(from : a)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = 1;
}


// CHECK: 'acc' takes {{.*}} (grid 32x32x63, block 32x4x2 from host-code)
void acc(float (*a)[128][1024]) {
#pragma acc parallel loop collapse(3) copyout(a)
  for (int i = 0; i < 125; i++)
    for (int j = 0; j < 128; j++)
      for (int k = 0; k < 1024; k++)
        a[i][j][k] = 1;
}

// Not meant for many threads.
// CHECK-NOT: simd
void simd(int n, float *a) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    a[i] = 1;
}

// CHECK: function 'pragma' takes {{.*}} in 1 launch
