// The loop nests that CGPredict timed as CUDA kernels, as plain C. README.md
// says what was timed and how that was found out. The first loop named in
// grid() becomes threadIdx.x.

// Table 4, and the kernels of table 7 that have the same loops.

void conv2d(const float *a, float *b, int ni, int nj) {
#pragma gpu_estimate kernel grid(j, i) block(32, 32)
  for (int i = 1; i < ni - 1; ++i)
    for (int j = 1; j < nj - 1; ++j) {
      const float *up = a + (i - 1) * nj + j;
      const float *here = a + i * nj + j;
      const float *down = a + (i + 1) * nj + j;
      b[i * nj + j] = 0.25f * up[-1] + 0.5f * up[0] - 0.75f * up[1] -
                      0.35f * here[-1] + 0.65f * here[0] + 0.15f * here[1] +
                      0.45f * down[-1] - 0.85f * down[0] + 0.95f * down[1];
    }
}

// Eleven of the 27 neighbours; a thread walks along the planes.
void conv3d(const float *a, float *b, int ni, int nj, int nk) {
#pragma gpu_estimate kernel grid(k, j) block(32, 32)
  for (int j = 1; j < nj - 1; ++j)
    for (int k = 1; k < nk - 1; ++k)
      for (int i = 1; i < ni - 1; ++i) {
        const float *here = a + (i * nj + j) * nk + k;
        const float *before = here - nj * nk;
        const float *after = here + nj * nk;
        b[(i * nj + j) * nk + k] =
            0.5f * before[-nk - 1] + 0.25f * after[-nk - 1] +
            0.125f * here[-nk] - 0.75f * here[0] + 0.375f * here[nk] +
            0.3f * before[-nk + 1] - 0.6f * after[-nk + 1] + 0.9f * before[1] +
            0.2f * after[1] - 0.4f * before[nk + 1] + 0.8f * after[nk + 1];
      }
}

void mm(const float *a, const float *b, float *c, int n) {
#pragma gpu_estimate kernel grid(j, i) block(32, 32)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

void three_mm(const float *a, const float *b, const float *c, const float *d,
              float *ab, float *cd, float *abcd, int n) {
#pragma gpu_estimate kernel grid(j, i) block(32, 32)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[i * n + k] * b[k * n + j];
      ab[i * n + j] = sum;
    }
#pragma gpu_estimate kernel grid(j, i) block(32, 32)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += c[i * n + k] * d[k * n + j];
      cd[i * n + j] = sum;
    }
#pragma gpu_estimate kernel grid(j, i) block(32, 32)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += ab[i * n + k] * cd[k * n + j];
      abcd[i * n + j] = sum;
    }
}

void gemm(const float *a, const float *b, float *c, float alpha, float beta,
          int n) {
#pragma gpu_estimate kernel grid(j, i) block(32, 32)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = beta * c[i * n + j] + alpha * sum;
    }
}

// The first product, A x; the second, with A transposed, was not timed.
void atax(const float *a, const float *x, float *ax, int n) {
#pragma gpu_estimate kernel grid(i) block(256)
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int j = 0; j < n; ++j)
      sum += a[i * n + j] * x[j];
    ax[i] = sum;
  }
}

void bicg(const float *a, const float *p, const float *r, float *q, float *s,
          int n) {
#pragma gpu_estimate kernel grid(i) block(256)
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int j = 0; j < n; ++j)
      sum += a[i * n + j] * p[j];
    q[i] = sum;
  }
#pragma gpu_estimate kernel grid(j) block(256)
  for (int j = 0; j < n; ++j) {
    float sum = 0;
    for (int i = 0; i < n; ++i)
      sum += a[i * n + j] * r[i];
    s[j] = sum;
  }
}

// The sum is kept in memory: read and written in every step (README.md).
void corr(const float *data, volatile float *result, int m, int n) {
#pragma gpu_estimate kernel grid(j) block(256)
  for (int j = 0; j < m - 1; ++j)
    for (int k = j + 1; k < m; ++k) {
      result[j * m + k] = 0;
      for (int i = 0; i < n; ++i)
        result[j * m + k] += data[i * m + j] * data[i * m + k];
      result[k * m + j] = result[j * m + k];
    }
}

void covar(const float *data, volatile float *result, int m, int n) {
#pragma gpu_estimate kernel grid(j) block(256)
  for (int j = 0; j < m; ++j)
    for (int k = j; k < m; ++k) {
      result[j * m + k] = 0;
      for (int i = 0; i < n; ++i)
        result[j * m + k] += data[i * m + j] * data[i * m + k];
      result[k * m + j] = result[j * m + k];
    }
}

// The update of the field's y component, in every step.
void fdtd2d(float *ey, const float *hz, const float *source, int nx, int ny,
            int steps) {
  for (int t = 0; t < steps; ++t) {
#pragma gpu_estimate kernel grid(j, i) block(32, 32)
    for (int i = 0; i < nx; ++i)
      for (int j = 0; j < ny; ++j) {
        if (i == 0)
          ey[j] = source[t];
        else
          ey[i * ny + j] -= 0.5f * (hz[i * ny + j] - hz[(i - 1) * ny + j]);
      }
  }
}

