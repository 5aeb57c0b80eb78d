void add(float *restrict x) {
#pragma gpu_estimate kernel
  for (int i = 0; i < 1 << 20; ++i)
    x[i] += 1;
}
