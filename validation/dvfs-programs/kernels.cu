// Kernels of our own for programs whose sources are not public, or not C++ to
// clang: the product of a tridiagonal matrix in CSR form and a vector, which the
// program takes from cuSPARSE; a matrix product without shared memory; option
// prices by a binomial tree.
#include <cuda_runtime.h>

// Four threads share a row, 32 rows a block. A tridiagonal matrix has three
// elements in each row, at neighbouring columns: their places are written here as
// closed forms, since the contents of the arrays are not known. The arrays are
// read all the same.
__global__ void csrMv(int rows, const int *rowStart, const int *column,
                      const float *value, const float *x, float *y) {
  __shared__ volatile float partial[32][4];
  int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows)
    return;
  // gpu-estimate: probability = 0
  if (rowStart[row] > rowStart[row + 1])
    return;
  float sum = 0;
  if (lane < 3) {
    int i = 3 * row + lane;
    sum = value[i] * x[row + lane];
    // gpu-estimate: probability = 0
    if (column[i] < 0)
      sum = 0;
  }
  partial[threadIdx.y][lane] = sum;
  if (lane < 2)
    partial[threadIdx.y][lane] = sum += partial[threadIdx.y][lane + 2];
  if (lane == 0)
    y[row] = sum + partial[threadIdx.y][1];
}

// c = a * b for square matrices of n rows; one element a thread. The counters
// say that each iteration computes both addresses from its indices (8.8
// instructions on V100, 17.3 on P100), as the compiler does for unsigned ones.
__global__ void matrixMulGlobal(float *c, const float *a, const float *b,
                                unsigned n) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (unsigned k = 0; k < n; ++k)
    sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

// One option a block: a binomial tree of 2048 steps, walked from its leaves in
// strips of 32 steps. A strip holds 256 nodes in shared memory, of which 224
// remain at its end.
constexpr int Steps = 2048, Nodes = 256, Strip = 32;

struct Option {
  double price, strike, volatility, up, down;
};
__constant__ Option options[1024];
__device__ double leaves[1024 * (Steps + 16)];
__device__ float prices[1024];

__global__ void binomialTree() {
  __shared__ double even[Nodes + 1], odd[Nodes + 1];
  double *values = leaves + blockIdx.x * (Steps + 16);
  const int t = threadIdx.x;
  const Option o = options[blockIdx.x];
  for (int i = t; i <= Steps; i += Nodes) {
    double gain =
        o.price * expf((float)o.volatility * (2.0f * i - Steps)) - o.strike;
    values[i] = gain > 0 ? (float)gain : 0;
  }
  for (int step = Steps; step > 0; step -= Strip)
    for (int first = 0; first < step; first += Nodes - Strip) {
      int last = min(Nodes - 1, step - first);
      __syncthreads();
      if (t <= last)
        even[t] = values[first + t];
      for (int k = 0; k < Strip / 2; ++k) {
        __syncthreads();
        odd[t] = o.up * even[t + 1] + o.down * even[t];
        __syncthreads();
        even[t] = o.up * odd[t + 1] + o.down * odd[t];
      }
      __syncthreads();
      if (t <= last - Strip)
        values[first + t] = even[t];
    }
  if (t == 0)
    prices[blockIdx.x] = (float)even[0];
}
