// cuComplex arithmetic and the libraries' prototypes.
// RUN: %clang_cuda_device %s | FileCheck-19 %s
// RUN: %clang_cuda_host %s
#include <cuComplex.h>
#include <cublas_v2.h>
#include <cufft.h>
#include <curand.h>

// CHECK-LABEL: @rotate(
extern "C" __global__ void rotate(cuComplex *c, cuDoubleComplex *d) {
  // CHECK-COUNT-2: fmul {{.*}}float
  c[0] = cuCmulf(c[1], make_cuComplex(0.0f, c[2].x));
  // The SDK's cuCabs divides and takes a root, too.
  // CHECK: fdiv {{.*}}double
  // CHECK: @__nv_sqrt(
  d[0] = make_cuDoubleComplex(cuCabs(d[1]), cuCreal(d[2]));
}

int main() {
  cufftHandle plan;
  cufftPlan1d(&plan, 1024, CUFFT_C2C, 1);
  cufftComplex *signal = nullptr;
  cufftExecC2C(plan, signal, signal, CUFFT_FORWARD);
  cublasHandle_t blas;
  cublasCreate(&blas);
  float alpha = 1, *m = nullptr;
  cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_T, 8, 8, 8, &alpha, m, 8, m, 8,
              &alpha, m, 8);
  return 0;
}
