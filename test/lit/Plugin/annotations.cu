// The plugin reads attributes as analyze does, and they change no code.
// REQUIRES: plugin

// DEFINE: %{with} = -fplugin=%plugin -fplugin-arg-gpu_estimate-gpu=nvidia-h200
// DEFINE: %{quiet} = -Wno-unknown-cuda-version
// RUN: rm -rf %t && mkdir -p %t && cd %t

// The same numbers.
// RUN: %clang_cuda %{with} %{quiet} -fplugin-arg-gpu_estimate-json=plugin.json --cuda-device-only -S %s -o with.s 2>&1 | FileCheck %s
// RUN: %analyze %s --gpu nvidia-h200 --format json > analyze.json 2> analyze.err; test $? -eq 1
// RUN: grep -E '"(time_ms|budget_ms|source|n)"' plugin.json > a
// RUN: grep -E '"(time_ms|budget_ms|source|n)"' analyze.json > b
// RUN: test -s a && cmp a b
// CHECK-NOT: unknown attribute
// CHECK: annotations.cu:[[#@LINE+24]]:17: remark: 'k' takes {{.*}}(grid 4096, block 256 from annotation)
// CHECK: annotations.cu:[[#@LINE+23]]:17: warning: 'k' takes {{.*}}over its budget of 1 us (from annotation)

// The same code with the plugin, without it, and without the attributes.
// RUN: %clang_cuda --cuda-device-only -S -Wno-unknown-attributes %s -o without.s
// RUN: %clang_cuda --cuda-device-only -S -DPLAIN %s -o plain.s
// RUN: cmp with.s without.s && cmp with.s plain.s
// RUN: %clang_cuda %{with} --cuda-host-only -c -O2 %s -o with.o 2>&1 | FileCheck %s --check-prefix=HOST
// HOST-NOT: unknown attribute
// RUN: %clang_cuda --cuda-host-only -c -O2 -DPLAIN %s -o plain.o
// RUN: cmp with.o plain.o

// Statements have none.
// RUN: not %clang_cuda %{with} -fsyntax-only -DSTATEMENT %s 2>&1 | FileCheck %s --check-prefix=STATEMENT
// STATEMENT: error: 'assume' attribute cannot be applied to a statement

#define SIZE (1 << 20)
#ifndef PLAIN
[[gpu_estimate::assume(n = SIZE), gpu_estimate::launch(grid = SIZE / 256, block = 256)]]
[[gpu_estimate::budget("1us")]]
#else


#endif
__global__ void k(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef STATEMENT
  [[gpu_estimate::assume(n = 3)]]
#endif
  if (i < n)
    p[i] += 1;
}
