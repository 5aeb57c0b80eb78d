// Products of square matrices in single precision, C = alpha A B + beta C, in
// the steps of a tutorial: from one element for each thread to tiles of warps.
// All matrices are row-major. No loop has a pragma: what is laid out, and so
// whether a tile is in registers, is the compiler's decision.
#include <cuda_runtime.h>


__device__ inline float4 load4(const float *from) { return *reinterpret_cast<const float4 *>(from); }
__device__ inline void store4(float *to, float4 v) { *reinterpret_cast<float4 *>(to) = v; }

// Neighbouring threads have neighbouring rows: nothing is coalesced.
__global__ void row_per_lane(int m, int n, int k, float alpha, const float *a, const float *b, float beta, float *c) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n)
    return;
  float sum = 0;
  for (int p = 0; p < k; ++p)
    sum += a[row * k + p] * b[p * n + col];
  c[row * n + col] = alpha * sum + beta * c[row * n + col];
}

// Neighbouring threads have neighbouring columns.
template <unsigned Side>
__global__ void column_per_lane(int m, int n, int k, float alpha, const float *a, const float *b, float beta, float *c) {
  const int row = blockIdx.x * Side + threadIdx.x / Side, col = blockIdx.y * Side + threadIdx.x % Side;
  if (row >= m || col >= n)
    return;
  float sum = 0;
  for (int p = 0; p < k; ++p)
    sum += a[row * k + p] * b[p * n + col];
  c[row * n + col] = alpha * sum + beta * c[row * n + col];
}

// Square tiles in shared memory, one element for each thread.
template <int Side>
__global__ void shared_tile(int m, int n, int k, float alpha, const float *a, const float *b, float beta, float *c) {
  __shared__ float tileA[Side * Side], tileB[Side * Side];
  const unsigned col = threadIdx.x % Side, row = threadIdx.x / Side;
  a += blockIdx.x * Side * k;
  b += blockIdx.y * Side;
  c += blockIdx.x * Side * n + blockIdx.y * Side;
  float sum = 0;
  for (int first = 0; first < k; first += Side) {
    tileA[row * Side + col] = a[row * k + col];
    tileB[row * Side + col] = b[row * n + col];
    __syncthreads();
    a += Side;
    b += Side * n;
    for (int p = 0; p < Side; ++p)
      sum += tileA[row * Side + p] * tileB[p * Side + col];
    __syncthreads();
  }
  c[row * n + col] = alpha * sum + beta * c[row * n + col];
}

// A column of Rows elements for each thread.
template <int TileM, int TileN, int Depth, int Rows>
__global__ void column_tile(int m, int n, int k, float alpha, const float *a, const float *b, float beta, float *c) {
  __shared__ float tileA[TileM * Depth], tileB[Depth * TileN];
  const int col = threadIdx.x % TileN, row = threadIdx.x / TileN;
  a += blockIdx.y * TileM * k;
  b += blockIdx.x * TileN;
  c += blockIdx.y * TileM * n + blockIdx.x * TileN;
  const unsigned colA = threadIdx.x % Depth, rowA = threadIdx.x / Depth;
  const unsigned colB = threadIdx.x % TileN, rowB = threadIdx.x / TileN;
  float sums[Rows] = {0.0f};
  for (unsigned first = 0; first < k; first += Depth) {
    tileA[rowA * Depth + colA] = a[rowA * k + colA];
    tileB[rowB * TileN + colB] = b[rowB * n + colB];
    __syncthreads();
    a += Depth;
    b += Depth * n;
    for (unsigned p = 0; p < Depth; ++p) {
      float x = tileB[p * TileN + col];
      for (unsigned i = 0; i < Rows; ++i)
        sums[i] += tileA[(row * Rows + i) * Depth + p] * x;
    }
    __syncthreads();
  }
  for (unsigned i = 0; i < Rows; ++i)
    c[(row * Rows + i) * n + col] = alpha * sums[i] + beta * c[(row * Rows + i) * n + col];
}

