// A sequential loop around a nest repeats its launch; a function's nests add up.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie | FileCheck %s
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format json \
// RUN:   | FileCheck %s --check-prefix=JSON
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format json | %check_json
#include <stdlib.h>

static void relax(int steps, int n, float *a, float *b) {
  for (int t = 0; t < steps; t++) {
#pragma gpu_estimate kernel
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i * n + j] = a[i * n + j - 1] + a[i * n + j + 1];
#pragma gpu_estimate kernel
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i * n + j] = b[i * n + j];
  }
}

// Fewer columns in each step: a few of them stand for all.
static void shrink(int n, float *a) {
  for (int k = 0; k < n; k++) {
#pragma gpu_estimate kernel
    for (int j = k + 1; j < n; j++)
      a[k * n + j] = 1;
  }
}

int main(void) {
  int n = 1024;
  float *a = malloc(n * n * sizeof *a), *b = calloc(n * n, sizeof *b);
  relax(300, n, a, b);
  relax(200, n, a, b);
  shrink(n, a);
}

// CHECK: 'relax.1' takes {{.*}} (grid 32x32, block 32x32 from host-code)
// CHECK: arguments a = 1048576, b = 1048576, n = 1024
// CHECK: 'relax.2' takes
// What would help is looked for once, where the loop spends most of its time.
// CHECK: 'shrink' takes {{.*}} (grid 4, block 256
// CHECK-NOT: see the launch
// CHECK: 'shrink' takes {{.*}} (grid 2, block 256
// CHECK: advice: predicted gain of each change
// CHECK-NEXT: see the launch with grid 4, block 256, k = 170: the loop around it spends more time there
// CHECK: function 'relax' takes {{.*}} in 1 K launches
// CHECK-NEXT: 500 x relax.1
// CHECK-NEXT: 500 x relax.2
// CHECK: function 'shrink' takes {{.*}} in 1.02 K launches
// CHECK-NEXT: 1.02 K x shrink

// JSON: "function": "relax"
// JSON-NEXT: "repeats": 500
// JSON: "findings_at": {
// JSON-NEXT: "launch": {
// JSON-NEXT: "grid": [
// JSON-NEXT: 4,
// JSON: "findings": [],
// JSON: "functions": [
// JSON: "function": "relax"
// JSON: "launches": 1000
