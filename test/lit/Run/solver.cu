// cuSOLVER's dense interface against the definitions: what is factorised is
// multiplied together again.
// REQUIRES: lapack
// RUN: %gpu-estimate run --no-cuda-sdk %s --gpu nvidia-a40 -- -lcusolver | FileCheck %s
// CHECK: cholesky 1, inverse 1, lu 1, without pivots 1, qr 1
// CHECK: eigenvalues 1, complex 1, general 1, batched 1
// CHECK: singular values 1, jacobi 1
// CHECK: 64 bits 1, singular 2, wrong 3
// CHECK: cusolverDnDsyevd takes no time on the GPU: there is no model of it
#include <cmath>
#include <complex>
#include <cstdio>
#include <cusolverDn.h>
#include <vector>

template <class T> struct Device {
  T *p;
  int n;
  explicit Device(int n) : n(n) { cudaMalloc(&p, n * sizeof(T)); }
  explicit Device(const std::vector<T> &v) : Device(int(v.size())) {
    cudaMemcpy(p, v.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  }
  std::vector<T> get() const {
    std::vector<T> v(n);
    cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
    return v;
  }
};

using Matrix = std::vector<double>; // by columns

static Matrix product(const Matrix &a, const Matrix &b, int m, int k, int n,
                      bool ta = false, bool tb = false) {
  Matrix c(m * n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      for (int l = 0; l < k; ++l)
        c[i + j * m] +=
            (ta ? a[l + i * k] : a[i + l * m]) * (tb ? b[j + l * n] : b[l + j * k]);
  return c;
}

static bool near(const Matrix &a, const Matrix &b, double by = 1e-9) {
  bool is = a.size() == b.size();
  for (size_t i = 0; is && i < a.size(); ++i)
    is = std::fabs(a[i] - b[i]) < by;
  return is;
}

int main() {
  constexpr int N = 4, M = 6;
  Matrix g(M * N), a, x = {1, -2, 3, 4};
  for (int i = 0; i < M * N; ++i)
    g[i] = (i * 7 % 11) / 4.0 - 1;
  a = product(g, g, N, M, N, true); // positive definite
  Matrix b = product(a, x, N, N, 1), unit(N * N);
  for (int i = 0; i < N; ++i)
    unit[i * (N + 1)] = 1;

  cusolverDnHandle_t h;
  cusolverDnCreate(&h);
  Device<int> info(1), pivots(N);
  Device<double> work(4096), w(N), tau(N);
  int size = 0;

  Device<double> c(a), r(b), inverse(a);
  cusolverDnDpotrf_bufferSize(h, CUBLAS_FILL_MODE_LOWER, N, c.p, N, &size);
  cusolverDnDpotrf(h, CUBLAS_FILL_MODE_LOWER, N, c.p, N, work.p, size, info.p);
  cusolverDnDpotrs(h, CUBLAS_FILL_MODE_LOWER, N, 1, c.p, N, r.p, N, info.p);
  bool cholesky = size > 0 && info.get()[0] == 0 && near(r.get(), x);
  cusolverDnDpotri(h, CUBLAS_FILL_MODE_LOWER, N, c.p, N, work.p, size, info.p);
  Matrix i = c.get();
  for (int col = 1; col < N; ++col)
    for (int row = 0; row < col; ++row)
      i[row + col * N] = i[col + row * N];
  bool inverted = near(product(a, i, N, N, N), unit);

  Device<double> lu(a), s(b);
  cusolverDnDgetrf(h, N, N, lu.p, N, work.p, pivots.p, info.p);
  cusolverDnDgetrs(h, CUBLAS_OP_T, N, 1, lu.p, N, pivots.p, s.p, N, info.p);
  Device<double> plain(a), t(b);
  cusolverDnDgetrf(h, N, N, plain.p, N, work.p, nullptr, info.p);
  cusolverDnDgetrs(h, CUBLAS_OP_N, N, 1, plain.p, N, nullptr, t.p, N, info.p);

  Device<double> qr(g);
  cusolverDnDgeqrf(h, M, N, qr.p, M, tau.p, work.p, 4096, info.p);
  Matrix upper(N * N), packed = qr.get();
  for (int col = 0; col < N; ++col)
    for (int row = 0; row <= col; ++row)
      upper[row + col * N] = packed[row + col * M];
  Device<double> moved(g);
  cusolverDnDormqr(h, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, M, N, N, qr.p, M, tau.p,
                   moved.p, M, work.p, 4096, info.p);
  Matrix top(N * N), whole = moved.get();
  for (int col = 0; col < N; ++col)
    for (int row = 0; row < N; ++row)
      top[row + col * N] = whole[row + col * M];
  cusolverDnDorgqr(h, M, N, N, qr.p, M, tau.p, work.p, 4096, info.p);
  bool isQr = near(product(qr.get(), upper, M, N, N), g) && near(top, upper);
  printf("cholesky %d, inverse %d, lu %d, without pivots %d, qr %d\n", cholesky,
         inverted, near(s.get(), x), near(t.get(), x), isQr);

  auto diagonal = [&](const Matrix &v) {
    Matrix d(N * N);
    for (int k = 0; k < N; ++k)
      d[k * (N + 1)] = v[k];
    return d;
  };
  Device<double> v(a);
  cusolverDnDsyevd(h, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, N, v.p,
                   N, w.p, work.p, 4096, info.p);
  Matrix e = v.get(), values = w.get();
  bool eigen = near(product(product(e, diagonal(values), N, N, N), e, N, N, N,
                            false, true), a) && values[0] <= values[1];
  using Complex = std::complex<double>;
  Device<Complex> z(std::vector<Complex>{2, Complex(0, -1), Complex(0, 1), 2});
  Device<double> zw(2);
  Device<cuDoubleComplex> zwork(256);
  cusolverDnZheevd(h, CUSOLVER_EIG_MODE_NOVECTOR, CUBLAS_FILL_MODE_LOWER, 2,
                   (cuDoubleComplex *)z.p, 2, zw.p, zwork.p, 256, info.p);
  Device<double> ga(a), gb(unit);
  cusolverDnDsygvd(h, CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_MODE_NOVECTOR,
                   CUBLAS_FILL_MODE_LOWER, N, ga.p, N, gb.p, N, w.p, work.p,
                   4096, info.p);
  syevjInfo_t options;
  cusolverDnCreateSyevjInfo(&options);
  cusolverDnXsyevjSetTolerance(options, 1e-9);
  Device<float> many(std::vector<float>{3, 0, 0, 1, 2, 1, 1, 2}), mw(4),
      mwork(512);
  Device<int> infos(2);
  cusolverDnSsyevjBatched(h, CUSOLVER_EIG_MODE_NOVECTOR, CUBLAS_FILL_MODE_LOWER,
                          2, many.p, 2, mw.p, mwork.p, 512, infos.p, options,
                          2);
  std::vector<float> mv = mw.get();
  printf("eigenvalues %d, complex %d, general %d, batched %d\n", eigen,
         near(zw.get(), {1, 3}), near(w.get(), values, 1e-8),
         near({mv[0], mv[1], mv[2], mv[3]}, {1, 3, 1, 3}, 1e-5));

  Device<double> sa(g), sv(N), u(M * M), vt(N * N);
  cusolverDnDgesvd(h, 'S', 'A', M, N, sa.p, M, sv.p, u.p, M, vt.p, N, work.p,
                   4096, nullptr, info.p);
  Matrix left = u.get();
  left.resize(M * N);
  bool svd = near(product(product(left, diagonal(sv.get()), M, N, N), vt.get(),
                          M, N, N), g);
  gesvdjInfo_t ways;
  cusolverDnCreateGesvdjInfo(&ways);
  Device<double> ja(g), js(N), ju(M * N), jv(N * N);
  cusolverDnDgesvdj(h, CUSOLVER_EIG_MODE_VECTOR, 1, M, N, ja.p, M, js.p, ju.p,
                    M, jv.p, N, work.p, 4096, info.p, ways);
  bool jacobi = near(product(product(ju.get(), diagonal(js.get()), M, N, N),
                             jv.get(), M, N, N, false, true), g);
  printf("singular values %d, jacobi %d\n", svd, jacobi);

  cusolverDnParams_t params;
  cusolverDnCreateParams(&params);
  size_t onDevice, onHost;
  Device<int64_t> wide(N);
  Device<double> xa(a), xb(b), zero(Matrix(N * N, 0.0));
  cusolverDnXgetrf_bufferSize(h, params, N, N, CUDA_R_64F, xa.p, N, CUDA_R_64F,
                              &onDevice, &onHost);
  cusolverDnXgetrf(h, params, N, N, CUDA_R_64F, xa.p, N, wide.p, CUDA_R_64F,
                   work.p, onDevice, nullptr, onHost, info.p);
  cusolverDnXgetrs(h, params, CUBLAS_OP_N, N, 1, CUDA_R_64F, xa.p, N, wide.p,
                   CUDA_R_64F, xb.p, N, info.p);
  Matrix half = unit;
  half[N + 1] = 0;
  Device<double> singular(half);
  cusolverDnDgetrf(h, N, N, singular.p, N, work.p, pivots.p, info.p);
  printf("64 bits %d, singular %d, wrong %d\n", near(xb.get(), x),
         info.get()[0],
         cusolverDnDgesvd(h, 'N', 'N', N, M, g.data(), N, sv.p, nullptr, 1,
                          nullptr, 1, work.p, 4096, nullptr, info.p));
}
