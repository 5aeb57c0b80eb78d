// Structures of 12 bytes are copied between arrays of shared memory by some of
// the threads, in vectors of the host.
// RUN: %gpu-estimate run --no-cuda-sdk %s --gpu nvidia-a40 | FileCheck %s
// CHECK: 0 wrong
#include <cstdio>

__global__ void copy(const unsigned *in, float *out) {
  __shared__ float3 a[16], b[16];
  int t = threadIdx.x;
  if (t < 16) {
    unsigned c = in[blockIdx.x * 16 + t];
    a[t].x = c & 255;
    a[t].y = c >> 8 & 255;
    a[t].z = c >> 16 & 255;
    __syncwarp(0xffff);
    b[t] = a[t];
  }
  __syncthreads();
  if (t < 48)
    out[blockIdx.x * 48 + t] = ((float *)b)[t];
}

int main() {
  const int blocks = 1024;
  static unsigned in[blocks * 16], *d;
  static float out[blocks * 48], *o;
  for (int i = 0; i < blocks * 16; i++)
    in[i] = i * 7919;
  cudaMalloc(&d, sizeof(in));
  cudaMalloc(&o, sizeof(out));
  cudaMemcpy(d, in, sizeof(in), cudaMemcpyHostToDevice);
  copy<<<blocks, 64>>>(d, o);
  cudaMemcpy(out, o, sizeof(out), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < blocks * 48; i++)
    wrong += out[i] != (in[i / 3] >> 8 * (i % 3) & 255);
  printf("%d wrong\n", wrong);
}
