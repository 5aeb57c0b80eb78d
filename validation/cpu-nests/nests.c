// Loop nests of the suite in plain C: one core runs them as they are, a GPU
// gets the loops that may be parallel.
#include <math.h>

typedef long Index;
typedef double *restrict Out;
typedef const double *restrict In;

void add(Out c, In a, In b, Index iend) {
#pragma gpu_estimate kernel
  for (Index i = 0; i < iend; ++i)
    c[i] = a[i] + b[i];
}

void copy(Out c, In a, Index iend) {
#pragma gpu_estimate kernel
  for (Index i = 0; i < iend; ++i)
    c[i] = a[i];
}

void mul(Out b, In c, double alpha, Index iend) {
#pragma gpu_estimate kernel
  for (Index i = 0; i < iend; ++i)
    b[i] = alpha * c[i];
}

void triad(Out a, In b, In c, double alpha, Index iend) {
#pragma gpu_estimate kernel
  for (Index i = 0; i < iend; ++i)
    a[i] = b[i] + alpha * c[i];
}

void dot(In a, In b, double *result, Index iend) {
  double sum = 0;
#pragma gpu_estimate kernel
  for (Index i = 0; i < iend; ++i)
    sum += a[i] * b[i];
  *result = sum;
}

void reduce_sum(In x, double *result, Index iend) {
  double sum = 0;
#pragma gpu_estimate kernel
  for (Index i = 0; i < iend; ++i)
    sum += x[i];
  *result = sum;
}

void pi_reduce(double *result, double dx, Index iend) {
  double pi = 0;
#pragma gpu_estimate kernel
  for (Index i = 0; i < iend; ++i) {
    double x = (i + 0.5) * dx;
    pi += dx / (1.0 + x * x);
  }
  *result = 4.0 * pi;
}

void daxpy(Out y, In x, double a, Index iend) {
#pragma gpu_estimate kernel
  for (Index i = 0; i < iend; ++i)
    y[i] += a * x[i];
}

void copy8(Out y0, Out y1, Out y2, Out y3, Out y4, Out y5, Out y6, Out y7,
           In x0, In x1, In x2, In x3, In x4, In x5, In x6, In x7,
           Index iend) {
#pragma gpu_estimate kernel
  for (Index i = 0; i < iend; ++i) {
    y0[i] = x0[i];
    y1[i] = x1[i];
    y2[i] = x2[i];
    y3[i] = x3[i];
    y4[i] = x4[i];
    y5[i] = x5[i];
    y6[i] = x6[i];
    y7[i] = x7[i];
  }
}

void ifquad(Out x1, Out x2, In a, In b, In c, Index iend) {
#pragma gpu_estimate kernel
  for (Index i = 0; i < iend; ++i) {
    double s = b[i] * b[i] - 4.0 * a[i] * c[i];
    if (s >= 0) {
      s = sqrt(s);
      x2[i] = (-b[i] + s) / (2.0 * a[i]);
      x1[i] = (-b[i] - s) / (2.0 * a[i]);
    } else {
      x2[i] = 0.0;
      x1[i] = 0.0;
    }
  }
}

void init3(Out out1, Out out2, Out out3, In in1, In in2, Index iend) {
#pragma gpu_estimate kernel
  for (Index i = 0; i < iend; ++i)
    out1[i] = out2[i] = out3[i] = -in1[i] - in2[i];
}

void initview1d(Out a, double v, Index iend) {
#pragma gpu_estimate kernel
  for (Index i = 0; i < iend; ++i)
    a[i] = (i + 1) * v;
}

void initview1d_offset(Out a, double v, Index ibegin, Index iend) {
#pragma gpu_estimate kernel
  for (Index i = ibegin; i < iend; ++i)
    a[i - ibegin] = i * v;
}

void muladdsub(Out out1, Out out2, Out out3, In in1, In in2, Index iend) {
#pragma gpu_estimate kernel
  for (Index i = 0; i < iend; ++i) {
    out1[i] = in1[i] * in2[i];
    out2[i] = in1[i] + in2[i];
    out3[i] = in1[i] - in2[i];
  }
}