// A square of Rows x Cols elements for each thread, words loaded one by one.
template <int TileM, int TileN, int Depth, int Rows, int Cols>
__global__ void __launch_bounds__(TileM *TileN / (Rows * Cols), 1)
    square_tile(int m, int n, int k, float alpha, const float *a, const float *b, float beta, float *c) {
  constexpr unsigned Threads = TileM * TileN / (Rows * Cols);
  __shared__ float tileA[TileM * Depth], tileB[Depth * TileN];
  const int col = threadIdx.x % (TileN / Cols), row = threadIdx.x / (TileN / Cols);
  a += blockIdx.y * TileM * k;
  b += blockIdx.x * TileN;
  c += blockIdx.y * TileM * n + blockIdx.x * TileN;
  const unsigned rowA = threadIdx.x / Depth, colA = threadIdx.x % Depth;
  const unsigned rowB = threadIdx.x / TileN, colB = threadIdx.x % TileN;
  float sums[Rows * Cols] = {0.0f}, x[Rows] = {0.0f}, y[Cols] = {0.0f};
  for (unsigned first = 0; first < k; first += Depth) {
    for (unsigned skip = 0; skip < TileM; skip += Threads / Depth)
      tileA[(rowA + skip) * Depth + colA] = a[(rowA + skip) * k + colA];
    for (unsigned skip = 0; skip < Depth; skip += Threads / TileN)
      tileB[(rowB + skip) * TileN + colB] = b[(rowB + skip) * n + colB];
    __syncthreads();
    a += Depth;
    b += Depth * n;
    for (unsigned p = 0; p < Depth; ++p) {
      for (unsigned i = 0; i < Rows; ++i)
        x[i] = tileA[(row * Rows + i) * Depth + p];
      for (unsigned j = 0; j < Cols; ++j)
        y[j] = tileB[p * TileN + col * Cols + j];
      for (unsigned i = 0; i < Rows; ++i)
        for (unsigned j = 0; j < Cols; ++j)
          sums[i * Cols + j] += x[i] * y[j];
    }
    __syncthreads();
  }
  for (unsigned i = 0; i < Rows; ++i)
    for (unsigned j = 0; j < Cols; ++j) {
      const int at = (row * Rows + i) * n + col * Cols + j;
      c[at] = alpha * sums[i * Cols + j] + beta * c[at];
    }
}

// Adds the tile of one thread to C, four elements at a time.
template <int Rows, int Cols>
__device__ void update(float *c, int n, const float *sums, int pitch, float alpha, float beta) {
  for (unsigned i = 0; i < Rows; ++i)
    for (unsigned j = 0; j < Cols; j += 4) {
      float4 v = load4(c + i * n + j);
      v.x = alpha * sums[i * pitch + j] + beta * v.x;
      v.y = alpha * sums[i * pitch + j + 1] + beta * v.y;
      v.z = alpha * sums[i * pitch + j + 2] + beta * v.z;
      v.w = alpha * sums[i * pitch + j + 3] + beta * v.w;
      store4(c + i * n + j, v);
    }
}

// The place of element j of thread col in row p of the tile of B.
struct Rowwise {
  template <int TileN, int Cols> static __device__ unsigned read(unsigned p, unsigned col, unsigned j) { return p * TileN + col * Cols + j; }
  template <int TileN> static __device__ void write(float *tile, unsigned row, unsigned quad, float4 v) { store4(tile + row * TileN + quad * 4, v); }
};
// The threads of a row have neighbouring words.
struct Interleaved {
  template <int TileN, int Cols> static __device__ unsigned read(unsigned p, unsigned col, unsigned j) { return (p * 8 + j) * 16 + col; }
  template <int TileN> static __device__ void write(float *tile, unsigned row, unsigned quad, float4 v) {
    const unsigned first = quad % 2 * 4 + row * 8;
    tile[(first + 0) * 16 + quad / 2] = v.x;
    tile[(first + 1) * 16 + quad / 2] = v.y;
    tile[(first + 2) * 16 + quad / 2] = v.z;
    tile[(first + 3) * 16 + quad / 2] = v.w;
  }
};
// Rows are longer by five words.
struct Padded {
  template <int TileN, int Cols> static __device__ unsigned read(unsigned p, unsigned col, unsigned j) { return p * (TileN + 5) + col * Cols + j; }
  template <int TileN> static __device__ void write(float *tile, unsigned row, unsigned quad, float4 v) {
    float *to = tile + row * (TileN + 5) + quad * 4;
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
    to[3] = v.w;
  }
};

