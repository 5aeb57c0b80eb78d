float sum(int n, const float *a) {
  float s = 0;
#pragma gpu_estimate kernel
  for (int i = 0; i < n; ++i)
    s += a[i];
  return s;
}

int parity(int n, const int *a) {
  int p = 0;
#pragma gpu_estimate kernel block(128)
  for (int i = 0; i < n; ++i)
    p ^= a[i];
  return p;
}

float most(int n, const float *a) {
  float m = a[0];
#pragma gpu_estimate kernel
  for (int i = 0; i < n; ++i)
    if (a[i] > m)
      m = a[i];
  return m;
}

void histogram(int n, const unsigned char *data, unsigned *bins) {
#pragma gpu_estimate kernel
  for (int i = 0; i < n; ++i)
    bins[data[i]] += 1;
}

void columns(int n, const float *a, const float *x, float *y) {
#pragma gpu_estimate kernel
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 4096; ++j)
      y[j] += a[i * 4096 + j] * x[i];
}

void scan(int n, const float *restrict x, float *restrict y) {
  float s = 0;
#pragma gpu_estimate kernel
  for (int i = 0; i < n; ++i) {
    s += x[i];
    y[i] = s;
  }
}
