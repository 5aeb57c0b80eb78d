// A 64-bit division is taken for one of small operands; the slow path of large ones
// is an assumption. One by a constant has no such path.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie | FileCheck %s

// CHECK: 'byConstant' takes
// CHECK-NOT: share of 64-bit divisions
__global__ void byConstant(long *x) { x[threadIdx.x] /= 10; }

// CHECK: 'quotients' takes
// CHECK: share of 64-bit divisions with an operand of more than 32 bits at wide-division.cu:[[#@LINE+3]] and 1 other place = 0
__global__ void quotients(const unsigned long *a, const long *b, long *q) {
  int i = threadIdx.x;
  q[i] = a[i] / a[i + 1];
  q[i + 256] = b[i] % b[i + 1];
}

int main() {
  long *x;
  cudaMalloc(&x, 4096);
  byConstant<<<1, 256>>>(x);
  quotients<<<1, 256>>>((unsigned long *)x, x, x);
}
