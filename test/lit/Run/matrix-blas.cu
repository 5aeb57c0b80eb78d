// cuBLAS's functions of symmetric, triangular and diagonal matrices against
// general products of whole matrices.
// RUN: %gpu-estimate run --no-cuda-sdk %s --gpu nvidia-a40 -- -lcublas | FileCheck %s
// CHECK: syrk 0, syr2k 0, symm 0, trmm 0, trmv 0, trsv 0, symv 0, dgmm 0
// CHECK: herk 0, trsm 0
// CHECK: cublasDsyrk
// CHECK-NOT: no model of cublasDsyrk
#include <cmath>
#include <complex>
#include <cstdio>
#include <cublas_v2.h>

constexpr int N = 3;
static double *a, *b, *c, *whole;

static double lower(int i, int j) { return i >= j ? a[i + j * N] : 0; }
static double symmetric(int i, int j) { return i >= j ? lower(i, j) : lower(j, i); }

/// Elements that differ from op(i, j).
template <class F> static int wrong(const double *of, int columns, F op, bool half = false) {
  int count = 0;
  for (int j = 0; j < columns; ++j)
    for (int i = half ? j : 0; i < N; ++i)
      count += std::fabs(of[i + j * N] - op(i, j)) > 1e-12;
  return count;
}

int main() {
  for (double **m : {&a, &b, &c, &whole})
    cudaMallocManaged(m, N * N * sizeof(double));
  auto reset = [] {
    for (int i = 0; i < N * N; ++i)
      a[i] = i % 4 + 1, b[i] = 5 - i * i % 7, c[i] = i;
  };
  auto sum = [](auto f) {
    double s = 0;
    for (int k = 0; k < N; ++k)
      s += f(k);
    return s;
  };
  auto at = [](const double *m, int i, int j) { return m[i + j * N]; };
  const double two = 2, one = 1, zero = 0;
  cublasHandle_t h;
  cublasCreate(&h);
  const auto L = CUBLAS_FILL_MODE_LOWER;

  reset();
  cublasDsyrk(h, L, CUBLAS_OP_N, N, N, &two, a, N, &one, c, N);
  int syrk = wrong(c, N, [&](int i, int j) {
    return i + j * N + 2 * sum([&](int k) { return at(a, i, k) * at(a, j, k); });
  }, true);
  reset();
  cublasDsyr2k(h, L, CUBLAS_OP_T, N, N, &one, a, N, b, N, &zero, c, N);
  int syr2k = wrong(c, N, [&](int i, int j) {
    return sum([&](int k) { return at(a, k, i) * at(b, k, j) + at(b, k, i) * at(a, k, j); });
  }, true);
  cublasDsymm(h, CUBLAS_SIDE_RIGHT, L, N, N, &one, a, N, b, N, &zero, c, N);
  int symm = wrong(c, N, [&](int i, int j) {
    return sum([&](int k) { return at(b, i, k) * symmetric(k, j); });
  });
  cublasDtrmm(h, CUBLAS_SIDE_LEFT, L, CUBLAS_OP_T, CUBLAS_DIAG_NON_UNIT, N, N,
              &two, a, N, b, N, c, N);
  int trmm = wrong(c, N, [&](int i, int j) {
    return 2 * sum([&](int k) { return lower(k, i) * at(b, k, j); });
  });
  reset();
  cublasDtrmv(h, L, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, N, a, N, c, 1);
  int trmv = wrong(c, 1, [&](int i, int) {
    return sum([&](int k) { return lower(i, k) * k; });
  });
  cublasDtrsv(h, L, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, N, a, N, c, 1);
  int trsv = wrong(c, 1, [&](int i, int) { return double(i); });
  cublasDsymv(h, L, N, &one, a, N, b, 1, &zero, c, 1);
  int symv = wrong(c, 1, [&](int i, int) {
    return sum([&](int k) { return symmetric(i, k) * b[k]; });
  });
  cublasDdgmm(h, CUBLAS_SIDE_RIGHT, N, N, a, N, b, -1, c, N);
  int dgmm = wrong(c, N, [&](int i, int j) { return at(a, i, j) * b[N - 1 - j]; });
  printf("syrk %d, syr2k %d, symm %d, trmm %d, trmv %d, trsv %d, symv %d, "
         "dgmm %d\n", syrk, syr2k, symm, trmm, trmv, trsv, symv, dgmm);

  using Complex = std::complex<double>;
  Complex *x, *y;
  cudaMallocManaged(&x, 4 * sizeof(Complex));
  cudaMallocManaged(&y, 4 * sizeof(Complex));
  x[0] = {1, 1}, x[1] = {2, -1}, x[2] = {0, 3}, x[3] = {1, 0};
  y[0] = y[1] = y[2] = y[3] = 0;
  cublasZherk(h, L, CUBLAS_OP_N, 2, 2, &one, (cuDoubleComplex *)x, 2, &zero,
              (cuDoubleComplex *)y, 2);
  Complex expected = x[1] * std::conj(x[0]) + x[3] * std::conj(x[2]);
  int herk = std::abs(y[1] - expected) > 1e-12;
  const cuDoubleComplex unit = {1, 0};
  y[0] = x[0] * Complex(3, 1), y[1] = x[1] * Complex(3, 1) + x[3] * Complex(0, 2);
  cublasZtrsm(h, CUBLAS_SIDE_LEFT, L, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 2, 1,
              &unit, (cuDoubleComplex *)x, 2, (cuDoubleComplex *)y, 2);
  int trsm = std::abs(y[0] - Complex(3, 1)) + std::abs(y[1] - Complex(0, 2)) > 1e-12;
  printf("herk %d, trsm %d\n", herk, trsm);
}
