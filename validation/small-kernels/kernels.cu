// Sixteen textbook kernels, written from the description of those that were
// measured (see README.md): the same work per thread, the same index types,
// guards, __restrict__ and unrolling, because these decide the machine code.
//
// One thread does one element unless its comment says otherwise. Blocks have
// 256 threads (16 x 16 in two dimensions), 32 x 32 where tiles are shared.

#include <cuda_runtime.h>

constexpr int Tile = 32;

// --- Streams ---------------------------------------------------------------

__global__ void vector_add(const float *__restrict__ a,
                           const float *__restrict__ b, float *__restrict__ sum,
                           int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    sum[i] = a[i] + b[i];
}

__global__ void saxpy(float factor, const float *__restrict__ a,
                      const float *__restrict__ b, float *__restrict__ out,
                      int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = factor * a[i] + b[i];
}

// Every eighth element: each thread touches a sector of its own.
__global__ void strided_copy_8(const float *__restrict__ in,
                               float *__restrict__ out, int n) {
  int element = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
  if (element < n)
    out[element] = in[element];
}

// A gather through an index array, which is zero everywhere: all lanes read
// the same word. The table has one element here, for the same reason.
__global__ void random_access(const float *__restrict__ table,
                              const int *__restrict__ index,
                              float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = table[index[i]];
}

// Even lanes sum a short series before both kinds of lanes add: the warp pays
// for the series once, with half of its lanes.
__global__ void vector_add_divergent(const float *__restrict__ a,
                                     const float *__restrict__ b,
                                     float *__restrict__ sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (i % 2 == 0) {
    float series = 0.0f;
#pragma unroll 16
    for (int term = 0; term < 128; ++term)
      series += term * 0.0001f;
    sum[i] = a[i] + b[i] + series;
  } else {
    sum[i] = a[i] + b[i];
  }
}

// --- Transposes ------------------------------------------------------------

__global__ void naive_transpose(const float *__restrict__ in,
                                float *__restrict__ out, int rows, int cols) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols)
    out[col * rows + row] = in[row * cols + col];
}

__global__ void shared_transpose(const float *__restrict__ in,
                                 float *__restrict__ out, int rows, int cols) {
  __shared__ float piece[Tile][Tile + 1];
  int col = blockIdx.x * Tile + threadIdx.x;
  int row = blockIdx.y * Tile + threadIdx.y;
  if (col < cols && row < rows)
    piece[threadIdx.y][threadIdx.x] = in[row * cols + col];
  __syncthreads();
  int outCol = blockIdx.y * Tile + threadIdx.x;
  int outRow = blockIdx.x * Tile + threadIdx.y;
  if (outCol < rows && outRow < cols)
    out[outRow * rows + outCol] = piece[threadIdx.x][threadIdx.y];
}

// --- Matrix products -------------------------------------------------------

__global__ void matmul_naive(const float *__restrict__ a,
                             const float *__restrict__ b, float *__restrict__ c,
                             int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n)
    return;
  float dot = 0.0f;
  for (int k = 0; k < n; ++k)
    dot += a[row * n + k] * b[k * n + col];
  c[row * n + col] = dot;
}

__global__ void matmul_tiled(const float *__restrict__ a,
                             const float *__restrict__ b, float *__restrict__ c,
                             int n) {
  __shared__ float left[Tile][Tile];
  __shared__ float right[Tile][Tile];
  unsigned x = threadIdx.x;
  unsigned y = threadIdx.y;
  int row = blockIdx.y * Tile + y;
  int col = blockIdx.x * Tile + x;
  float dot = 0.0f;
  for (int first = 0; first < n; first += Tile) {
    left[y][x] = row < n && first + x < n ? a[row * n + first + x] : 0.0f;
    right[y][x] = first + y < n && col < n ? b[(first + y) * n + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < Tile; ++k)
      dot += left[y][k] * right[k][x];
    __syncthreads();
  }
  if (row < n && col < n)
    c[row * n + col] = dot;
}

// --- Reductions ------------------------------------------------------------

// Adds the values of a block in shared memory, halving the active threads.
__device__ void blockSum(float *value, int t) {
  __syncthreads();
  for (int active = blockDim.x / 2; active > 0; active /= 2) {
    if (t < active)
      value[t] += value[t + active];
    __syncthreads();
  }
}

__global__ void reduce_sum(const float *__restrict__ in,
                           float *__restrict__ partial, int n) {
  extern __shared__ float value[];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x * 2 + t;
  float sum = 0.0f;
  if (i < n)
    sum += in[i];
  if (i + blockDim.x < n)
    sum += in[i + blockDim.x];
  value[t] = sum;
  blockSum(value, t);
  if (t == 0)
    partial[blockIdx.x] = value[0];
}

__global__ void dot_product(const float *__restrict__ a,
                            const float *__restrict__ b,
                            float *__restrict__ partial, int n) {
  extern __shared__ float value[];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x * 2 + t;
  float sum = 0.0f;
  if (i < n)
    sum += a[i] * b[i];
  if (i + blockDim.x < n)
    sum += a[i + blockDim.x] * b[i + blockDim.x];
  value[t] = sum;
  blockSum(value, t);
  if (t == 0)
    partial[blockIdx.x] = value[0];
}

// --- Stencils with a filter in global memory -------------------------------

__global__ void conv2d_3x3(const float *__restrict__ image,
                           const float *__restrict__ filter,
                           float *__restrict__ out, int height, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width - 2 || y >= height - 2)
    return;
  float sum = 0.0f;
#pragma unroll
  for (int dy = 0; dy < 3; ++dy)
#pragma unroll
    for (int dx = 0; dx < 3; ++dx)
      sum += filter[dy * 3 + dx] * image[(y + dy) * width + x + dx];
  out[y * width + x] = sum;
}

__global__ void conv2d_7x7(const float *__restrict__ image,
                           const float *__restrict__ filter,
                           float *__restrict__ out, int height, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width - 6 || y >= height - 6)
    return;
  float sum = 0.0f;
  for (int dy = 0; dy < 7; ++dy)
    for (int dx = 0; dx < 7; ++dx)
      sum += filter[dy * 7 + dx] * image[(y + dy) * width + x + dx];
  out[y * width + x] = sum;
}

// --- Atomics and shared memory ---------------------------------------------

// The data are zero everywhere (see README.md), so that every count goes to
// the first bin. The compiler does not know this.
__global__ void histogram(const unsigned *__restrict__ data, int n,
                          unsigned *__restrict__ bins) {
  extern __shared__ unsigned count[];
  int t = threadIdx.x;
  for (int bin = t; bin < 256; bin += blockDim.x)
    count[bin] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&count[data[i] & 0xff], 1u);
  __syncthreads();
  for (int bin = t; bin < 256; bin += blockDim.x)
    atomicAdd(&bins[bin], count[bin]);
}

__global__ void atomic_hotspot(unsigned *__restrict__ counter, int iters) {
  for (int i = 0; i < iters; ++i)
    atomicAdd(counter, 1u);
}

// Despite its name free of conflicts: all lanes read the same word, which is
// broadcast. One block of 1024 threads.
__global__ void shared_bank_conflict(float *__restrict__ out) {
  __shared__ float value[1024];
  int t = threadIdx.x;
  value[t] = t;
  __syncthreads();
  float sum = 0.0f;
  for (int i = 0; i < 1024; ++i)
    sum += value[(i * 33) & 1023];
  out[t] = sum;
}
