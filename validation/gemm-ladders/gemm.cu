// Products of square matrices, C = alpha A B + beta C, in single and half
// precision, in the steps of a ladder that ends with tensor cores. All matrices
// are row-major; every access of global memory is checked against the sizes.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

using Size = size_t;

// Neighbouring threads have neighbouring rows: nothing is coalesced.
template <typename T>
__global__ void row_per_lane(Size m, Size n, Size k, T alpha, const T *a, Size lda, const T *b, Size ldb, T beta, T *c, Size ldc) {
  const Size row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n)
    return;
  T sum = static_cast<T>(0);
  for (Size p = 0; p < k; ++p)
    sum += a[row * lda + p] * b[p * ldb + col];
  c[row * ldc + col] = alpha * sum + beta * c[row * ldc + col];
}

// Neighbouring threads have neighbouring columns.
template <typename T>
__global__ void column_per_lane(Size m, Size n, Size k, T alpha, const T *a, Size lda, const T *b, Size ldb, T beta, T *c, Size ldc) {
  const Size col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n)
    return;
  T sum = static_cast<T>(0);
  for (Size p = 0; p < k; ++p)
    sum += a[row * lda + p] * b[p * ldb + col];
  c[row * ldc + col] = alpha * sum + beta * c[row * ldc + col];
}

// A matrix in global memory whose elements beyond its sizes are 0.
template <typename T> struct Source {
  const T *data;
  Size pitch, rows, cols;

  __device__ T word(Size row, Size col) const { return row < rows && col < cols ? data[row * pitch + col] : static_cast<T>(0); }
  // 16 bytes.
  __device__ int4 vector(Size row, Size col) const {
    constexpr Size Words = sizeof(int4) / sizeof(T);
    int4 v{0, 0, 0, 0};
    if (row < rows && col < cols) {
      v = *reinterpret_cast<const int4 *>(data + row * pitch + col);
      if (col + Words > cols) {
        const Size beyond = col + Words - cols;
        T *words = reinterpret_cast<T *>(&v);
        for (Size i = 0; i < beyond; ++i)
          words[Words - 1 - i] = static_cast<T>(0);
      }
    }
    return v;
  }
};

// How the threads of a block copy a tile of Rows x Cols elements to shared
// memory: word by word or by 16 bytes; as it is or transposed.
template <typename T, Size Rows, Size Cols, Size Threads, bool Wide, bool Transposed> struct Copy {
  static constexpr Size Words = Wide ? sizeof(int4) / sizeof(T) : 1, PerRow = Cols / Words, Rounds = (Rows * PerRow + Threads - 1) / Threads;

  template <Size Pitch> static __device__ void run(const Source<T> &from, Size firstRow, Size firstCol, T (*tile)[Pitch], Size thread) {
#pragma unroll
    for (Size round = 0; round < Rounds; ++round) {
      const Size row = (thread + round * Threads) / PerRow, col = (thread + round * Threads) % PerRow * Words;
      if constexpr (!Wide) {
        const T value = from.word(firstRow + row, firstCol + col);
        if constexpr (Transposed)
          tile[col][row] = value;
        else
          tile[row][col] = value;
      } else {
        const int4 v = from.vector(firstRow + row, firstCol + col);
        if (row < Rows && col < Cols) {
          if constexpr (Transposed) {
            const T *words = reinterpret_cast<const T *>(&v);
            for (Size i = 0; i < Words; ++i)
              tile[col + i][row] = words[i];
          } else {
            *reinterpret_cast<int4 *>(&tile[row][col]) = v;
          }
        }
      }
    }
  }
};

