__global__ void shift(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += 1;
}
void run2(float *x) { shift<<<4096, 256>>>(x, 1 << 20); }
