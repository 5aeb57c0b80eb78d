// The forward kernels of PyTorch that the dataset measures, written anew:
// element-wise functions, softmax and layer normalisation in fp32. README.md
// says what each does and where it differs from PyTorch's.

#ifdef __HIP__
#include <hip/hip_runtime.h>
#else
#include <cuda_runtime.h>
#endif

#include <math.h>

#ifdef __HIP__
constexpr int WarpSize = 64;
__device__ inline float fromLaneAbove(float value, int distance) {
  return __shfl_down(value, distance);
}
__device__ inline float fromPartnerLane(float value, int mask) {
  return __shfl_xor(value, mask);
}
#else
constexpr int WarpSize = 32;
constexpr unsigned AllLanes = 0xffffffffu;
__device__ inline float fromLaneAbove(float value, int distance) {
  return __shfl_down_sync(AllLanes, value, distance);
}
__device__ inline float fromPartnerLane(float value, int mask) {
  return __shfl_xor_sync(AllLanes, value, mask);
}
#endif

constexpr int Vector = 4; // floats of a 16-byte access

struct alignas(16) FloatVector {
  float at[Vector];
};

// ---- Element-wise functions: `scalar` is the number that the operation takes
// beside its tensors, or unused.

struct Add {
  static __device__ float apply(float a, float b, float scalar) {
    return a + scalar * b;
  }
};
struct Mul {
  static __device__ float apply(float a, float b, float) { return a * b; }
};
struct Div {
  static __device__ float apply(float a, float b, float) { return a / b; }
};
struct Pow {
  static __device__ float apply(float a, float b, float) { return powf(a, b); }
};

struct AddScalar {
  static __device__ float apply(float x, float scalar) { return x + scalar; }
};
struct MulScalar {
  static __device__ float apply(float x, float scalar) { return x * scalar; }
};
struct PowScalar {
  static __device__ float apply(float x, float scalar) {
    return powf(x, scalar);
  }
};
struct Relu {
  static __device__ float apply(float x, float scalar) {
    if (isnan(x))
      return x;
    return fmaxf(x, scalar);
  }
};
struct Gelu {
  static __device__ float apply(float x, float) {
    return 0.5f * x * (1.0f + erff(x * 0.70710678f));
  }
};
struct Tanh {
  static __device__ float apply(float x, float) { return tanhf(x); }
};

// Four neighbouring elements a thread. A block that has all its elements moves
// them 16 bytes at a time; the last block of an array that does not fill it
// takes elements `Threads` apart, each behind a test of its own.
template <class Function, int Threads>
__global__ __launch_bounds__(Threads) void unary(int n, float scalar,
                                                 float *out, const float *in) {
  const int first = blockIdx.x * (Vector * Threads);
  const int remaining = n - first;
  if (remaining < Vector * Threads) {
    float values[Vector];
#pragma unroll
    for (int i = 0; i < Vector; ++i) {
      const int element = threadIdx.x + i * Threads;
      if (element < remaining)
        values[i] = in[first + element];
    }
#pragma unroll
    for (int i = 0; i < Vector; ++i) {
      const int element = threadIdx.x + i * Threads;
      if (element < remaining)
        out[first + element] = Function::apply(values[i], scalar);
    }
    return;
  }
  FloatVector values =
      reinterpret_cast<const FloatVector *>(in + first)[threadIdx.x];
#pragma unroll
  for (int i = 0; i < Vector; ++i)
    values.at[i] = Function::apply(values.at[i], scalar);
  reinterpret_cast<FloatVector *>(out + first)[threadIdx.x] = values;
}

template <class Function, int Threads>
__global__ __launch_bounds__(Threads) void binary(int n, float scalar,
                                                  float *out, const float *left,
                                                  const float *right) {
  const int first = blockIdx.x * (Vector * Threads);
  const int remaining = n - first;
  if (remaining < Vector * Threads) {
    float a[Vector], b[Vector];
#pragma unroll
    for (int i = 0; i < Vector; ++i) {
      const int element = threadIdx.x + i * Threads;
      if (element < remaining) {
        a[i] = left[first + element];
        b[i] = right[first + element];
      }
    }
#pragma unroll
    for (int i = 0; i < Vector; ++i) {
      const int element = threadIdx.x + i * Threads;
      if (element < remaining)
        out[first + element] = Function::apply(a[i], b[i], scalar);
    }
    return;
  }
  FloatVector a =
      reinterpret_cast<const FloatVector *>(left + first)[threadIdx.x];
  FloatVector b =
      reinterpret_cast<const FloatVector *>(right + first)[threadIdx.x];
#pragma unroll
  for (int i = 0; i < Vector; ++i)
    a.at[i] = Function::apply(a.at[i], b.at[i], scalar);
  reinterpret_cast<FloatVector *>(out + first)[threadIdx.x] = a;
}

