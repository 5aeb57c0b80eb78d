// A two-dimensional convolution of 4096x4096 pixels with a filter in constant
// memory: tiles of outputs for each thread, the input from global memory or
// staged in shared memory.

#include <hip/hip_runtime.h>

#define IMAGE 4096
#define BORDER_X (filter_width / 2 * 2)
#define BORDER_Y (filter_height / 2 * 2)
#define INPUT_X (IMAGE + BORDER_X)
#define INPUT_Y (IMAGE + BORDER_Y)
#define TILE_X (block_size_x * tile_size_x)
#define TILE_Y (block_size_y * tile_size_y)
#define ROW_X (TILE_X + BORDER_X)
#define ROW_Y (TILE_Y + BORDER_Y)
#define IS_EXACT (IMAGE % TILE_X == 0 && IMAGE % TILE_Y == 0)

// Columns that put the rows of a tile into different banks.
#if use_padding == 1 && block_size_x % 32 != 0 &&                              \
    (ROW_X - block_size_x) % 32 != 0
#define PITCH (ROW_X + ((32 - (ROW_X - block_size_x)) & 31))
#else
#define PITCH ROW_X
#endif

#if read_only == 1
#define LOAD(INDEX) __ldg(input + (INDEX))
#else
#define LOAD(INDEX) input[INDEX]
#endif

__constant__ float weights[33 * 33];

#define INDEX(Y, X) ((Y) * INPUT_X + (X))

// Rows of the filter that the measured builds unrolled: all where that gave
// less than LLVM's limit, else the largest divisor that did (README.md).
#define OUTPUTS (tile_size_x * tile_size_y)
#define IS_GUARDED (use_shmem == 0 && !IS_EXACT)
#if IS_GUARDED && (OUTPUTS == 16 || tile_size_x == 3 && tile_size_y == 4)
#define UNROLLED_ROWS 3
#elif IS_GUARDED && OUTPUTS >= 4 && tile_size_x != 4 * tile_size_y ||          \
    use_shmem == 1 && OUTPUTS >= 12 || OUTPUTS == 16
#define UNROLLED_ROWS 5
#else
#define UNROLLED_ROWS filter_height
#endif

__global__ void convolution(float *output, float *input) {
  const int firstX = blockIdx.x * TILE_X, firstY = blockIdx.y * TILE_Y;
  const int tx = threadIdx.x, ty = threadIdx.y;
#if use_shmem == 1
  __shared__ float tile[ROW_Y][PITCH];
#pragma unroll
  for (int y = ty; y < ROW_Y; y += block_size_y)
#pragma unroll
    for (int x = tx; x < ROW_X; x += block_size_x) {
      float pixel = 0;
      if (IS_EXACT || (firstY + y < INPUT_Y && firstX + x < INPUT_X))
        pixel = LOAD(INDEX(firstY + y, firstX + x));
      tile[y][x] = pixel;
    }
  __syncthreads();
#endif

  float sum[tile_size_y][tile_size_x];
#pragma unroll
  for (int v = 0; v < tile_size_y; ++v)
#pragma unroll
    for (int u = 0; u < tile_size_x; ++u)
      sum[v][u] = 0;
#pragma unroll UNROLLED_ROWS
  for (int i = 0; i < filter_height; ++i)
#pragma unroll
    for (int j = 0; j < filter_width; ++j)
#pragma unroll
      for (int v = 0; v < tile_size_y; ++v)
#pragma unroll
        for (int u = 0; u < tile_size_x; ++u) {
          const int dy = v * block_size_y, dx = u * block_size_x;
#if use_shmem == 1
          const float pixel = tile[ty + dy + i][tx + dx + j];
#else
          const int y = firstY + ty + dy, x = firstX + tx + dx;
          float pixel = 0;
          if (IS_EXACT || (y < INPUT_Y && x < INPUT_X))
            pixel = LOAD(INDEX(y + i, x + j));
#endif
          sum[v][u] += pixel * weights[i * filter_width + j];
        }
#pragma unroll
  for (int v = 0; v < tile_size_y; ++v)
#pragma unroll
    for (int u = 0; u < tile_size_x; ++u) {
      const int y = firstY + ty + v * block_size_y;
      const int x = firstX + tx + u * block_size_x;
      if (IS_EXACT || (y < IMAGE && x < IMAGE))
        output[y * IMAGE + x] = sum[v][u];
    }
}
