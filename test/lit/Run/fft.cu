// Transforms of cuFFT against their definition: complex in a batch, real to
// half of the frequencies and back, in place with padded rows, two dimensions
// with strides.
// REQUIRES: fftw
// RUN: %gpu-estimate run --no-cuda-sdk %s --gpu nvidia-a40 -- -lcufft | FileCheck %s
// CHECK: complex 0.0000, half 0.0000, back 0.0000, in place 0.0000, strided 0.0000, double 0.0000
// CHECK: cufftExecC2C
#include <complex>
#include <cstdio>
#include <cufft.h>
#include <vector>

typedef std::complex<double> C;
const double pi = 3.14159265358979323846;

/// The transform of rows x columns values by its definition.
std::vector<C> transform(const std::vector<C> &in, int rows, int columns) {
  std::vector<C> out(in.size());
  for (int u = 0; u < rows; ++u)
    for (int v = 0; v < columns; ++v)
      for (int x = 0; x < rows; ++x)
        for (int y = 0; y < columns; ++y)
          out[u * columns + v] +=
              in[x * columns + y] *
              std::polar(1.0, -2 * pi *
                                  (double(u * x) / rows +
                                   double(v * y) / columns));
  return out;
}

template <class T> T *upload(const std::vector<T> &v) {
  T *p;
  cudaMalloc(&p, v.size() * sizeof(T));
  cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}
template <class T> std::vector<T> download(const void *p, size_t n) {
  std::vector<T> v(n);
  cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
  return v;
}
double value(int i) { return (i * 37 % 17) / 8.0 - 1; }

int main() {
  const int rows = 6, columns = 10, half = columns / 2 + 1, n = rows * columns;
  double error[6] = {};
  auto compare = [&](int test, C got, C expected) {
    error[test] = std::max(error[test], std::abs(got - expected));
  };

  // Two rows of 12 as a batch.
  std::vector<std::complex<float>> in(24);
  for (int i = 0; i < 24; ++i)
    in[i] = {float(value(i)), float(value(i + 5))};
  auto *a = upload(in);
  cufftHandle plan;
  cufftPlan1d(&plan, 12, CUFFT_C2C, 2);
  cufftExecC2C(plan, (cufftComplex *)a, (cufftComplex *)a, CUFFT_FORWARD);
  auto out = download<std::complex<float>>(a, 24);
  for (int b = 0; b < 2; ++b) {
    auto right =
        transform(std::vector<C>(in.begin() + 12 * b, in.begin() + 12 * b + 12),
                  1, 12);
    for (int i = 0; i < 12; ++i)
      compare(0, C(out[12 * b + i]), right[i]);
  }

  // Real, two dimensions.
  std::vector<float> real(n);
  for (int i = 0; i < n; ++i)
    real[i] = value(i);
  auto right = transform(std::vector<C>(real.begin(), real.end()), rows, columns);
  auto *r = upload(real);
  auto *c = upload(std::vector<std::complex<float>>(rows * half));
  cufftHandle forward, inverse;
  cufftPlan2d(&forward, rows, columns, CUFFT_R2C);
  cufftPlan2d(&inverse, rows, columns, CUFFT_C2R);
  cufftExecR2C(forward, r, (cufftComplex *)c);
  auto spectrum = download<std::complex<float>>(c, rows * half);
  for (int u = 0; u < rows; ++u)
    for (int v = 0; v < half; ++v)
      compare(1, C(spectrum[u * half + v]), right[u * columns + v]);
  cufftExecC2R(inverse, (cufftComplex *)c, r);
  auto back = download<float>(r, n);
  for (int i = 0; i < n; ++i)
    compare(2, back[i] / n, real[i]);

  // In place: rows of 2 * half numbers.
  std::vector<float> padded(rows * 2 * half);
  for (int i = 0; i < n; ++i)
    padded[i / columns * 2 * half + i % columns] = real[i];
  auto *p = upload(padded);
  cufftExecR2C(forward, p, (cufftComplex *)p);
  spectrum = download<std::complex<float>>(p, rows * half);
  for (int u = 0; u < rows; ++u)
    for (int v = 0; v < half; ++v)
      compare(3, C(spectrum[u * half + v]), right[u * columns + v]);

  // Columns of a matrix: stride columns, distance 1.
  std::vector<std::complex<float>> matrix(n);
  for (int i = 0; i < n; ++i)
    matrix[i] = {float(value(i)), float(value(3 * i))};
  auto *m = upload(matrix);
  int size = rows, embed = rows;
  cufftPlanMany(&plan, 1, &size, &embed, columns, 1, &embed, columns, 1,
                CUFFT_C2C, columns);
  cufftExecC2C(plan, (cufftComplex *)m, (cufftComplex *)m, CUFFT_FORWARD);
  out = download<std::complex<float>>(m, n);
  for (int v = 0; v < columns; ++v) {
    std::vector<C> column(rows);
    for (int u = 0; u < rows; ++u)
      column[u] = C(matrix[u * columns + v]);
    column = transform(column, 1, rows);
    for (int u = 0; u < rows; ++u)
      compare(4, C(out[u * columns + v]), column[u]);
  }

  std::vector<C> wide(12);
  for (int i = 0; i < 12; ++i)
    wide[i] = {value(i), 0};
  auto *w = upload(wide);
  cufftPlan1d(&plan, 12, CUFFT_Z2Z, 1);
  cufftExecZ2Z(plan, (cufftDoubleComplex *)w, (cufftDoubleComplex *)w,
               CUFFT_INVERSE);
  auto got = download<C>(w, 12);
  auto expected = transform(wide, 1, 12);
  for (int i = 0; i < 12; ++i)
    compare(5, got[i], std::conj(expected[i]));
  for (double &e : error)
    e = e < 1e-4 ? 0 : e;
  printf("complex %.4f, half %.4f, back %.4f, in place %.4f, strided %.4f, "
         "double %.4f\n",
         error[0], error[1], error[2], error[3], error[4], error[5]);
}
