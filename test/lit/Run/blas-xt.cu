// cuBLASXt multiplies matrices in the host's memory; they are copied.
// RUN: %gpu-estimate run --no-cuda-sdk %s --gpu nvidia-a40 -- -lcublas | FileCheck %s
// CHECK: 19 22 43 50, block 512, no device 7
// CHECK: cublasSgemm
// CHECK: 3 {{.*}} [CUDA memcpy Host-to-Device]
#include <cstdio>
#include <cublasXt.h>

int main() {
  cublasXtHandle_t handle;
  cublasXtCreate(&handle);
  int first[] = {0}, absent[] = {1}, block;
  cublasXtDeviceSelect(handle, 1, first);
  cublasXtSetBlockDim(handle, 512);
  cublasXtGetBlockDim(handle, &block);
  float a[] = {1, 3, 2, 4}, b[] = {5, 7, 6, 8}, c[4], one = 1, zero = 0;
  cublasXtSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, 2, b, 2,
                &zero, c, 2);
  printf("%g %g %g %g, block %d, no device %d\n", c[0], c[2], c[1], c[3], block,
         cublasXtDeviceSelect(handle, 1, absent));
  cublasXtDestroy(handle);
}
