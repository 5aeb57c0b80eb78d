__global__ void gemm(int n, float alpha, const float *a, const float *b,
                     float *c) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && j < n) {
    float sum = 0;
    for (int k = 0; k < n; ++k)
      sum += a[i * n + k] * b[k * n + j];
    c[i * n + j] = alpha * sum;
  }
}

__global__ void copy(int n, const float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i];
}

__global__ void stencil(int n, const float *a, float *b) {
  int i = blockIdx.y * blockDim.y + threadIdx.y + 1;
  int j = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if (i < n - 1 && j < n - 1)
    b[i * n + j] = 0.2f * (a[i * n + j] + a[i * n + j - 1] + a[i * n + j + 1] +
                           a[(i - 1) * n + j] + a[(i + 1) * n + j]);
}

__global__ void triangle(int n, const float *a, float *b) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x + i;
  if (i < n && j < n)
    b[i * n + j] = a[i * n + j];
}

__global__ void rows(int n, const float *a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int j = 0; j < n; ++j)
    sum += a[i * n + j] * x[j];
  y[i] = sum;
}

void host(int n, float *a, float *b, float *c) {
  dim3 sixteen((n + 15) / 16, (n + 15) / 16);
  gemm<<<sixteen, dim3(16, 16)>>>(n, 2, a, b, c);
  copy<<<(n + 255) / 256, 256>>>(n, a, b);
  dim3 inner((n - 2 + 31) / 32, (n - 2 + 7) / 8);
  stencil<<<inner, dim3(32, 8)>>>(n, a, b);
  dim3 all((n + 31) / 32, (n + 7) / 8);
  triangle<<<all, dim3(32, 8)>>>(n, a, b);
  rows<<<(n + 127) / 128, 128>>>(n, a, b, c);
}