__device__ inline void storeTransposed(float *tile, int pitch, unsigned row, unsigned quad, float4 v) {
  tile[(quad * 4 + 0) * pitch + row] = v.x;
  tile[(quad * 4 + 1) * pitch + row] = v.y;
  tile[(quad * 4 + 2) * pitch + row] = v.z;
  tile[(quad * 4 + 3) * pitch + row] = v.w;
}

// Loads of 16 bytes; the tile of A is transposed, that of B has a layout.
template <int TileM, int TileN, int Depth, int Rows, int Cols, class Layout>
__global__ void wide_loads(int m, int n, int k, float alpha, float *a, float *b, float beta, float *c) {
  __shared__ float tileA[TileM * Depth], tileB[Depth * (TileN + 5)];
  const int col = threadIdx.x % (TileN / Cols), row = threadIdx.x / (TileN / Cols);
  a += blockIdx.y * TileM * k;
  b += blockIdx.x * TileN;
  c += blockIdx.y * TileM * n + blockIdx.x * TileN;
  const unsigned rowA = threadIdx.x / (Depth / 4), quadA = threadIdx.x % (Depth / 4);
  const unsigned rowB = threadIdx.x / (TileN / 4), quadB = threadIdx.x % (TileN / 4);
  float sums[Rows * Cols] = {0.0f}, x[Rows] = {0.0f}, y[Cols] = {0.0f};
  for (unsigned first = 0; first < k; first += Depth) {
    storeTransposed(tileA, TileM, rowA, quadA, load4(a + rowA * k + quadA * 4));
    Layout::template write<TileN>(tileB, rowB, quadB, load4(b + rowB * n + quadB * 4));
    __syncthreads();
    a += Depth;
    b += Depth * n;
    for (unsigned p = 0; p < Depth; ++p) {
      for (unsigned i = 0; i < Rows; ++i)
        x[i] = tileA[p * TileM + row * Rows + i];
      for (unsigned j = 0; j < Cols; ++j)
        y[j] = tileB[Layout::template read<TileN, Cols>(p, col, j)];
      for (unsigned i = 0; i < Rows; ++i)
        for (unsigned j = 0; j < Cols; ++j)
          sums[i * Cols + j] += x[i] * y[j];
    }
    __syncthreads();
  }
  update<Rows, Cols>(c + row * Rows * n + col * Cols, n, sums, Cols, alpha, beta);
}

// Copies a tile of A, transposed, and one of B, by Threads threads.
template <int TileM, int TileN, int Depth, int Threads>
__device__ void copyTiles(int n, int k, const float *a, const float *b, float *tileA, float *tileB, unsigned thread) {
  const unsigned rowA = thread / (Depth / 4), quadA = thread % (Depth / 4);
  const unsigned rowB = thread / (TileN / 4), quadB = thread % (TileN / 4);
  constexpr unsigned StepA = Threads * 4 / Depth, StepB = Threads / (TileN / 4);
  for (unsigned skip = 0; skip + StepA <= TileM; skip += StepA)
    storeTransposed(tileA, TileM, rowA + skip, quadA, load4(a + (rowA + skip) * k + quadA * 4));
  for (unsigned skip = 0; skip + StepB <= Depth; skip += StepB)
    store4(tileB + (rowB + skip) * TileN + quadB * 4, load4(b + (rowB + skip) * n + quadB * 4));
}

