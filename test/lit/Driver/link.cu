// Device functions of other files are linked.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --grid 1024 --block 256 \
// RUN:   | FileCheck %s --check-prefix=APART
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --grid 1024 --block 256 --link %S/Inputs/linked.cu \
// RUN:   | FileCheck %s --check-prefix=LINKED
// RUN: not %analyze %s --gpu nvidia-a100-40gb-pcie --grid 1024 --block 256 --link %S/Inputs/nothing.cu 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MISSING
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --grid 1024 --block 256 --link %s \
// RUN:   | FileCheck %s --check-prefix=LINKED-ITSELF
__device__ double series(double x);

__global__ void apply(double *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = series(x[i]);
}
// APART: the call of {{.*}}series{{.*}} at link.cu:14
// LINKED: 'apply' takes
// LINKED-NOT: the call of
// MISSING: nothing.cu
// LINKED-ITSELF: the call of {{.*}}series