// Square tiles in shared memory, one element for each thread.
template <typename T, Size Side, bool Wide>
__global__ void shared_tile(Size m, Size n, Size k, T alpha, const T *a, Size lda, const T *b, Size ldb, T beta, T *c, Size ldc) {
  __shared__ T tileA[Side][Side], tileB[Side][Side];
  const Size thread = threadIdx.y * blockDim.x + threadIdx.x;
  const Size col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  const Source<T> fromA{a, lda, m, k}, fromB{b, ldb, k, n};
  using Tile = Copy<T, Side, Side, Side * Side, Wide, false>;
  T sum = static_cast<T>(0);
  for (Size step = 0; step < (k + Side - 1) / Side; ++step) {
    Tile::run(fromA, blockIdx.y * Side, step * Side, tileA, thread);
    Tile::run(fromB, step * Side, blockIdx.x * Side, tileB, thread);
    __syncthreads();
#pragma unroll
    for (Size p = 0; p < Side; ++p)
      sum += tileA[threadIdx.y][p] * tileB[p][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n)
    c[row * ldc + col] = alpha * sum + beta * c[row * ldc + col];
}

// A column of Rows elements for each thread.
template <typename T, Size TileN, Size TileM, Size Depth, Size Rows, bool Wide>
__global__ void column_tile(Size m, Size n, Size k, T alpha, const T *a, Size lda, const T *b, Size ldb, T beta, T *c, Size ldc) {
  constexpr Size Threads = TileN * TileM / Rows;
  __shared__ T tileA[TileM][Depth], tileB[Depth][TileN];
  const Size thread = threadIdx.y * blockDim.x + threadIdx.x, col = thread % TileN, top = thread / TileN * Rows;
  const Source<T> fromA{a, lda, m, k}, fromB{b, ldb, k, n};
  T sums[Rows] = {static_cast<T>(0)};
  for (Size step = 0; step < (k + Depth - 1) / Depth; ++step) {
    Copy<T, TileM, Depth, Threads, Wide, false>::run(fromA, blockIdx.y * TileM, step * Depth, tileA, thread);
    Copy<T, Depth, TileN, Threads, Wide, false>::run(fromB, step * Depth, blockIdx.x * TileN, tileB, thread);
    __syncthreads();
#pragma unroll
    for (Size p = 0; p < Depth; ++p) {
      const T y = tileB[p][col];
#pragma unroll
      for (Size i = 0; i < Rows; ++i)
        sums[i] += tileA[top + i][p] * y;
    }
    __syncthreads();
  }
#pragma unroll
  for (Size i = 0; i < Rows; ++i) {
    const Size row = blockIdx.y * TileM + top + i, at = blockIdx.x * TileN + col;
    if (row < m && at < n)
      c[row * ldc + at] = alpha * sums[i] + beta * c[row * ldc + at];
  }
}

// Adds 16 bytes of results to C.
template <typename T> __device__ void updateVector(T *c, Size row, Size col, Size ldc, Size m, Size n, const T *sums, T alpha, T beta) {
  constexpr Size Words = sizeof(int4) / sizeof(T);
  int4 old = *reinterpret_cast<const int4 *>(c + row * ldc + col);
  const int4 added = *reinterpret_cast<const int4 *>(sums);
  for (Size i = 0; i < Words; ++i)
    reinterpret_cast<T *>(&old)[i] = alpha * reinterpret_cast<const T *>(&added)[i] + beta * reinterpret_cast<const T *>(&old)[i];
  if (row < m && col < n)
    *reinterpret_cast<int4 *>(c + row * ldc + col) = old;
}

// A square of Rows x Cols elements for each thread. Only the loads from shared
// memory and the loop over the depth have a pragma.
template <typename T, Size TileN, Size TileM, Size Depth, Size Cols, Size Rows, bool TransposedA, bool Wide>
__global__ void square_tile(Size m, Size n, Size k, T alpha, const T *a, Size lda, const T *b, Size ldb, T beta, T *c, Size ldc) {
  constexpr Size Threads = TileN * TileM / (Cols * Rows), Words = sizeof(int4) / sizeof(T);
  __shared__ T tileA[TransposedA ? Depth : TileM][TransposedA ? TileM : Depth], tileB[Depth][TileN];
  const Size thread = threadIdx.y * blockDim.x + threadIdx.x;
  const Size top = thread / (TileN / Cols) * Rows, left = thread % (TileN / Cols) * Cols;
  const Source<T> fromA{a, lda, m, k}, fromB{b, ldb, k, n};
  T sums[Rows][Cols] = {static_cast<T>(0)}, x[Rows] = {static_cast<T>(0)}, y[Cols] = {static_cast<T>(0)};
  for (Size step = 0; step < (k + Depth - 1) / Depth; ++step) {
    Copy<T, TileM, Depth, Threads, Wide, TransposedA>::run(fromA, blockIdx.y * TileM, step * Depth, tileA, thread);
    Copy<T, Depth, TileN, Threads, Wide, false>::run(fromB, step * Depth, blockIdx.x * TileN, tileB, thread);
    __syncthreads();
#pragma unroll
    for (Size p = 0; p < Depth; ++p) {
#pragma unroll
      for (Size i = 0; i < Rows; ++i)
        if constexpr (TransposedA)
          x[i] = tileA[p][top + i];
        else
          x[i] = tileA[top + i][p];
      if constexpr (Wide) {
#pragma unroll
        for (Size j = 0; j < Cols / Words; ++j)
          *reinterpret_cast<int4 *>(&y[j * Words]) = *reinterpret_cast<const int4 *>(&tileB[p][left + j * Words]);
      } else {
#pragma unroll
        for (Size j = 0; j < Cols; ++j)
          y[j] = tileB[p][left + j];
      }
      for (Size i = 0; i < Rows; ++i)
        for (Size j = 0; j < Cols; ++j)
          sums[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }
  for (Size i = 0; i < Rows; ++i) {
    const Size row = blockIdx.y * TileM + top + i;
    if constexpr (Wide) {
      for (Size j = 0; j < Cols / Words; ++j)
        updateVector(c, row, blockIdx.x * TileN + left + j * Words, ldc, m, n, &sums[i][j * Words], alpha, beta);
    } else {
      for (Size j = 0; j < Cols; ++j) {
        const Size col = blockIdx.x * TileN + left + j;
        if (row < m && col < n)
          c[row * ldc + col] = alpha * sums[i][j] + beta * c[row * ldc + col];
      }
    }
  }
}

// Loads the values of one thread from a row of a tile in shared memory.
template <typename T, Size Count, bool Wide> __device__ void fetch(T *values, const T *from) {
  constexpr Size Words = sizeof(int4) / sizeof(T);
  if constexpr (Wide) {
#pragma unroll
    for (Size i = 0; i < Count / Words; ++i)
      *reinterpret_cast<int4 *>(&values[i * Words]) = *reinterpret_cast<const int4 *>(&from[i * Words]);
  } else {
#pragma unroll
    for (Size i = 0; i < Count; ++i)
      values[i] = from[i];
  }
}

// The block's tile consists of tiles of warps; every loop has a pragma.
template <typename T, Size TileN, Size TileM, Size Depth, Size WarpN, Size WarpM, Size Cols, Size Rows, Size LanesN, Size LanesM, bool Wide>
__global__ void warp_tile(Size m, Size n, Size k, T alpha, const T *a, Size lda, const T *b, Size ldb, T beta, T *c, Size ldc) {
  constexpr Size WarpsN = TileN / WarpN, RepeatN = WarpN / (Cols * LanesN), RepeatM = WarpM / (Rows * LanesM);
  constexpr Size Threads = WarpsN * (TileM / WarpM) * LanesN * LanesM, Words = sizeof(int4) / sizeof(T);
  __shared__ T tileA[Depth][TileM], tileB[Depth][TileN];
  const Size thread = threadIdx.y * blockDim.x + threadIdx.x, warp = thread / 32, lane = thread % 32;
  const Size warpRow = warp / WarpsN, warpCol = warp % WarpsN, laneRow = lane / LanesN, laneCol = lane % LanesN;
  const Source<T> fromA{a, lda, m, k}, fromB{b, ldb, k, n};
  T sums[RepeatM][RepeatN][Rows][Cols] = {static_cast<T>(0)}, x[RepeatM][Rows] = {static_cast<T>(0)}, y[RepeatN][Cols] = {static_cast<T>(0)};
  for (Size step = 0; step < (k + Depth - 1) / Depth; ++step) {
    Copy<T, TileM, Depth, Threads, Wide, true>::run(fromA, blockIdx.y * TileM, step * Depth, tileA, thread);
    Copy<T, Depth, TileN, Threads, Wide, false>::run(fromB, step * Depth, blockIdx.x * TileN, tileB, thread);
    __syncthreads();
#pragma unroll
    for (Size p = 0; p < Depth; ++p) {
#pragma unroll
      for (Size u = 0; u < RepeatM; ++u)
        fetch<T, Rows, Wide>(x[u], &tileA[p][warpRow * WarpM + u * (WarpM / RepeatM) + laneRow * Rows]);
#pragma unroll
      for (Size v = 0; v < RepeatN; ++v)
        fetch<T, Cols, Wide>(y[v], &tileB[p][warpCol * WarpN + v * (WarpN / RepeatN) + laneCol * Cols]);
#pragma unroll
      for (Size u = 0; u < RepeatM; ++u)
#pragma unroll
        for (Size v = 0; v < RepeatN; ++v)
#pragma unroll
          for (Size i = 0; i < Rows; ++i)
#pragma unroll
            for (Size j = 0; j < Cols; ++j)
              sums[u][v][i][j] += x[u][i] * y[v][j];
    }
    __syncthreads();
  }
#pragma unroll
  for (Size u = 0; u < RepeatM; ++u)
#pragma unroll
    for (Size v = 0; v < RepeatN; ++v)
#pragma unroll
      for (Size i = 0; i < Rows; ++i) {
        const Size row = blockIdx.y * TileM + warpRow * WarpM + u * (WarpM / RepeatM) + laneRow * Rows + i;
        const Size left = blockIdx.x * TileN + warpCol * WarpN + v * (WarpN / RepeatN) + laneCol * Cols;
        if constexpr (Wide) {
#pragma unroll
          for (Size j = 0; j < Cols / Words; ++j)
            updateVector(c, row, left + j * Words, ldc, m, n, &sums[u][v][i][j * Words], alpha, beta);
        } else {
#pragma unroll
          for (Size j = 0; j < Cols; ++j)
            if (row < m && left + j < n)
              c[row * ldc + left + j] = alpha * sums[u][v][i][j] + beta * c[row * ldc + left + j];
        }
      }
}

// Tiles of warps by tensor cores; rows of the tiles are longer by 16 words.
template <typename T, Size TileN, Size TileM, Size Depth, Size Skew, Size WarpN, Size WarpM, bool Wide>
__global__ void tensor_tile(Size m, Size n, Size k, T alpha, const T *a, Size lda, const T *b, Size ldb, T beta, T *c, Size ldc) {
  using namespace nvcuda::wmma;
  constexpr Size WarpsN = TileN / WarpN, Threads = WarpsN * (TileM / WarpM) * 32, TilesN = WarpN / 16, TilesM = WarpM / 16;
  __shared__ T tileA[Depth][TileM + Skew], tileB[Depth][TileN + Skew];
  fragment<matrix_a, 16, 16, 16, T, col_major> x[TilesM];
  fragment<matrix_b, 16, 16, 16, T, row_major> y[TilesN];
  fragment<accumulator, 16, 16, 16, T> sums[TilesM][TilesN], old;
#pragma unroll
  for (Size u = 0; u < TilesM; ++u)
    for (Size v = 0; v < TilesN; ++v)
      fill_fragment(sums[u][v], static_cast<T>(0));
  const Size thread = threadIdx.y * blockDim.x + threadIdx.x, warpRow = thread / 32 / WarpsN, warpCol = thread / 32 % WarpsN;
  const Source<T> fromA{a, lda, m, k}, fromB{b, ldb, k, n};
  for (Size step = 0; step < (k + Depth - 1) / Depth; ++step) {
    Copy<T, TileM, Depth, Threads, Wide, true>::run(fromA, blockIdx.y * TileM, step * Depth, tileA, thread);
    Copy<T, Depth, TileN, Threads, Wide, false>::run(fromB, step * Depth, blockIdx.x * TileN, tileB, thread);
    __syncthreads();
#pragma unroll
    for (Size p = 0; p < Depth / 16; ++p) {
#pragma unroll
      for (Size u = 0; u < TilesM; ++u)
        load_matrix_sync(x[u], &tileA[p * 16][warpRow * WarpM + u * 16], TileM + Skew);
#pragma unroll
      for (Size v = 0; v < TilesN; ++v)
        load_matrix_sync(y[v], &tileB[p * 16][warpCol * WarpN + v * 16], TileN + Skew);
#pragma unroll
      for (Size u = 0; u < TilesM; ++u)
#pragma unroll
        for (Size v = 0; v < TilesN; ++v)
          mma_sync(sums[u][v], x[u], y[v], sums[u][v]);
    }
    __syncthreads();
  }
#pragma unroll
  for (Size u = 0; u < TilesM; ++u)
#pragma unroll
    for (Size v = 0; v < TilesN; ++v) {
      T *to = c + (blockIdx.y * TileM + warpRow * WarpM + u * 16) * n + blockIdx.x * TileN + warpCol * WarpN + v * 16;
      load_matrix_sync(old, to, n, mem_row_major);
      for (Size i = 0; i < old.num_elements; ++i)
        old.x[i] = alpha * sums[u][v].x[i] + beta * old.x[i];
      store_matrix_sync(to, old, n, mem_row_major);
    }
}

#define PRODUCT(T, ...) template __global__ void __VA_ARGS__(Size, Size, Size, T, const T *, Size, const T *, Size, T, T *, Size);
#define PRODUCTS(T) \
  PRODUCT(T, row_per_lane<T>) \
  PRODUCT(T, column_per_lane<T>) \
  PRODUCT(T, shared_tile<T, 32, false>) \
  PRODUCT(T, shared_tile<T, 32, true>) \
  PRODUCT(T, column_tile<T, 64, 64, 8, 8, false>) \
  PRODUCT(T, column_tile<T, 64, 64, 8, 8, true>) \
  PRODUCT(T, square_tile<T, 128, 128, 16, 8, 8, false, false>) \
  PRODUCT(T, square_tile<T, 128, 128, 16, 8, 8, false, true>) \
  PRODUCT(T, square_tile<T, 128, 128, 16, 8, 8, true, false>) \
  PRODUCT(T, square_tile<T, 128, 128, 16, 8, 8, true, true>) \
  PRODUCT(T, warp_tile<T, 128, 128, 16, 32, 64, 8, 8, 4, 8, false>) \
  PRODUCT(T, warp_tile<T, 128, 128, 16, 32, 64, 8, 8, 4, 8, true>)
PRODUCTS(float)
PRODUCTS(__half)
PRODUCT(__half, tensor_tile<__half, 128, 128, 16, 16, 32, 64, false>)
PRODUCT(__half, tensor_tile<__half, 128, 128, 16, 16, 32, 64, true>)
