// One fully connected layer of a neural net: forward step, weight adjustment.
//
// layerForward: a block of 16 x 16 threads takes 16 inputs (y) and 16 units
// (x), multiplies them with their weights, and adds up over the inputs in
// shared memory; the units' partial sums of all blocks meet in sumPartials,
// which also applies the activation. adjustWeights is a streaming kernel over
// the matrix of weights: each thread reads and writes two words, and its other
// operands are the same for a whole row or column of the block.

#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

constexpr int Inputs = 65536;
constexpr int Units = 16;
constexpr int Side = 16;
constexpr float Rate = 0.3f;
constexpr float Momentum = 0.3f;

__global__ void layerForward(const float *input, const float *weights,
                             float *partial, int units) {
  __shared__ float value[Side];
  __shared__ float product[Side][Side];
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int unit = blockIdx.x * Side + tx;
  int i = blockIdx.y * Side + ty;
  if (tx == 0)
    value[ty] = input[i];
  __syncthreads();
  product[ty][tx] = weights[i * units + unit] * value[ty];
  __syncthreads();
  for (int active = Side / 2; active > 0; active /= 2) {
    if (ty < active)
      product[ty][tx] += product[ty + active][tx];
    __syncthreads();
  }
  if (ty == 0)
    partial[blockIdx.y * units + unit] = product[0][tx];
}

__global__ void sumPartials(const float *partial, float *output, int rows,
                            int units) {
  int unit = blockIdx.x * blockDim.x + threadIdx.x;
  if (unit >= units)
    return;
  float sum = 0.0f;
  for (int row = 0; row < rows; ++row)
    sum += partial[row * units + unit];
  output[unit] = 1.0f / (1.0f + expf(-sum));
}

__global__ void adjustWeights(const float *input, const float *delta,
                              float *weights, float *previous, int units) {
  int unit = blockIdx.x * Side + threadIdx.x;
  int i = blockIdx.y * Side + threadIdx.y;
  int at = i * units + unit;
  float change = Rate * delta[unit] * input[i] + Momentum * previous[at];
  weights[at] += change;
  previous[at] = change;
}

int main() {
  std::vector<float> input(Inputs), weights(Inputs * Units), delta(Units);
  for (int i = 0; i < Inputs; ++i)
    input[i] = static_cast<float>(i % 19) / 19.0f;
  for (int i = 0; i < Inputs * Units; ++i)
    weights[i] = (static_cast<float>(i % 23) - 11.0f) / 4096.0f;
  for (int unit = 0; unit < Units; ++unit)
    delta[unit] = 0.01f * (unit + 1);

  constexpr int Rows = Inputs / Side;
  constexpr size_t MatrixBytes = sizeof(float) * Inputs * Units;
  float *deviceInput, *deviceWeights, *previous, *partial, *output,
      *deviceDelta;
  cudaMalloc(&deviceInput, Inputs * sizeof(float));
  cudaMalloc(&deviceWeights, MatrixBytes);
  cudaMalloc(&previous, MatrixBytes);
  cudaMalloc(&partial, Rows * Units * sizeof(float));
  cudaMalloc(&output, Units * sizeof(float));
  cudaMalloc(&deviceDelta, Units * sizeof(float));
  cudaMemcpy(deviceInput, input.data(), Inputs * sizeof(float),
             cudaMemcpyHostToDevice);
  cudaMemcpy(deviceWeights, weights.data(), MatrixBytes,
             cudaMemcpyHostToDevice);
  cudaMemcpy(deviceDelta, delta.data(), Units * sizeof(float),
             cudaMemcpyHostToDevice);
  cudaMemset(previous, 0, MatrixBytes);

  dim3 block(Side, Side);
  dim3 grid(Units / Side, Inputs / Side);
  layerForward<<<grid, block>>>(deviceInput, deviceWeights, partial, Units);
  sumPartials<<<(Units + 31) / 32, 32>>>(partial, output, Rows, Units);
  adjustWeights<<<grid, block>>>(deviceInput, deviceDelta, deviceWeights,
                                 previous, Units);

  std::vector<float> activation(Units), adjusted(Inputs * Units);
  cudaMemcpy(activation.data(), output, Units * sizeof(float),
             cudaMemcpyDeviceToHost);
  cudaMemcpy(adjusted.data(), deviceWeights, MatrixBytes,
             cudaMemcpyDeviceToHost);
  for (float *pointer :
       {deviceInput, deviceWeights, previous, partial, output, deviceDelta})
    cudaFree(pointer);

  int wrong = 0;
  for (int unit = 0; unit < Units; ++unit) {
    double sum = 0.0;
    for (int i = 0; i < Inputs; ++i) {
      int at = i * Units + unit;
      sum += static_cast<double>(weights[at]) * input[i];
      float expected = weights[at] + Rate * delta[unit] * input[i];
      wrong += std::fabs(adjusted[at] - expected) > 1e-5f;
    }
    wrong += std::fabs(activation[unit] - 1.0 / (1.0 + std::exp(-sum))) > 1e-3;
  }
  std::printf("backprop: %d wrong\n", wrong);
  return wrong != 0;
}
