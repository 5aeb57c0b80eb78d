// Prices of European options by the Black-Scholes formula.
//
// Coalesced streaming of five words per option, with a logarithm, a square
// root, an exponential, two divisions and two error functions in between: the
// special-function unit and the long library sequences weigh against bandwidth.

#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

constexpr int Options = 1 << 22;
constexpr int BlockSize = 128;
constexpr float Rate = 0.02f;
constexpr float Volatility = 0.3f;

__device__ float normalCdf(float x) { return 0.5f * erfcf(-0.70710678f * x); }

__global__ void blackScholes(const float *price, const float *strike,
                             const float *years, float *call, float *put,
                             float rate, float volatility, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = price[i];
  float k = strike[i];
  float t = years[i];
  float deviation = volatility * sqrtf(t);
  float d1 =
      (logf(s / k) + (rate + 0.5f * volatility * volatility) * t) / deviation;
  float d2 = d1 - deviation;
  float discounted = k * expf(-rate * t);
  float value = s * normalCdf(d1) - discounted * normalCdf(d2);
  call[i] = value;
  put[i] = value - s + discounted; // put-call parity
}

int main() {
  std::vector<float> price(Options), strike(Options), years(Options);
  for (int i = 0; i < Options; ++i) {
    price[i] = 5.0f + static_cast<float>(i % 251) * 0.1f;
    strike[i] = 1.0f + static_cast<float>(i % 997) * 0.1f;
    years[i] = 0.25f + static_cast<float>(i % 97) * 0.1f;
  }

  constexpr size_t Bytes = Options * sizeof(float);
  float *devicePrice, *deviceStrike, *deviceYears, *deviceCall, *devicePut;
  cudaMalloc(&devicePrice, Bytes);
  cudaMalloc(&deviceStrike, Bytes);
  cudaMalloc(&deviceYears, Bytes);
  cudaMalloc(&deviceCall, Bytes);
  cudaMalloc(&devicePut, Bytes);
  cudaMemcpy(devicePrice, price.data(), Bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(deviceStrike, strike.data(), Bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(deviceYears, years.data(), Bytes, cudaMemcpyHostToDevice);

  blackScholes<<<(Options + BlockSize - 1) / BlockSize, BlockSize>>>(
      devicePrice, deviceStrike, deviceYears, deviceCall, devicePut, Rate,
      Volatility, Options);

  std::vector<float> call(Options), put(Options);
  cudaMemcpy(call.data(), deviceCall, Bytes, cudaMemcpyDeviceToHost);
  cudaMemcpy(put.data(), devicePut, Bytes, cudaMemcpyDeviceToHost);
  cudaFree(devicePrice);
  cudaFree(deviceStrike);
  cudaFree(deviceYears);
  cudaFree(deviceCall);
  cudaFree(devicePut);

  int wrong = 0;
  for (int i = 0; i < Options; ++i) {
    double s = price[i], k = strike[i], t = years[i];
    double deviation = Volatility * std::sqrt(t);
    double d1 = (std::log(s / k) + (Rate + 0.5 * Volatility * Volatility) * t) /
                deviation;
    double discounted = k * std::exp(-Rate * t);
    double expected =
        s * 0.5 * std::erfc(-d1 / std::sqrt(2.0)) -
        discounted * 0.5 * std::erfc(-(d1 - deviation) / std::sqrt(2.0));
    wrong += std::fabs(call[i] - expected) > 1e-3;
    wrong += std::fabs(put[i] - (expected - s + discounted)) > 1e-3;
  }
  std::printf("black_scholes: %d wrong\n", wrong);
  return wrong != 0;
}
