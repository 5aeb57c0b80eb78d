// Through the plugin: remarks at the loops, the same object, also under
// -fopenmp, whose loops the compiler has made calls of its library of.
// REQUIRES: plugin

// DEFINE: %{with} = -fplugin=%plugin -fplugin-arg-gpu_estimate-gpu=nvidia-h200
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %clang -x c -O2 -g -c %s -o a.o
// RUN: %clang -x c -O2 -g -Wall -Wno-source-uses-openmp %{with} -c %s -o b.o 2> serial.txt
// RUN: cmp a.o b.o
// RUN: FileCheck %s --input-file serial.txt
// RUN: %clang -x c -O2 -fopenmp -c %s -o c.o
// RUN: %clang -x c -O2 -fopenmp %{with} -c %s -o d.o 2> openmp.txt
// RUN: cmp c.o d.o
// RUN: FileCheck %s --input-file openmp.txt
// RUN: not cmp a.o c.o

// CHECK-NOT: unknown pragma
// CHECK-DAG: plugin.c:[[@LINE+3]]:3: remark: 'scale' has no time on {{.*}} without n; n = 1 K, {{.*}} settle with --param n=VALUE [-Wgpu-estimate-time]
void scale(int n, const float *a, float *b) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    b[i] = 2 * a[i];
}

// CHECK-DAG: plugin.c:[[@LINE+3]]:3: remark: 'shift' takes {{.*}} (grid 4, block 256 from host-code) [-Wgpu-estimate-time]
static void shift(float *a) {
#pragma gpu_estimate kernel independent
  for (int i = 0; i < 1000; i++)
    a[i] += 1;
}

void start(float *a) { shift(a); }
