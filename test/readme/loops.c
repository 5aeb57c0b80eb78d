/* A product of matrices in plain C, for `analyze --offload auto`. */
void product(int n, const float *restrict a, const float *restrict b,
             float *restrict c) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}
