// Nests that leave something on the table, each followed by what the advice
// makes of it, written by hand: KERNEL and KERNEL_as_advised.

void syrk(int n, const float *a, float *c) {
#pragma gpu_estimate kernel grid(j, i) block(32, 32) name(transpose)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * a[j * n + k];
      c[i * n + j] = sum;
    }
}

void syrk_copy(int n, const float *a, const float *turned, float *c) {
#pragma gpu_estimate kernel grid(j, i) block(32, 32) name(transpose_as_advised)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * turned[k * n + j];
      c[i * n + j] = sum;
    }
}

void scale(int n, const float *a, float *b) {
#pragma gpu_estimate kernel block(32, 32) name(interchange)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      b[j * n + i] = 2 * a[j * n + i];
}

void scale_other(int n, const float *a, float *b) {
#pragma gpu_estimate kernel block(32, 32) grid(i, j) name(interchange_as_advised)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      b[j * n + i] = 2 * a[j * n + i];
}

void gemm(int n, const float *a, const float *b, float *c) {
#pragma gpu_estimate kernel grid(j, i) block(32, 32) name(coarsen)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

void gemm_rows(int n, const float *a, const float *b, float *c) {
#pragma gpu_estimate kernel grid(j, i) block(32, 32) name(coarsen_as_advised)
  for (int i = 0; i < n / 8; i++)
    for (int j = 0; j < n; j++) {
      float s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
      int m = n * (n / 8);
      const float *row = a + i * n;
      for (int k = 0; k < n; k++) {
        float e = b[k * n + j];
        s0 += row[k] * e;
        s1 += row[m + k] * e;
        s2 += row[2 * m + k] * e;
        s3 += row[3 * m + k] * e;
        s4 += row[4 * m + k] * e;
        s5 += row[5 * m + k] * e;
        s6 += row[6 * m + k] * e;
        s7 += row[7 * m + k] * e;
      }
      float *out = c + i * n + j;
      out[0] = s0;
      out[m] = s1;
      out[2 * m] = s2;
      out[3 * m] = s3;
      out[4 * m] = s4;
      out[5 * m] = s5;
      out[6 * m] = s6;
      out[7 * m] = s7;
    }
}

void shape(int n, const float *a, float *b) {
#pragma gpu_estimate kernel grid(i, j) block(16, 4) name(block-shape)
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      b[i * n + j] = 2 * a[i * n + j];
}

void shape_other(int n, const float *a, float *b) {
#pragma gpu_estimate kernel grid(i, j) block(16, 16) name(block-shape_as_advised)
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      b[i * n + j] = 2 * a[i * n + j];
}

void chain(int n, const float *a, float *b, float *c) {
#pragma gpu_estimate kernel name(first)
  for (int i = 0; i < n * n; i++)
    b[i] = 2 * a[i];
#pragma gpu_estimate kernel name(fuse)
  for (int i = 0; i < n * n; i++)
    c[i] = b[i] + a[i];
}

void chain_one(int n, const float *a, float *b, float *c) {
#pragma gpu_estimate kernel name(fuse_as_advised)
  for (int i = 0; i < n * n; i++) {
    b[i] = 2 * a[i];
    c[i] = b[i] + a[i];
  }
}
