// A number by which sizes are shifted is a number of bits: what nobody gives is
// the logarithm of what a size is taken for, so that counts are finite.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie | FileCheck %s --implicit-check-not='no estimate'
// CHECK-DAG: 'alone' takes
// CHECK-DAG: argument bits = {{1?[0-9]}}: it is not known at compile time; values are shifted by it
// CHECK-DAG: 'launched' takes
// CHECK-DAG: 'bits' of the host code = 10: nothing in the file determines it; values are shifted by it
// Too many bits for any number: an error that says so.
// RUN: not %analyze %s --gpu nvidia-a100-40gb-pcie --kernel alone --param bits=5000 2>&1 | FileCheck %s --check-prefix=MANY --implicit-check-not=internal
// MANY: no estimate for 'alone' {{.*}}its time is not finite

#include <cuda_runtime.h>

__global__ void alone(float *x, int bits) {
  for (int stride = (1 << bits) >> 2; stride > 0; --stride)
    x[threadIdx.x + stride] += 1;
}

__global__ void launched(float *x, int bits) {
  for (int stride = (1 << bits) >> 2; stride > 0; --stride)
    x[threadIdx.x + stride] += 1;
}

void run(float *x, int bits) {
  launched<<<64, 128>>>(x, bits);
}