// ---- Softmax of rows of at most 1024 columns: one warp a row, which stays in
// registers.

template <int MaxColumns>
__global__ void softmaxWarp(float *out, const float *in, int rows, int stride,
                            int columns) {
  constexpr int PerLane = MaxColumns / WarpSize;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  const int lane = threadIdx.x;
  const int valid = row < rows ? columns : 0;
  in += row * stride + lane;
  out += row * stride + lane;

  float values[PerLane];
#pragma unroll
  for (int i = 0; i < PerLane; ++i) {
    if (lane + i * WarpSize < valid)
      values[i] = in[i * WarpSize];
    else
      values[i] = -INFINITY;
  }

  float largest = values[0];
#pragma unroll
  for (int i = 1; i < PerLane; ++i)
    largest = largest > values[i] ? largest : values[i];
#pragma unroll
  for (int mask = WarpSize / 2; mask > 0; mask /= 2) {
    const float other = fromPartnerLane(largest, mask);
    largest = largest < other ? other : largest;
  }

  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < PerLane; ++i) {
    values[i] = expf(values[i] - largest);
    sum += values[i];
  }
#pragma unroll
  for (int mask = WarpSize / 2; mask > 0; mask /= 2)
    sum += fromPartnerLane(sum, mask);

  if (row >= rows)
    return;
#pragma unroll
  for (int i = 0; i < PerLane; ++i) {
    if (lane + i * WarpSize < columns)
      out[i * WarpSize] = sum == 0.0f ? NAN : values[i] / sum;
  }
}

// ---- Softmax of longer rows: one block a row, which it reads three times.

struct Maximum {
  static __device__ float combine(float a, float b) { return a < b ? b : a; }
  static __device__ float identity() { return -3.402823466e38f; }
};
struct Sum {
  static __device__ float combine(float a, float b) { return a + b; }
  static __device__ float identity() { return 0.0f; }
};

#ifdef __HIP__
template <class Reduction> __device__ float reduceWarp(float value) {
#pragma unroll
  for (int distance = WarpSize / 2; distance > 0; distance /= 2)
    value = Reduction::combine(value, fromLaneAbove(value, distance));
  return value;
}

// PyTorch 2.4: shuffles within each warp, then within the first one.
template <class Reduction>
__device__ float reduceBlock(float *scratch, float value) {
  const int lane = threadIdx.x % WarpSize;
  const int warp = threadIdx.x / WarpSize;
  value = reduceWarp<Reduction>(value);
  __syncthreads();
  if (lane == 0)
    scratch[warp] = value;
  __syncthreads();
  value = threadIdx.x < blockDim.x / WarpSize ? scratch[lane]
                                              : Reduction::identity();
  if (warp == 0)
    value = reduceWarp<Reduction>(value);
  if (threadIdx.x == 0)
    scratch[0] = value;
  __syncthreads();
  return scratch[0];
}
#else
// PyTorch 2.1: through shared memory. A thread of the first warp combines the
// values of one warp, then the first thread those of all warps.
template <class Reduction>
__device__ float reduceBlock(float *scratch, float value) {
  const int warps = blockDim.x / WarpSize;
  __syncthreads();
  scratch[threadIdx.x] = value;
  __syncthreads();
  if (threadIdx.x < warps) {
    float ofWarp = Reduction::identity();
#pragma unroll
    for (int i = 0; i < WarpSize; ++i)
      ofWarp = Reduction::combine(ofWarp, scratch[threadIdx.x * WarpSize + i]);
    __syncwarp((1u << warps) - 1);
    scratch[threadIdx.x] = ofWarp;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    float ofBlock = Reduction::identity();
    for (int i = 0; i < warps; ++i)
      ofBlock = Reduction::combine(ofBlock, scratch[i]);
    scratch[0] = ofBlock;
  }
  __syncthreads();
  return scratch[0];
}
#endif

struct Larger {
  __device__ float operator()(float largest, float value) const {
    return fmaxf(largest, value);
  }
};
struct AddExponential {
  float largest;
  __device__ float operator()(float sum, float value) const {
    return sum + expf(value - largest);
  }
};

