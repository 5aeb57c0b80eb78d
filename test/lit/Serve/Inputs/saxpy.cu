__global__ void saxpy(float a, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}
void start(const float *x, float *y) { saxpy<<<4096, 256>>>(2.f, x, y, 1 << 20); }
