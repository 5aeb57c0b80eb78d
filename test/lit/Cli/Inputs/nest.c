void add(float *restrict a, const float *restrict b) {
#pragma gpu_estimate kernel
  for (int i = 0; i < 1 << 20; ++i)
    a[i] += b[i];
}
