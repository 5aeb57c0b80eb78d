// A stencil over pieces of an array, in one stream and in two: with page-locked
// memory, the copies of one piece overlap the kernels of the other.
//
//   gpu-estimate run overlap.cu --gpu nvidia-h100-sxm --format html -o overlap.html

#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>

constexpr int Pieces = 8, Length = 1 << 18, Halo = 1, Sweeps = 4;

__global__ void smooth(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float left = i > 0 ? in[i - 1] : in[i];
  float right = i + 1 < n ? in[i + 1] : in[i];
  out[i] = 0.25f * left + 0.5f * in[i] + 0.25f * right;
}

// Milliseconds between two events around all pieces.
static float smoothPieces(float *host, int streams) {
  cudaStream_t stream[2];
  float *a[2], *b[2];
  for (int s = 0; s < streams; ++s) {
    cudaStreamCreate(&stream[s]);
    cudaMalloc(&a[s], Length * sizeof(float));
    cudaMalloc(&b[s], Length * sizeof(float));
  }
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaDeviceSynchronize();
  cudaEventRecord(start);
  for (int p = 0; p < Pieces; ++p) {
    int s = p % streams;
    float *piece = host + size_t(p) * Length;
    cudaMemcpyAsync(a[s], piece, Length * sizeof(float), cudaMemcpyHostToDevice,
                    stream[s]);
    for (int i = 0; i < Sweeps; ++i) {
      smooth<<<(Length + 255) / 256, 256, 0, stream[s]>>>(a[s], b[s], Length);
      float *swapped = a[s];
      a[s] = b[s];
      b[s] = swapped;
    }
    cudaMemcpyAsync(piece, a[s], Length * sizeof(float), cudaMemcpyDeviceToHost,
                    stream[s]);
  }
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, start, stop);
  for (int s = 0; s < streams; ++s) {
    cudaFree(a[s]);
    cudaFree(b[s]);
    cudaStreamDestroy(stream[s]);
  }
  return milliseconds;
}

int main() {
  float *host;
  cudaMallocHost(&host, size_t(Pieces) * Length * sizeof(float));
  for (int i = 0; i < Pieces * Length; ++i)
    host[i] = 1;
  float one = smoothPieces(host, 1), two = smoothPieces(host, 2);
  int wrong = 0;
  for (int i = 0; i < Pieces * Length; ++i)
    wrong += std::fabs(host[i] - 1) > 1e-5f;
  printf("overlap: %d wrong; one stream %.3f ms, two streams %.3f ms\n", wrong,
         one, two);
  cudaFreeHost(host);
  return wrong != 0 || two >= one;
}
