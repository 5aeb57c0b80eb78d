#include <cstdio>
#include <cublas_v2.h>

int main() {
  const int n = 1 << 25;
  float *x, sums[3];
  cudaMallocManaged(&x, n * sizeof(float));
  for (int i = 0; i < n; ++i)
    x[i] = 1;
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasSnrm2(handle, n, x, 1, &sums[0]);
  cublasSasum(handle, n, x, 1, &sums[1]);
  cublasSdot(handle, n, x, 1, x, 1, &sums[2]);
  printf("%.2f %.0f %.0f\n", sums[0], sums[1], sums[2]);
  x[0] = 1e30f;
  cublasSnrm2(handle, n, x, 1, &sums[0]);
  printf("%g\n", sums[0]);
}