void nested_init(Out array, Index ni, Index nj, Index nk) {
#pragma gpu_estimate kernel
  for (Index k = 0; k < nk; ++k)
    for (Index j = 0; j < nj; ++j)
      for (Index i = 0; i < ni; ++i)
        array[i + ni * (j + nj * k)] = 0.00000001 * i * j * k;
}

void diff_predict(double *restrict px, In cx) {
  const Index offset = 8388608;
#pragma gpu_estimate kernel
  for (Index i = 0; i < offset; ++i) {
    double ar = cx[i + offset * 4], br = ar - px[i + offset * 4];
    px[i + offset * 4] = ar;
    double cr = br - px[i + offset * 5];
    px[i + offset * 5] = br;
    ar = cr - px[i + offset * 6];
    px[i + offset * 6] = cr;
    br = ar - px[i + offset * 7];
    px[i + offset * 7] = ar;
    cr = br - px[i + offset * 8];
    px[i + offset * 8] = br;
    ar = cr - px[i + offset * 9];
    px[i + offset * 9] = cr;
    br = ar - px[i + offset * 10];
    px[i + offset * 10] = ar;
    cr = br - px[i + offset * 11];
    px[i + offset * 11] = br;
    px[i + offset * 13] = cr - px[i + offset * 12];
    px[i + offset * 12] = cr;
  }
}

void eos(Out x, In y, In z, In u, double q, double r, double t, Index iend) {
#pragma gpu_estimate kernel
  for (Index i = 0; i < iend; ++i)
    x[i] = u[i] + r * (z[i] + r * y[i]) +
           t * (u[i + 3] + r * (u[i + 2] + r * u[i + 1]) +
                t * (u[i + 6] + q * (u[i + 5] + q * u[i + 4])));
}

void first_diff(Out x, In y, Index iend) {
#pragma gpu_estimate kernel
  for (Index i = 0; i < iend; ++i)
    x[i] = y[i + 1] - y[i];
}

void first_sum(Out x, In y, Index iend) {
#pragma gpu_estimate kernel
  for (Index i = 1; i < iend; ++i)
    x[i] = y[i - 1] + y[i];
}

void hydro_1d(Out x, In y, In z, double q, double r, double t, Index iend) {
#pragma gpu_estimate kernel
  for (Index i = 0; i < iend; ++i)
    x[i] = q + y[i] * (r * z[i + 10] + t * z[i + 11]);
}

void int_predict(double *restrict px, double dm22, double dm23, double dm24,
                 double dm25, double dm26, double dm27, double dm28, double c0) {
  const Index offset = 8388608;
#pragma gpu_estimate kernel
  for (Index i = 0; i < offset; ++i)
    px[i] = dm28 * px[i + offset * 12] + dm27 * px[i + offset * 11] +
            dm26 * px[i + offset * 10] + dm25 * px[i + offset * 9] +
            dm24 * px[i + offset * 8] + dm23 * px[i + offset * 7] +
            dm22 * px[i + offset * 6] +
            c0 * (px[i + offset * 4] + px[i + offset * 5]) + px[i + offset * 2];
}

void planckian(In x, Out y, In u, In v, Out w, Index iend) {
#pragma gpu_estimate kernel
  for (Index i = 0; i < iend; ++i) {
    y[i] = u[i] / v[i];
    w[i] = x[i] / (exp(y[i]) - 1.0);
  }
}

void tridiag_elim(Out xout, In xin, In y, In z, Index n) {
#pragma gpu_estimate kernel
  for (Index i = 1; i < n; ++i)
    xout[i] = z[i] * (y[i] - xin[i - 1]);
}

void fir(Out out, In in, In coeff, Index coefflen, Index iend) {
#pragma gpu_estimate kernel
  for (Index i = 0; i < iend; ++i) {
    double sum = 0.0;
    for (Index j = 0; j < coefflen; ++j)
      sum += coeff[j] * in[i + j];
    out[i] = sum;
  }
}

