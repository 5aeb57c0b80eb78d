// One warp reads the beginning of n rows, passes times.
__global__ void rows(const float *a, float *out, int n, int pitch,
                     int passes) {
  float Sum = 0;
  for (int P = 0; P < passes; ++P)
    for (int I = 0; I < n; ++I)
      Sum += a[I * pitch + threadIdx.x];
  out[threadIdx.x] = Sum;
}

void run(const float *a, float *out, int n, int pitch, int passes) {
  rows<<<1, 32>>>(a, out, n, pitch, passes);
}