// One thread's share of a row: `misaligned` elements lie before the first
// 16-byte boundary, and the threads that face them sit out the first, scalar
// step; whole vectors follow, then the rest by single elements.
template <class Step>
__device__ float reduceRow(const float *row, int misaligned, int columns,
                           Step step, float value) {
  const int threads = blockDim.x;
  int offset = threadIdx.x;
  if (misaligned > 0) {
    row -= misaligned;
    columns += misaligned;
    if (offset >= misaligned)
      value = step(value, row[offset]);
    columns -= threads;
    row += threads;
  }
  const int rest = columns % (Vector * threads);
  for (; offset * Vector < columns - rest; offset += threads) {
    const FloatVector values =
        reinterpret_cast<const FloatVector *>(row)[offset];
#pragma unroll
    for (int i = 0; i < Vector; ++i)
      value = step(value, values.at[i]);
  }
  for (offset = columns - rest + threadIdx.x; offset < columns;
       offset += threads)
    value = step(value, row[offset]);
  return value;
}

__device__ inline float softmaxOf(float value, float largest, float sum) {
  return expf(value - largest) / sum;
}

__global__ void softmaxBlock(float *out, const float *in, int columns) {
  extern __shared__ float scratch[];
  // Tensors start at a 16-byte boundary, rows wherever the one before ends.
  const int misaligned = (blockIdx.x * columns) % Vector;
  in += static_cast<long long>(blockIdx.x) * columns;
  out += static_cast<long long>(blockIdx.x) * columns;

  const float largest =
      reduceBlock<Maximum>(scratch, reduceRow(in, misaligned, columns, Larger{},
                                              Maximum::identity()));
  const float sum =
      reduceBlock<Sum>(scratch, reduceRow(in, misaligned, columns,
                                          AddExponential{largest}, 0.0f));

  const int threads = blockDim.x;
  int offset = threadIdx.x;
  if (misaligned > 0) {
    in -= misaligned;
    out -= misaligned;
    columns += misaligned;
    if (offset >= misaligned)
      out[offset] = softmaxOf(in[offset], largest, sum);
    columns -= threads;
    in += threads;
    out += threads;
  }
  const int rest = columns % (Vector * threads);
  for (; offset * Vector < columns - rest; offset += threads) {
    FloatVector values = reinterpret_cast<const FloatVector *>(in)[offset];
#pragma unroll
    for (int i = 0; i < Vector; ++i)
      values.at[i] = softmaxOf(values.at[i], largest, sum);
    reinterpret_cast<FloatVector *>(out)[offset] = values;
  }
  for (offset = columns - rest + threadIdx.x; offset < columns;
       offset += threads)
    out[offset] = softmaxOf(in[offset], largest, sum);
}

// The variant for rows whose length is a multiple of four: the row is read once
// and kept in shared memory, whose last words serve the reductions.
__global__ void softmaxShared(float *out, const float *in, long long columns) {
  extern __shared__ float row[];
  in += static_cast<long long>(blockIdx.x) * columns;
  out += static_cast<long long>(blockIdx.x) * columns;
  float *scratch = row + columns;
  const FloatVector *from = reinterpret_cast<const FloatVector *>(in);
  FloatVector *kept = reinterpret_cast<FloatVector *>(row);

  float largest = Maximum::identity();
  for (long long i = threadIdx.x; i * Vector < columns; i += blockDim.x) {
    const FloatVector values = from[i];
    kept[i] = values;
#pragma unroll
    for (int k = 0; k < Vector; ++k)
      largest = fmaxf(largest, values.at[k]);
  }
  largest = reduceBlock<Maximum>(scratch, largest);

  float sum = 0.0f;
  for (long long i = threadIdx.x; i * Vector < columns; i += blockDim.x) {
    const FloatVector values = kept[i];
#pragma unroll
    for (int k = 0; k < Vector; ++k)
      sum += expf(values.at[k] - largest);
  }
  sum = reduceBlock<Sum>(scratch, sum);

  for (long long i = threadIdx.x; i * Vector < columns; i += blockDim.x) {
    FloatVector values = kept[i];
#pragma unroll
    for (int k = 0; k < Vector; ++k)
      values.at[k] = softmaxOf(values.at[k], largest, sum);
    reinterpret_cast<FloatVector *>(out)[i] = values;
  }
}

// ---- Layer normalisation: one block of (warp size, warps) a row of a multiple
// of four columns, which it reads twice: for mean and variance by Welford's
// method, then to write.

