// Launches in device code are listed with the sizes that the parent's arguments give
// them, and priced as launches; what they cost the parent is an assumption.
// RUN: %analyze %s --gpu nvidia-h100-sxm | FileCheck %s

// CHECK: 'child' takes {{.*}} (grid 64, block 256 from host-code)
// CHECK: from host-code at device-launch.cu:22
// CHECK: 'parent' takes {{.*}} (grid 64, block 32 from host-code)
// CHECK: launch of a kernel from device code at device-launch.cu:22 = 1
// CHECK: launch of a kernel from device code at device-launch.cu:23 = 1
// CHECK: 'detail::halves<float>' takes {{.*}} (grid 16x2, block 32x4 from host-code)
__global__ void child(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= 2;
}
namespace detail {
template <class T> __global__ void halves(T *x) { x[threadIdx.x] *= T(0.5); }
} // namespace detail

__global__ void parent(float *x, int n) {
  if (threadIdx.x == 0) {
    child<<<n / 256, 256>>>(x + blockIdx.x * n, n);
    detail::halves<float><<<dim3(16, 2), dim3(32, 4), 128>>>(x);
  }
}

int main() {
  float *x;
  int n = 1 << 14;
  cudaMalloc(&x, n * 64 * sizeof(float));
  parent<<<64, 32>>>(x, n);
}
