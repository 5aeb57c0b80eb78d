__global__ void axpy(float a, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}
__global__ void square(const float *x, float *y, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int j = 0; j < rows; ++j)
    sum += x[j * gridDim.x * blockDim.x + i] * sum + 1;
  y[i] = sum;
}
void start(const float *x, float *y) {
  axpy<<<4096, 256>>>(2.f, x, y, 1 << 20);
  square<<<4096, 256>>>(x, y, 32);
}
