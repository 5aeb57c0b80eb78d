// A number by which sizes are shifted is a number of bits: a table over it has
// logarithms of sizes, so that counts are finite.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie | FileCheck %s --implicit-check-not='no estimate'
// CHECK-DAG: 'alone' has no time {{.*}} without bits; bits = 8, 10, 12, 14: {{.*}}thread blocks = 1 K
// CHECK-DAG: 'launched' has no time {{.*}} without bits; bits = 8, 10, 12, 14:
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
