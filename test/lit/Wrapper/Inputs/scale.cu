#ifndef FACTOR
#error FACTOR is missing
#endif
__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= FACTOR;
}
void run(float *x) { scale<<<4096, 256>>>(x, 1 << 20); }
