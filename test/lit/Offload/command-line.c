// Loops without a directive, by function, line, counter.
// RUN: not %analyze %s --gpu nvidia-a100-40gb-pcie 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: command-line.c: no loop is marked for a GPU: write '#pragma gpu_estimate kernel' before a loop nest, or pass --offload FUNCTION[:LOOP] or --offload auto

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --offload fill --param n=1000 | FileCheck %s --check-prefix=NAMED
// NAMED: 'fill.1' takes {{.*}} (grid 4, block 256
// NAMED: 'fill.2' takes {{.*}} (grid 32x32, block 32x32

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --offload fill:j --param n=1000 | FileCheck %s --check-prefix=COUNTER
// COUNTER: 'fill' takes {{.*}} (grid 32x32, block 32x32

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --offload fill:26 --param n=1000 --block 128 | FileCheck %s --check-prefix=LINE
// LINE: 'fill' takes {{.*}} (grid 8, block 128

// RUN: not %analyze %s --gpu nvidia-a100-40gb-pcie --offload fil 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: --offload fil: the file has no function of this name; did you mean 'fill'?
// RUN: not %analyze %s --gpu nvidia-a100-40gb-pcie --offload fill:z 2>&1 | FileCheck %s --check-prefix=NOLOOP
// NOLOOP: --offload fill:z: the function has no such 'for' loop
// RUN: not %analyze %s --gpu nvidia-a100-40gb-pcie --offload : 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: --offload: expected FUNCTION, FUNCTION:LOOP or auto, got ':'




void fill(int n, float *a, float *b) {
  for (int i = 0; i < n; i++)
    a[i] = 1;
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++)
      b[j * n + k] = 1;
}
