void gemm(int n, float alpha, const float *a, const float *b, float *c) {
#pragma gpu_estimate kernel block(16, 16)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = alpha * sum;
    }
}

void copy(int n, const float *a, float *b) {
#pragma gpu_estimate kernel
  for (int i = 0; i < n; ++i)
    b[i] = a[i];
}

void stencil(int n, const float *a, float *b) {
#pragma gpu_estimate kernel grid(j, i) block(32, 8)
  for (int i = 1; i < n - 1; ++i)
    for (int j = 1; j < n - 1; ++j)
      b[i * n + j] = 0.2f * (a[i * n + j] + a[i * n + j - 1] +
                             a[i * n + j + 1] + a[(i - 1) * n + j] +
                             a[(i + 1) * n + j]);
}

void triangle(int n, const float *a, float *b) {
#pragma gpu_estimate kernel block(32, 8)
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j)
      b[i * n + j] = a[i * n + j];
}

void rows(int n, const float *a, const float *x, float *y) {
#pragma gpu_estimate kernel grid(i) block(128)
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int j = 0; j < n; ++j)
      sum += a[i * n + j] * x[j];
    y[i] = sum;
  }
}
