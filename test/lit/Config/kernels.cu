// Entries about kernels: all that match hold, of one setting the first; the
// command line goes before them, what holds for the whole file after.

// RUN: rm -rf %t && mkdir -p %t/src && cp %s %t/src/k.cu
// RUN: printf 'gpu: nvidia-h200\nregisters: 50\nparam: {n: 1000}\nkernels:\n' > %t/.gpu-estimate.yaml
// RUN: printf '  - {kernel: "ad.*", grid: 7, registers: 40, param: {n: 1 << 10}}\n' >> %t/.gpu-estimate.yaml
// RUN: printf '  - {kernel: add, grid: 8, block: [16, 4], file: src/*.cu}\n' >> %t/.gpu-estimate.yaml
// RUN: printf '  - {kernel: add, block: 32, file: other.cu}\n' >> %t/.gpu-estimate.yaml
// RUN: printf '  - {kernel: scale, no-warning: [time, launch], caches: cold}\n' >> %t/.gpu-estimate.yaml
// RUN: %analyze %t/src/k.cu | FileCheck %s
// CHECK: 'add' takes {{.*}}(grid 7, block 16x4 from config)
// CHECK: caches warm
// CHECK: arguments {{.*}}n = 1024
// CHECK: 40 registers per thread (config)
// CHECK: 'scale' takes {{.*}}(grid 3, block 64 from host-code)
// CHECK: caches cold
// CHECK: arguments {{.*}}n = 1000
// CHECK: 50 registers per thread (config)

// RUN: %analyze %t/src/k.cu --format diagnostics | FileCheck %s --check-prefix=SILENT
// SILENT: 'add' takes
// SILENT-NOT: 'scale' takes

// RUN: %analyze %t/src/k.cu --grid 5 --registers 60 --param n=2000 --kernel add | FileCheck %s --check-prefix=LINE
// LINE: 'add' takes {{.*}}(grid 5, block 16x4 from command-line)
// LINE: arguments {{.*}}n = 2000
// LINE: 60 registers per thread (command-line)

#include <cuda_runtime.h>

__global__ void add(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += 1;
}

__global__ void scale(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] *= 2;
}

void host(float *p, int n) {
  add<<<3, 64>>>(p, n);
  scale<<<3, 64>>>(p, n);
}
