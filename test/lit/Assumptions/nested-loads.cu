// A condition whose operands load at a loaded index. A load in an address gets
// its name while the load around it is named.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --grid 1024 --block 256 | FileCheck %s
// CHECK-NOT: internal
// CHECK: 'nested' takes
__global__ void nested(int *__restrict__ ints, const float *__restrict__ reals,
                       float *__restrict__ out, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned at = (warpSize >> (blockIdx.x & 7)) + (88 & n);
  unsigned key = ints[at] * (n + blockIdx.x) +
                 (reals[i * m] < 1.56f ? ints[blockIdx.x]
                                       : ints[206 ^ blockDim.x ^ blockIdx.x]);
  if (key % (threadIdx.x | 1) < key)
    out[threadIdx.x] += m | key;
}
