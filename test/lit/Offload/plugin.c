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
// CHECK: plugin.c:[[@LINE+4]]:3: remark: 'scale' takes {{.*}} [-Wgpu-estimate-time]
// CHECK: note: assumed 'n' of the host code = 1048576
void scale(int n, const float *a, float *b) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    b[i] = 2 * a[i];
}

// CHECK: plugin.c:[[@LINE+3]]:3: remark: 'shift' takes {{.*}} (grid 4, block 256 from host-code) [-Wgpu-estimate-time]
static void shift(float *a) {
#pragma gpu_estimate kernel independent
  for (int i = 0; i < 1000; i++)
    a[i] += 1;
}

void start(float *a) { shift(a); }
