// What the commands of README's "How to call it" are tried on: a stencil whose
// tile is a macro, and its launch.
#ifndef TILE
#define TILE 4
#endif

__global__ void conv(const float *in, float *out, int n) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * TILE;
  for (int i = first; i < first + TILE; ++i)
    if (i > 0 && i + 1 < n)
      out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}

int main() {
  int n = 1 << 20;
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  conv<<<n / TILE / 256, 256>>>(in, out, n);
  cudaDeviceSynchronize();
  return cudaGetLastError() != cudaSuccess;
}
