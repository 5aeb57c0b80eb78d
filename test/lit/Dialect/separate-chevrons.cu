// nvcc takes the chevrons of a launch with blanks between them, as formatters of C++
// without CUDA write them. Clang reads a shift.
// RUN: %analyze %s --gpu nvidia-h100-sxm | FileCheck %s

// CHECK: 'fill' takes {{.*}} (grid 4, block 256 from host-code)
// CHECK: 'fill' takes {{.*}} (grid 8x8, block 128 from host-code)
// CHECK: 'set<3>' takes {{.*}} (grid 2, block 64 from host-code)
// CHECK-NOT: unresolved
__global__ void fill(int *p, int n) { p[blockIdx.x * blockDim.x + threadIdx.x] = n; }
template <int N> __global__ void set(int *p) { p[threadIdx.x] = N; }

int main() {
  int *p;
  cudaMalloc(&p, 1 << 20);
  fill << <4, 256 >> > (p, 3);
  fill<< <dim3(8, (16 >> 1)), 1024 >> 3>> >(p, 1 << 2);
  set<3> << < 2, 64 >> >
      (p);
}
