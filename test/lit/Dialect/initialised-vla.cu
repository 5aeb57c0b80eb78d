// g++ takes an initialiser of an array of variable length in host code.
// RUN: %analyze %s --gpu nvidia-h100-sxm | FileCheck %s

// CHECK: 'twice' takes
// CHECK-SAME: grid 4, block 64 from host-code
__global__ void twice(float *p) { p[blockIdx.x * 64 + threadIdx.x] *= 2; }

size_t sizes(int n) {
  size_t count[n] = {0}, offset[n][2] = {{1, 2}};
  return count[0] + offset[0][1];
}
int main() {
  float *p;
  cudaMalloc(&p, 1024);
  twice<<<4, 64>>>(p);
  return sizes(3);
}
