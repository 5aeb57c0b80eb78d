// y = a * x + y, as a tour of the ways in which programs launch kernels.
//
// A kernel template instantiated with float and double; __launch_bounds__; dim3
// variables; rounding up by (n + b - 1) / b; launches inside a function
// template and inside loops; a two-dimensional grid; dynamic shared memory.

#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define BLOCK_SIZE 256
constexpr int N = 1 << 22;
constexpr int Repeats = 4;
constexpr int Columns = 4096;
constexpr int Window = 8;

template <typename T>
__global__ void __launch_bounds__(BLOCK_SIZE)
    saxpy(int n, T a, const T *x, T *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}

// The same on a matrix of rows with `pitch` words, of which `columns` are used.
__global__ void __launch_bounds__(BLOCK_SIZE, 4)
    saxpyRows(int rows, int columns, int pitch, float a, const float *x,
              float *y) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < columns)
    y[row * pitch + column] += a * x[row * pitch + column];
}

// y[i] += a * (x[i] + ... + x[i + window - 1]), the x of a block in dynamic
// shared memory: blockDim.x + window words.
__global__ void saxpyWindow(int n, float a, const float *x, float *y,
                            int window) {
  extern __shared__ float cached[];
  int first = blockIdx.x * blockDim.x;
  int words = blockDim.x + window;
  for (int i = threadIdx.x; i < words; i += blockDim.x)
    cached[i] = first + i < n ? x[first + i] : 0.0f;
  __syncthreads();
  int i = first + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0.0f;
  for (int j = 0; j < window; ++j)
    sum += cached[threadIdx.x + j];
  y[i] += a * sum;
}

template <typename T>
static void launchSaxpy(int n, T a, const T *x, T *y, int repeats) {
  dim3 block(BLOCK_SIZE);
  dim3 grid((n + block.x - 1) / block.x);
  for (int i = 0; i < repeats; ++i)
    saxpy<T><<<grid, block>>>(n, a, x, y);
}

// Runs saxpy<T> and returns the number of wrong elements.
template <typename T> static int runSaxpy() {
  std::vector<T> x(N), y(N, T(1));
  for (int i = 0; i < N; ++i)
    x[i] = T(i % 64);
  T *deviceX, *deviceY;
  cudaMalloc(&deviceX, N * sizeof(T));
  cudaMalloc(&deviceY, N * sizeof(T));
  cudaMemcpy(deviceX, x.data(), N * sizeof(T), cudaMemcpyHostToDevice);
  cudaMemcpy(deviceY, y.data(), N * sizeof(T), cudaMemcpyHostToDevice);
  launchSaxpy(N, T(0.5), deviceX, deviceY, Repeats);
  cudaMemcpy(y.data(), deviceY, N * sizeof(T), cudaMemcpyDeviceToHost);
  cudaFree(deviceX);
  cudaFree(deviceY);
  int wrong = 0;
  for (int i = 0; i < N; ++i)
    wrong += y[i] != T(1) + T(Repeats) * T(0.5) * x[i];
  return wrong;
}

// Runs the two other kernels, one after the other on the same y.
static int runVariants() {
  std::vector<float> x(N), y(N, 0.0f);
  for (int i = 0; i < N; ++i)
    x[i] = static_cast<float>(i % 64);
  float *deviceX, *deviceY;
  cudaMalloc(&deviceX, N * sizeof(float));
  cudaMalloc(&deviceY, N * sizeof(float));
  cudaMemcpy(deviceX, x.data(), N * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(deviceY, 0, N * sizeof(float));

  const int rows = N / Columns;
  dim3 block(32, 8);
  dim3 grid;
  grid.x = (Columns + block.x - 1) / block.x;
  grid.y = (rows + block.y - 1) / block.y;
  saxpyRows<<<grid, block>>>(rows, Columns, Columns, 2.0f, deviceX, deviceY);

  size_t sharedBytes = (BLOCK_SIZE + Window) * sizeof(float);
  saxpyWindow<<<(N + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE, sharedBytes>>>(
      N, 0.25f, deviceX, deviceY, Window);

  cudaMemcpy(y.data(), deviceY, N * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(deviceX);
  cudaFree(deviceY);
  int wrong = 0;
  for (int i = 0; i < N; ++i) {
    float sum = 0.0f;
    for (int j = i; j < i + Window && j < N; ++j)
      sum += x[j];
    wrong += std::fabs(y[i] - (2.0f * x[i] + 0.25f * sum)) > 1e-3f;
  }
  return wrong;
}

int main() {
  int wrong = runSaxpy<float>() + runSaxpy<double>() + runVariants();
  std::printf("saxpy: %d wrong\n", wrong);
  return wrong != 0;
}
