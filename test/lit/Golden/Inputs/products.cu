// gpu-estimate: grid=1024 block=256 param n=1024
__global__ void products(const float *a, float *c, int n) {
  const int t = threadIdx.x + blockIdx.x * blockDim.x;
  float acc[128];
  for (int i = 0; i < 128; ++i)
    acc[i] = 0;
  for (int k = 0; k < n; ++k) {
    float v = a[k * 4096 + t];
    for (int i = 0; i < 128; ++i)
      acc[i] = acc[i] * v + 0.5f;
  }
  for (int i = 0; i < 128; ++i)
    c[i * 4096 + t] = acc[i];
}
