// A wrapper launches the kernel that its caller passes, with the caller's sizes.
// RUN: %analyze %s --gpu nvidia-h100-sxm | FileCheck %s

// CHECK: 'fill' takes {{.*}} (grid 16, block 64 from host-code)
// CHECK: 'scale<1024>' takes {{.*}} (grid 4096, block 1024 from host-code)
template <int Block> __global__ void scale(float *x, int n) {
  int i = blockIdx.x * Block + threadIdx.x;
  if (i < n)
    x[i] *= 2;
}
__global__ void fill(float *x, float v) { x[threadIdx.x] = v; }

struct Sizes {
  dim3 grid, block;
  size_t shared;
};
template <class... P, class... A>
void launch(void (*kernel)(P...), const Sizes &s, A... a) {
  kernel<<<s.grid, s.block, s.shared>>>(a...);
}
template <class F, class... A> void launchDefault(F *kernel, A... a) {
  launch(kernel, Sizes{dim3(16), 64, 0}, a...);
}

int main() {
  float *x;
  int n = 1 << 22;
  cudaMalloc(&x, n * sizeof(float));
  launch(scale<1024>, Sizes{dim3(n / 1024), dim3(1024), 0}, x, n);
  launchDefault(fill, x, 1.f);
}