// The sizes that a search found best.
template <int TileM, int TileN, int Depth, int Rows, int Cols>
__global__ void __launch_bounds__(256) tuned_tile(int m, int n, int k, float alpha, float *a, float *b, float beta, float *c) {
  constexpr int StepM = Rows * 16, StepN = Cols * 16, RepeatM = (TileM + StepM - 1) / StepM, RepeatN = (TileN + StepN - 1) / StepN;
  __shared__ float tileA[TileM * Depth], tileB[Depth * TileN];
  const int col = threadIdx.x % 16, row = threadIdx.x / 16;
  a += blockIdx.y * TileM * k;
  b += blockIdx.x * TileN;
  c += blockIdx.y * TileM * n + blockIdx.x * TileN;
  float sums[RepeatM * RepeatN * Rows * Cols] = {0.0f}, x[Rows] = {0.0f}, y[Cols] = {0.0f};
  for (unsigned first = 0; first < k; first += Depth) {
    copyTiles<TileM, TileN, Depth, 256>(n, k, a, b, tileA, tileB, threadIdx.x);
    __syncthreads();
    for (unsigned u = 0; u < RepeatM; ++u)
      for (unsigned v = 0; v < RepeatN; ++v)
        for (unsigned p = 0; p < Depth; ++p) {
          for (unsigned i = 0; i < Rows; ++i)
            x[i] = tileA[p * TileM + u * StepM + row * Rows + i];
          for (unsigned j = 0; j < Cols; ++j)
            y[j] = tileB[p * TileN + v * StepN + col * Cols + j];
          for (unsigned i = 0; i < Rows; ++i)
            for (unsigned j = 0; j < Cols; ++j)
              sums[(u * Rows + i) * RepeatN * Cols + v * Cols + j] += x[i] * y[j];
        }
    __syncthreads();
    a += Depth;
    b += Depth * n;
  }
  for (unsigned u = 0; u < RepeatM; ++u)
    for (unsigned v = 0; v < RepeatN; ++v)
      update<Rows, Cols>(c + (u * StepM + row * Rows) * n + v * StepN + col * Cols, n, sums + u * Rows * RepeatN * Cols + v * Cols, RepeatN * Cols, alpha, beta);
}

// The tile of a warp, WarpM x WarpN, of which each thread has RepeatM x RepeatN
// pieces of Rows x Cols elements.
template <int TileM, int TileN, int Depth, int WarpM, int WarpN, int RepeatN, int Rows, int Cols>
struct WarpTile {
  static constexpr unsigned RepeatM = WarpM * WarpN / (32 * Rows * Cols * RepeatN);
  static constexpr unsigned PieceM = WarpM / RepeatM, PieceN = WarpN / RepeatN;
  unsigned warpRow, warpCol, row, col;

  __device__ explicit WarpTile(unsigned thread) {
    warpCol = thread / 32 % (TileN / WarpN);
    warpRow = thread / 32 / (TileN / WarpN);
    col = thread % 32 % (PieceN / Cols);
    row = thread % 32 / (PieceN / Cols);
  }
  __device__ void multiply(float *x, float *y, float *sums, const float *tileA, const float *tileB) const {
    for (unsigned p = 0; p < Depth; ++p) {
      for (unsigned u = 0; u < RepeatM; ++u)
        for (unsigned i = 0; i < Rows; ++i)
          x[u * Rows + i] = tileA[p * TileM + warpRow * WarpM + u * PieceM + row * Rows + i];
      for (unsigned v = 0; v < RepeatN; ++v)
        for (unsigned j = 0; j < Cols; ++j)
          y[v * Cols + j] = tileB[p * TileN + warpCol * WarpN + v * PieceN + col * Cols + j];
      for (unsigned u = 0; u < RepeatM; ++u)
        for (unsigned v = 0; v < RepeatN; ++v)
          for (unsigned i = 0; i < Rows; ++i)
            for (unsigned j = 0; j < Cols; ++j)
              sums[(u * Rows + i) * RepeatN * Cols + v * Cols + j] += x[u * Rows + i] * y[v * Cols + j];
    }
  }
  __device__ void finish(float *c, int n, const float *sums, float alpha, float beta) const {
    for (unsigned u = 0; u < RepeatM; ++u)
      for (unsigned v = 0; v < RepeatN; ++v)
        update<Rows, Cols>(c + (warpRow * WarpM + u * PieceM + row * Rows) * n + warpCol * WarpN + v * PieceN + col * Cols, n, sums + u * Rows * RepeatN * Cols + v * Cols, RepeatN * Cols, alpha, beta);
  }
};

