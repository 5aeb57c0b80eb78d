void smooth(int n, int m, const float *restrict a, float *restrict b) {
#pragma gpu_estimate kernel
  for (int i = 1; i < n - 1; ++i)
    for (int j = 1; j < m - 1; ++j)
      b[i * m + j] = a[i * m + j] + a[(i - 1) * m + j] + a[(i + 1) * m + j];
}