void gesummv(const float *a, const float *b, const float *x, float *y,
             float alpha, float beta, int rows, int columns) {
#pragma gpu_estimate kernel grid(i) block(256)
  for (int i = 0; i < rows; ++i) {
    float ax = 0, bx = 0;
    for (int j = 0; j < columns; ++j) {
      ax += a[i * columns + j] * x[j];
      bx += b[i * columns + j] * x[j];
    }
    y[i] = alpha * ax + beta * bx;
  }
}

// Projections of all columns on the first column of q.
void gramschmidt(const float *a, const float *q, float *r, int n) {
#pragma gpu_estimate kernel grid(j) block(256)
  for (int j = 0; j < n; ++j) {
    float sum = 0;
    for (int i = 0; i < n; ++i)
      sum += q[i * n] * a[i * n + j];
    r[j] = sum;
  }
}

// The first product, x1 += A y1; its sum is kept in memory.
void mvt(const float *a, const float *y1, float *x1, int n) {
#pragma gpu_estimate kernel grid(i) block(256)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      x1[i] += a[i * n + j] * y1[j];
}

void syrk(const float *a, float *c, float alpha, float beta, int n) {
#pragma gpu_estimate kernel grid(j, i) block(32, 32)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[i * n + k] * a[j * n + k];
      c[i * n + j] = beta * c[i * n + j] + alpha * sum;
    }
}

void syr2k(const float *a, const float *b, float *c, float alpha, float beta,
           int n) {
#pragma gpu_estimate kernel grid(j, i) block(32, 32)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[i * n + k] * b[j * n + k] + b[i * n + k] * a[j * n + k];
      c[i * n + j] = beta * c[i * n + j] + alpha * sum;
    }
}

// Table 5: tiles of 32 x 32 in shared memory.

void mm_shared(const float *a, const float *b, float *c, int n) {
#pragma gpu_estimate kernel grid(j, i) block(32, 32) shared(a, b) tile(32)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

void three_mm_shared(const float *a, const float *b, const float *c,
                     const float *d, float *ab, float *cd, float *abcd, int n) {
#pragma gpu_estimate kernel grid(j, i) block(32, 32) shared(a, b) tile(32)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[i * n + k] * b[k * n + j];
      ab[i * n + j] = sum;
    }
#pragma gpu_estimate kernel grid(j, i) block(32, 32) shared(c, d) tile(32)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += c[i * n + k] * d[k * n + j];
      cd[i * n + j] = sum;
    }
#pragma gpu_estimate kernel grid(j, i) block(32, 32) shared(ab, cd) tile(32)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += ab[i * n + k] * cd[k * n + j];
      abcd[i * n + j] = sum;
    }
}

void gemm_shared(const float *a, const float *b, float *c, float alpha,
                 float beta, int n) {
#pragma gpu_estimate kernel grid(j, i) block(32, 32) shared(a, b) tile(32)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = beta * c[i * n + j] + alpha * sum;
    }
}

void syrk_shared(const float *a, float *c, float alpha, float beta, int n) {
#pragma gpu_estimate kernel grid(j, i) block(32, 32) shared(a) tile(32)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[i * n + k] * a[j * n + k];
      c[i * n + j] = beta * c[i * n + j] + alpha * sum;
    }
}

void syr2k_shared(const float *a, const float *b, float *c, float alpha,
                  float beta, int n) {
#pragma gpu_estimate kernel grid(j, i) block(32, 32) shared(a, b) tile(32)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[i * n + k] * b[j * n + k] + b[i * n + k] * a[j * n + k];
      c[i * n + j] = beta * c[i * n + j] + alpha * sum;
    }
}

// Table 6: SYRK with the second operand transposed beforehand.
void syrk_transposed(const float *a, const float *at, float *c, float alpha,
                     float beta, int n) {
#pragma gpu_estimate kernel grid(j, i) block(32, 32)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[i * n + k] * at[k * n + j];
      c[i * n + j] = beta * c[i * n + j] + alpha * sum;
    }
}

// Table 7, what is not above.

void gemver1(float *a, const float *u1, const float *v1, const float *u2,
             const float *v2, int n) {
#pragma gpu_estimate kernel grid(j, i) block(32, 32)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      a[i * n + j] += u1[i] * v1[j] + u2[i] * v2[j];
}

// The causal pass of the recursive filter, down the columns of the image.
void deriche1(const float *in, float *out, float a1, float a2, float b1,
              float b2, int rows, int columns) {
#pragma gpu_estimate kernel grid(j) block(256)
  for (int j = 0; j < columns; ++j) {
    float x1 = 0, y1 = 0, y2 = 0;
    for (int i = 0; i < rows; ++i) {
      float x = in[i * columns + j];
      float y = a1 * x + a2 * x1 + b1 * y1 + b2 * y2;
      out[i * columns + j] = y;
      x1 = x;
      y2 = y1;
      y1 = y;
    }
  }
}

// Each row times the matrix of the transform, whose rows are the cosines.
void dct1d(const float *in, const float *cosines, float *out, int n) {
#pragma gpu_estimate kernel grid(j, i) block(32, 32)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += in[i * n + k] * cosines[j * n + k];
      out[i * n + j] = sum;
    }
}
