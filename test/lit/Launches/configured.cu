// Launches by cudaLaunchKernelEx and cudaLaunchKernelExC: sizes are those of the
// configuration at the call, and the call changes no argument.
// RUN: %analyze %s --gpu nvidia-h100-sxm | FileCheck %s

// CHECK: 'scale' takes {{.*}} (grid 4096, block 256 from host-code)
// CHECK: 32 bytes of dynamic shared memory; from host-code at configured.cu:
// CHECK-NEXT: arguments {{ *}}n = 1048576, x = 1048576
// CHECK: 'scale' takes {{.*}} (grid 8192, block 128 from host-code)
// CHECK: arguments {{ *}}n = 1048576, x = 1048576
// CHECK: 'add' takes {{.*}} (grid 32x16, block 8x8x2 from host-code)
// CHECK-NOT: assumptions
__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= 2;
}
__global__ void add(float *x) { x[blockIdx.x * 128 + threadIdx.x] += 1; }

int main() {
  float *x;
  int n = 1 << 20;
  cudaMalloc(&x, n * sizeof(float));
  cudaLaunchConfig_t config = {};
  config.gridDim = n / 256;
  config.blockDim = 256;
  config.dynamicSmemBytes = 32;
  cudaLaunchAttribute attributes[1];
  attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[0].val.programmaticStreamSerializationAllowed = 1;
  config.attrs = attributes;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, scale, x, n);
  config.gridDim.x = n / 128;
  config.blockDim = dim3(128, 1, 1);
  cudaLaunchKernelEx(&config, scale, x, n);
  cudaLaunchConfig_t other{dim3(32, 16), dim3(8, 8, 2)};
  void *arguments[] = {&x};
  cudaLaunchKernelExC(&other, (const void *)add, arguments);
}