struct Moments {
  float mean, squares, count;
};

__device__ inline Moments extend(Moments m, float value) {
  const float delta = value - m.mean;
  const float count = m.count + 1.0f;
  const float mean = m.mean + delta * (1.0f / count);
  return {mean, m.squares + delta * (value - mean), count};
}

__device__ inline Moments merge(Moments a, Moments b) {
  const float delta = b.mean - a.mean;
  const float count = a.count + b.count;
  if (!(count > 0.0f))
    return {0.0f, 0.0f, count};
  const float inverse = 1.0f / count;
  const float shareA = a.count * inverse;
  const float shareB = b.count * inverse;
  return {shareA * a.mean + shareB * b.mean,
          a.squares + b.squares + delta * delta * a.count * shareB, count};
}

__global__ void layerNorm(int columns, float epsilon,
                          const float *__restrict__ in, const float *gamma,
                          const float *beta, float *mean, float *rstd,
                          float *out) {
  extern __shared__ float scratch[];
  const int threads = blockDim.x * blockDim.y;
  const int thread = threadIdx.x + threadIdx.y * blockDim.x;
  const int vectors = columns / Vector;
  const FloatVector *row =
      reinterpret_cast<const FloatVector *>(in + blockIdx.x * columns);

  Moments m{0.0f, 0.0f, 0.0f};
  for (int i = thread; i < vectors; i += threads) {
    const FloatVector values = row[i];
#pragma unroll
    for (int k = 0; k < Vector; ++k)
      m = extend(m, values.at[k]);
  }
  for (int distance = WarpSize / 2; distance > 0; distance /= 2)
    m = merge(m, {fromLaneAbove(m.mean, distance),
                  fromLaneAbove(m.squares, distance),
                  fromLaneAbove(m.count, distance)});

  float *moments = scratch;
  float *counts = scratch + blockDim.y;
  for (int half = blockDim.y / 2; half > 0; half /= 2) {
    if (threadIdx.x == 0 && threadIdx.y >= half && threadIdx.y < 2 * half) {
      const int slot = threadIdx.y - half;
      moments[2 * slot] = m.mean;
      moments[2 * slot + 1] = m.squares;
      counts[slot] = m.count;
    }
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y < half)
      m = merge(m, {moments[2 * threadIdx.y], moments[2 * threadIdx.y + 1],
                    counts[threadIdx.y]});
    __syncthreads();
  }
  if (thread == 0) {
    moments[0] = m.mean;
    moments[1] = m.squares / columns;
  }
  __syncthreads();
  const float average = moments[0];
  const float scale = rsqrtf(moments[1] + epsilon);

  FloatVector *to = reinterpret_cast<FloatVector *>(out + blockIdx.x * columns);
  const FloatVector *weights = reinterpret_cast<const FloatVector *>(gamma);
  const FloatVector *biases = reinterpret_cast<const FloatVector *>(beta);
  for (int i = thread; i < vectors; i += threads) {
    const FloatVector values = row[i];
    FloatVector result;
#pragma unroll
    for (int k = 0; k < Vector; ++k)
      result.at[k] = weights[i].at[k] * (scale * (values.at[k] - average)) +
                     biases[i].at[k];
    to[i] = result;
  }
  if (thread == 0) {
    mean[blockIdx.x] = average;
    rstd[blockIdx.x] = scale;
  }
}

// The kernels that the cases name.
#define UNARY(Function, Threads)                                               \
  template __global__ void unary<Function, Threads>(int, float, float *,       \
                                                    const float *)
#define BINARY(Function, Threads)                                              \
  template __global__ void binary<Function, Threads>(                          \
      int, float, float *, const float *, const float *)
#ifdef __HIP__
constexpr int ElementwiseThreads = 256;
#else
constexpr int ElementwiseThreads = 128;
#endif
BINARY(Add, ElementwiseThreads);
BINARY(Mul, ElementwiseThreads);
BINARY(Div, ElementwiseThreads);
BINARY(Pow, ElementwiseThreads);
UNARY(AddScalar, ElementwiseThreads);
UNARY(MulScalar, ElementwiseThreads);
UNARY(PowScalar, ElementwiseThreads);
UNARY(Relu, ElementwiseThreads);
UNARY(Gelu, ElementwiseThreads);
UNARY(Tanh, ElementwiseThreads);
template __global__ void softmaxWarp<1024>(float *, const float *, int, int,
                                           int);
