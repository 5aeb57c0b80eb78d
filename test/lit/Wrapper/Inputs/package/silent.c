void addSilent(int n, float *restrict x) {
#pragma gpu_estimate kernel
  for (int i = 0; i < n; ++i)
    x[i] += 1;
}
