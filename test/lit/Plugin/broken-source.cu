// An error in the source: clang's message alone, no estimate, no output.
// REQUIRES: plugin

// RUN: rm -f %t.s
// RUN: not %clang_cuda -fplugin=%plugin -fplugin-arg-gpu_estimate-gpu=nvidia-h200 --cuda-device-only -S %s -o %t.s 2>&1 | FileCheck %s
// RUN: not test -e %t.s

// CHECK-NOT: takes
// CHECK: broken-source.cu:[[#@LINE+3]]:34: error: expected expression
// CHECK-NOT: {{takes|gpu-estimate}}

__global__ void k(int *p) { *p = ; }
__global__ void whole(int *p) { *p = 1; }