template <int TileM, int TileN, int Depth, int WarpM, int WarpN, int RepeatN, int Rows, int Cols, int Threads>
__global__ void __launch_bounds__(Threads) warp_tile(int m, int n, int k, float alpha, float *a, float *b, float beta, float *c) {
  using Tile = WarpTile<TileM, TileN, Depth, WarpM, WarpN, RepeatN, Rows, Cols>;
  __shared__ float tileA[TileM * Depth], tileB[Depth * TileN];
  const Tile tile(threadIdx.x);
  a += blockIdx.y * TileM * k;
  b += blockIdx.x * TileN;
  c += blockIdx.y * TileM * n + blockIdx.x * TileN;
  float sums[Tile::RepeatM * Rows * RepeatN * Cols] = {0.0f}, x[Tile::RepeatM * Rows] = {0.0f}, y[RepeatN * Cols] = {0.0f};
  for (unsigned first = 0; first < k; first += Depth) {
    copyTiles<TileM, TileN, Depth, Threads>(n, k, a, b, tileA, tileB, threadIdx.x);
    __syncthreads();
    tile.multiply(x, y, sums, tileA, tileB);
    a += Depth;
    b += Depth * n;
    __syncthreads();
  }
  tile.finish(c, n, sums, alpha, beta);
}

// Half of the threads copies one pair of tiles while the other half multiplies
// another one.
template <int TileM, int TileN, int Depth, int WarpM, int WarpN, int RepeatN, int Rows, int Cols, int Threads>
__global__ void __launch_bounds__(Threads) two_buffers(int m, int n, int k, float alpha, float *a, float *b, float beta, float *c) {
  using Tile = WarpTile<TileM, TileN, Depth, WarpM, WarpN, RepeatN, Rows, Cols>;
  __shared__ float tileA[2 * TileM * Depth], tileB[2 * Depth * TileN];
  float *secondA = tileA + TileM * Depth, *secondB = tileB + Depth * TileN;
  const Tile tile(threadIdx.x);
  const bool late = threadIdx.x >= Threads / 2;
  const unsigned half = threadIdx.x % (Threads / 2);
  a += blockIdx.y * TileM * k;
  b += blockIdx.x * TileN;
  c += blockIdx.y * TileM * n + blockIdx.x * TileN;
  float sums[Tile::RepeatM * Rows * RepeatN * Cols] = {0.0f}, x[Tile::RepeatM * Rows] = {0.0f}, y[RepeatN * Cols] = {0.0f};
  if (!late)
    copyTiles<TileM, TileN, Depth, Threads / 2>(n, k, a, b, tileA, tileB, half);
  __syncthreads();
  for (unsigned first = 0; first < k; first += 2 * Depth) {
    if (late) {
      if (first + Depth < k)
        copyTiles<TileM, TileN, Depth, Threads / 2>(n, k, a + Depth, b + Depth * n, secondA, secondB, half);
      __syncthreads();
      tile.multiply(x, y, sums, tileA, tileB);
      __syncthreads();
      if (first + Depth < k)
        tile.multiply(x, y, sums, secondA, secondB);
    } else {
      tile.multiply(x, y, sums, tileA, tileB);
      __syncthreads();
      if (first + Depth < k)
        tile.multiply(x, y, sums, secondA, secondB);
      __syncthreads();
      if (first + 2 * Depth < k)
        copyTiles<TileM, TileN, Depth, Threads / 2>(n, k, a + 2 * Depth, b + 2 * Depth * n, tileA, tileB, half);
    }
    a += 2 * Depth;
    b += 2 * Depth * n;
    __syncthreads();
  }
  tile.finish(c, n, sums, alpha, beta);
}

#define PRODUCT(...) template __global__ void __VA_ARGS__(int, int, int, float, const float *, const float *, float, float *);
#define PRODUCT_IN_PLACE(...) template __global__ void __VA_ARGS__(int, int, int, float, float *, float *, float, float *);
PRODUCT(column_per_lane<32>)
PRODUCT(shared_tile<32>)
PRODUCT(column_tile<64, 64, 8, 8>)
PRODUCT(square_tile<128, 128, 8, 8, 8>)
PRODUCT_IN_PLACE(wide_loads<128, 128, 8, 8, 8, Rowwise>)
PRODUCT_IN_PLACE(wide_loads<128, 128, 8, 8, 8, Interleaved>)
PRODUCT_IN_PLACE(wide_loads<128, 128, 8, 8, 8, Padded>)
PRODUCT_IN_PLACE(tuned_tile<128, 128, 16, 8, 8>)
PRODUCT_IN_PLACE(warp_tile<128, 128, 16, 64, 64, 4, 8, 4, 128>)
PRODUCT_IN_PLACE(two_buffers<128, 256, 16, 128, 32, 1, 8, 8, 256>)
