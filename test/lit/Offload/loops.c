// Forms of loops, and of what they use.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --param n=1000 | FileCheck %s
#include <math.h>
#include <stdlib.h>

// Half of the threads of a triangle have work (small enough to be enumerated).
// CHECK: 'triangle' takes {{.*}} (grid 2x2, block 32x32 from host-code)
// CHECK: global stores 96 requests
void triangle(float a[64][64]) {
#pragma gpu_estimate kernel
  for (int i = 0; i < 64; i++)
    for (int j = i; j < 64; j++)
      a[i][j] = 1;
}

// CHECK: 'down' takes {{.*}} (grid 2, block 256 from host-code)
// CHECK: global stores 16 requests 125 sectors
void down(int n, float *a) {
#pragma gpu_estimate kernel
  for (int i = n - 1; i >= 0; i -= 2)
    a[i] = 1;
}

// CHECK: 'unequal' takes {{.*}} (grid 4, block 256 from host-code)
// CHECK: global stores 32 requests 125 sectors
void unequal(int n, float *a) {
#pragma gpu_estimate kernel
  for (unsigned i = 0; i != n; ++i)
    a[i] = 1;
}

// CHECK: 'unequal_down' takes {{.*}} (grid 4, block 256 from host-code)
// CHECK: global stores 3{{[0-9]}} requests 125 sectors
void unequal_down(int n, float *a) {
#pragma gpu_estimate kernel
  for (int i = n; i != 0; i--)
    a[i - 1] = 1;
}

// Two counters, one of them declared long before.
// CHECK: 'backwards' takes {{.*}} (grid 4, block 256 from host-code)
// CHECK: global loads 32 requests 1{{[0-9][0-9]}} sectors
void backwards(int n, const float *a, float *b) {
  int i, j;
#pragma gpu_estimate kernel
  for (i = 0, j = n - 1; i < n; i++, j--)
    b[i] = a[j];
}

// A step that is a variable.
// CHECK: 'steps' takes {{.*}} (grid 1, block 256 from host-code)
void steps(int n, int step, float *a) {
  step = 5;
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i += step)
    a[i] = 1;
}

// Calls are part of the body; the library's functions are the device's.
static float square(float x) { return x * x; }
// CHECK: 'calls' takes
// CHECK-NOT: assumptions
// CHECK: 'members' takes {{.*}} (grid 4, block 256 from host-code)
void calls(int n, float *a) {
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++)
    a[i] = square(a[i]) + sinf(a[i]);
}

struct fields {
  int n;
  float *x, *y;
};
// CHECK: global load f.y 32
void members(int n, struct fields f) {
  f.n = n;
#pragma gpu_estimate kernel
  for (int i = 0; i < f.n; i++)
    f.x[i] = f.y[i];
}

// Arrays of the function: one of run-time size, and one of each iteration.
// CHECK: 'arrays' takes {{.*}} (grid 32x32, block 32x32 from host-code)
// CHECK: global store b
void arrays(int n) {
  float b[n][n];
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int t[2] = {i, j};
      b[i][j] = t[0] + t[1];
    }
}

// CHECK: 'globals' takes {{.*}} (grid 16, block 256 from host-code)
// CHECK: arguments table = 4096
static const int size = 4096;
static float table[4096];
void globals(void) {
#pragma gpu_estimate kernel
  for (int i = 0; i < size; i++)
    table[i] += 1;
}

// CHECK: 'gather' takes
// CHECK: global load x *
void gather(int n, const int *index, const float *x, float *y) {
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++)
    y[i] = x[index[i]];
}
