// Fast Fourier transform, radix 2, in Stockham's order: no bit reversal.
//
// fftPass does one of log2(n) passes over a long signal in global memory; the
// host launches it in a loop and swaps two buffers between passes, so that its
// cost is that of many launches of the same, bandwidth-bound kernel. Its loads
// are always coalesced, its stores have a stride of two in the first passes.
// fftShared does a whole short transform per block: the passes alternate
// between two halves of shared memory, with a barrier after each.

#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <utility>
#include <vector>

constexpr int Log2N = 20;
constexpr int N = 1 << Log2N; // points of the long signal
constexpr int BlockSize = 256;
constexpr int Short = 1024; // points of each short signal
constexpr int Batch = 1024; // number of short signals

// One butterfly of the pass in which `stride` = 2^pass; t counts butterflies.
__device__ void butterfly(const float2 *in, float2 *out, int n, int stride,
                          int t) {
  int q = t & (stride - 1);
  int start = t - q; // = p * stride for butterfly p of this group
  float2 a = in[t];
  float2 b = in[t + n / 2];
  float sine, cosine;
  sincospif(-2.0f * start / n, &sine, &cosine);
  float dx = a.x - b.x;
  float dy = a.y - b.y;
  int to = q + 2 * start;
  out[to] = make_float2(a.x + b.x, a.y + b.y);
  out[to + stride] =
      make_float2(dx * cosine - dy * sine, dx * sine + dy * cosine);
}

__global__ void fftPass(const float2 *in, float2 *out, int n, int stride) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n / 2)
    butterfly(in, out, n, stride, t);
}

__global__ void fftShared(const float2 *in, float2 *out) {
  __shared__ float2 buffer[2][Short];
  int t = threadIdx.x;
  int first = blockIdx.x * Short;
  buffer[0][t] = in[first + t];
  buffer[0][t + Short / 2] = in[first + t + Short / 2];
  __syncthreads();
  int current = 0;
  for (int stride = 1; stride < Short; stride *= 2) {
    butterfly(buffer[current], buffer[1 - current], Short, stride, t);
    current = 1 - current;
    __syncthreads();
  }
  out[first + t] = buffer[current][t];
  out[first + t + Short / 2] = buffer[current][t + Short / 2];
}

// Error of a few coefficients of a transform against the defining sum.
static double worstError(const float2 *in, const float2 *out, int n) {
  const double pi = std::acos(-1.0);
  double worst = 0.0;
  for (int k = 1; k < n; k += n / 5) {
    double re = 0.0, im = 0.0;
    for (int i = 0; i < n; ++i) {
      double angle = -2.0 * pi * (static_cast<long long>(k) * i % n) / n;
      re += in[i].x * std::cos(angle) - in[i].y * std::sin(angle);
      im += in[i].x * std::sin(angle) + in[i].y * std::cos(angle);
    }
    worst = std::fmax(worst, std::hypot(re - out[k].x, im - out[k].y));
  }
  return worst;
}

int main() {
  static_assert(Short * Batch == N, "both ways transform the same data");
  std::vector<float2> signal(N), result(N);
  for (int i = 0; i < N; ++i)
    signal[i] = make_float2(static_cast<float>(i * 37 % 101) / 101.0f - 0.5f,
                            static_cast<float>(i * 53 % 97) / 97.0f - 0.5f);

  constexpr size_t Bytes = N * sizeof(float2);
  float2 *from, *to;
  cudaMalloc(&from, Bytes);
  cudaMalloc(&to, Bytes);

  cudaMemcpy(from, signal.data(), Bytes, cudaMemcpyHostToDevice);
  fftShared<<<Batch, Short / 2>>>(from, to);
  cudaMemcpy(result.data(), to, Bytes, cudaMemcpyDeviceToHost);
  double error = worstError(&signal[N - Short], &result[N - Short], Short);

  for (int pass = 0; pass < Log2N; ++pass) {
    fftPass<<<N / 2 / BlockSize, BlockSize>>>(from, to, N, 1 << pass);
    std::swap(from, to);
  }
  cudaMemcpy(result.data(), from, Bytes, cudaMemcpyDeviceToHost);
  error = std::fmax(error, worstError(signal.data(), result.data(), N));

  cudaFree(from);
  cudaFree(to);
  std::printf("fft: worst error %g\n", error);
  return !(error < 0.05);
}
