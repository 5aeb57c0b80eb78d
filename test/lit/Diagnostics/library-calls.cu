// Calls of libraries without source are named once as not modelled; handles and
// plans are no work.

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics | FileCheck %s --implicit-check-not="not modelled"
// CHECK: library-calls.cu:[[#@LINE+18]]:{{[0-9]+}}: remark: calls of cuBLAS, cuFFT are not modelled here (cublasSgemm, cufftExecC2C); 'gpu-estimate run' predicts those of cuBLAS [-Wgpu-estimate-input]
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format json | FileCheck %s --check-prefix=JSON
// JSON: calls of cuBLAS, cuFFT are not modelled here

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cufft.h>

__global__ void own(float *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

void host(float *a, float *b, float *c, cufftComplex *z, int n) {
  own<<<1024, 256>>>(a);
  cublasHandle_t handle;
  cublasCreate(&handle);
  cufftHandle plan;
  cufftPlan1d(&plan, n, CUFFT_C2C, 1);
  float one = 1, zero = 0;
  for (int i = 0; i < 2; ++i)
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n,
                &zero, c, n);
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n,
              &zero, c, n);
  cufftExecC2C(plan, z, z, CUFFT_FORWARD);
  cufftDestroy(plan);
  cublasDestroy(handle);
}
