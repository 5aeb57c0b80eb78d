// Loops whose iterations build on each other through one operator.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --param n=1048576 | FileCheck %s

// Two barriers for each of 32768 warps, a word for each block.
// CHECK: 'prefix' takes {{.*}} (grid 4096, block 256 from host-code)
// CHECK: arguments look_back = 4096, n = 1048576, s = 0
// CHECK: barriers 65.5 K by warps
// CHECK-DAG: global load x 32.8 K
// CHECK-DAG: global store look_back 8.19 K
// CHECK-DAG: global store y 32.8 K
// CHECK: taken for granted
// CHECK-NEXT: scan by '+' over 'i', update of 's': blocks look back at what the 32 before them have found, once
float prefix(int n, const float *restrict x, float *restrict y) {
  float s = 0;
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++) {
    s += x[i];
    y[i] = s;
  }
  return s;
}

// The element before the first is read once.
// CHECK: 'in_memory' takes
// CHECK: global load a 1 1
// CHECK: scan by '+' over 'i', update of 'a'
void in_memory(int n, const float *restrict x, float *restrict a) {
#pragma gpu_estimate kernel
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1] + x[i];
}

// CHECK: 'in_place' takes
// CHECK: scan by '*' over 'i', update of 'a'
void in_place(int n, double *a) {
#pragma gpu_estimate kernel
  for (int i = 1; i < n; i++)
    a[i] *= a[i - 1];
}

// What came before the own part.
// CHECK: 'exclusive' takes
// CHECK: scan by '+' over 'i', update of 's'
void exclusive(int n, const int *restrict x, int *restrict y) {
  int s = 0;
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++) {
    y[i] = s;
    s += x[i];
  }
}

// Where an element goes depends on how many went before.
// CHECK: 'compact' takes
// CHECK: do not depend on each other in another way: the index of 'y' depends on the course of earlier iterations
// CHECK: scan by '+' over 'i', update of 'k'
int compact(int n, const float *restrict x, float *restrict y) {
  int k = 0;
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      y[k++] = x[i];
  return k;
}

// CHECK: 'envelope' takes
// CHECK: scan by 'max' over 'i', update of 'm'
void envelope(int n, const float *restrict x, float *restrict y) {
  float m = x[0];
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++) {
    if (x[i] > m)
      m = x[i];
    y[i] = m;
  }
}
