// cuBLAS's first interface, without handles: options are characters, scalars
// values, and results are returned.
// RUN: %gpu-estimate run --no-cuda-sdk %s --gpu nvidia-a40 -- -lcublas | FileCheck %s
// CHECK: product 19 43 22 50
// CHECK: axpy 21, scal 42, dot 441, sum 42, largest 2, norm 5
// CHECK: solved 19 43
// CHECK: status 0, then not 0
// CHECK: cublasSgemm
#include <cstdio>
#include <cublas.h>

int main() {
  float *a, *b, *c;
  double *x;
  const float A[] = {1, 3, 2, 4}, B[] = {5, 7, 6, 8};
  const double X[] = {3, -4};
  cublasInit();
  cublasAlloc(4, sizeof(float), (void **)&a);
  cublasAlloc(4, sizeof(float), (void **)&b);
  cublasAlloc(4, sizeof(float), (void **)&c);
  cublasAlloc(2, sizeof(double), (void **)&x);
  cublasSetMatrix(2, 2, sizeof(float), A, 2, a, 2);
  cublasSetMatrix(2, 2, sizeof(float), B, 2, b, 2);
  cublasSetVector(2, sizeof(double), X, 1, x, 1);

  float result[4], one[1];
  cublasSgemm('N', 'n', 2, 2, 2, 1, a, 2, b, 2, 0, c, 2);
  cublasGetMatrix(2, 2, sizeof(float), c, 2, result, 2);
  printf("product %g %g %g %g\n", result[0], result[1], result[2], result[3]);

  cublasSaxpy(1, 2, a, 1, c, 1);
  cublasGetVector(1, sizeof(float), c, 1, one, 1);
  float axpy = one[0];
  float dot = cublasSdot(1, c, 1, c, 1);
  cublasSscal(1, 2, c, 1);
  cublasGetVector(1, sizeof(float), c, 1, one, 1);
  printf("axpy %g, scal %g, dot %g, sum %g, largest %d, norm %g\n", axpy, one[0],
         dot, cublasSasum(1, c, 1), cublasIdamax(2, x, 1), cublasDnrm2(2, x, 1));

  // The lower triangle times the first column, and back.
  cublasSetVector(4, sizeof(float), result, 1, c, 1);
  cublasStrmm('L', 'L', 'N', 'N', 2, 1, 1, a, 2, c, 2);
  cublasStrsm('L', 'L', 'N', 'N', 2, 1, 1, a, 2, c, 2);
  cublasGetVector(2, sizeof(float), c, 1, result, 1);
  printf("solved %g %g\n", result[0], result[1]);

  cublasStatus first = cublasGetError();
  cublasShutdown();
  cublasSscal(1, 2, c, 1);
  printf("status %d, then %s\n", first, cublasGetError() ? "not 0" : "0");
  cublasFree(a);
}