void ltimes(double *restrict phi, In ell, In psi, Index num_d, Index num_m,
            Index num_g, Index num_z) {
#pragma gpu_estimate kernel grid(z, g, m)
  for (Index z = 0; z < num_z; ++z)
    for (Index g = 0; g < num_g; ++g)
      for (Index m = 0; m < num_m; ++m)
        for (Index d = 0; d < num_d; ++d)
          phi[m + num_m * (g + num_g * z)] +=
              ell[d + num_d * m] * psi[d + num_d * (g + num_g * z)];
}

void gemm(double *restrict C, In A, In B, double alpha, double beta, Index ni,
          Index nj, Index nk) {
#pragma gpu_estimate kernel grid(i, j)
  for (Index i = 0; i < ni; ++i)
    for (Index j = 0; j < nj; ++j) {
      C[j + i * nj] *= beta;
      double sum = 0.0;
      for (Index k = 0; k < nk; ++k)
        sum += alpha * A[k + i * nk] * B[j + k * nj];
      C[j + i * nj] = sum;
    }
}

void gesummv(In x, Out y, In A, In B, double alpha, double beta, Index N) {
#pragma gpu_estimate kernel grid(i)
  for (Index i = 0; i < N; ++i) {
    double sumA = 0.0, sumB = 0.0;
    for (Index j = 0; j < N; ++j) {
      sumA += A[j + i * N] * x[j];
      sumB += B[j + i * N] * x[j];
    }
    y[i] = alpha * sumA + beta * sumB;
  }
}

void mvt(Out x1, Out x2, In y1, In y2, In A, Index N) {
#pragma gpu_estimate kernel grid(i)
  for (Index i = 0; i < N; ++i) {
    double sum = 0.0;
    for (Index j = 0; j < N; ++j)
      sum += A[j + i * N] * y1[j];
    x1[i] += sum;
  }
#pragma gpu_estimate kernel grid(i)
  for (Index i = 0; i < N; ++i) {
    double sum = 0.0;
    for (Index j = 0; j < N; ++j)
      sum += A[i + j * N] * y2[j];
    x2[i] += sum;
  }
}

void floyd_warshall(Out pout, In pin, Index k, Index N) {
#pragma gpu_estimate kernel grid(i, j)
  for (Index i = 0; i < N; ++i)
    for (Index j = 0; j < N; ++j)
      pout[j + i * N] = pin[j + i * N] < pin[k + i * N] + pin[j + k * N]
                            ? pin[j + i * N]
                            : pin[k + i * N] + pin[j + k * N];
}

void jacobi_1d(In A, Out B, Index N) {
#pragma gpu_estimate kernel
  for (Index i = 1; i < N - 1; ++i)
    B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
}

void jacobi_2d(In A, Out B, Index N) {
#pragma gpu_estimate kernel grid(i, j)
  for (Index i = 1; i < N - 1; ++i)
    for (Index j = 1; j < N - 1; ++j)
      B[j + i * N] = 0.2 * (A[j + i * N] + A[j - 1 + i * N] + A[j + 1 + i * N] +
                            A[j + (i + 1) * N] + A[j + (i - 1) * N]);
}

void heat_3d(In A, Out B, Index N) {
#pragma gpu_estimate kernel grid(i, j, k)
  for (Index i = 1; i < N - 1; ++i)
    for (Index j = 1; j < N - 1; ++j)
      for (Index k = 1; k < N - 1; ++k)
        B[k + N * (j + N * i)] =
            0.125 * (A[k + N * (j + N * (i + 1))] -
                     2.0 * A[k + N * (j + N * i)] +
                     A[k + N * (j + N * (i - 1))]) +
            0.125 * (A[k + N * (j + 1 + N * i)] - 2.0 * A[k + N * (j + N * i)] +
                     A[k + N * (j - 1 + N * i)]) +
            0.125 * (A[k + 1 + N * (j + N * i)] - 2.0 * A[k + N * (j + N * i)] +
                     A[k - 1 + N * (j + N * i)]) +
            A[k + N * (j + N * i)];
}
