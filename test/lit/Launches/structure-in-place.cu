// Members of a structure that is made in the launch are known as those of a
// variable are.
// RUN: %analyze %s --gpu nvidia-h100-sxm | FileCheck %s

struct View {
  float *data;
  long stride;
  struct {
    int x, y;
  } size;
};

// CHECK: 'copy' takes
// CHECK: arguments {{ *}}n = 1048576
// CHECK: global load from.data {{ *}}32.8 K {{ *}}4 {{ *}}4
// CHECK-NOT: assumptions
__global__ void copy(View to, View from, long n) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i < n && i < from.size.x * to.size.y)
    to.data[i * to.stride] = from.data[i * from.stride];
}

int main() {
  float *a, *b;
  long n = 1 << 20;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  copy<<<n / 256, 256>>>(View{a, 1, {1024, 1024}}, {b, 1, {1024, 1024}}, n);
}
