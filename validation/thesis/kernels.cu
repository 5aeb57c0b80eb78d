// Red/black SOR, local modified SOR and the matrix product of Konstantinidis
// (2017), written from the equations and from what the thesis reports of the
// instructions executed. README.md tells how the layout was deduced.

// The elements of each colour are kept in an array of their own, row by row:
// element (i, j) of a square grid of N + 2 rows, boundary included, is number
// j / 2 of row i of the array of its colour. Red is where i + j is odd.
//
// With red elements in odd columns (even rows), the neighbours on the left and
// on the right are numbers c and c + 1 of the other colour; in odd rows c - 1
// and c.
#define TILE_WIDTH 64
#define TILE_ROWS 4

// One sweep over the red elements. A block of 64 x 2 threads holds 64 x 4 black
// elements and their neighbours in shared memory; a thread updates two rows.
extern "C" __global__ void sorRed(double *__restrict__ red,
                                  const double *__restrict__ black,
                                  double omega, int n, int pitch) {
  // A row of black elements with one more at either end.
  __shared__ double tile[TILE_ROWS + 2][TILE_WIDTH + 2];
  int last = n / 2;
  int c = blockIdx.x * TILE_WIDTH + threadIdx.x;
  int row = 1 + blockIdx.y * TILE_ROWS + 2 * threadIdx.y; // odd
  int x = threadIdx.x + 1, y = 1 + 2 * threadIdx.y;
  int odd = row * pitch + c, even = odd + pitch;

  if (c <= last) {
    tile[y][x] = black[odd];
    tile[y + 1][x] = black[even];
    if (threadIdx.y == 0)
      tile[0][x] = black[odd - pitch];
    else
      tile[TILE_ROWS + 1][x] = black[even + pitch];
    if (threadIdx.x == 0 && c > 0)
      tile[y][0] = black[odd - 1];
    if (threadIdx.x == TILE_WIDTH - 1 && c < last)
      tile[y + 1][TILE_WIDTH + 1] = black[even + 1];
  }
  __syncthreads();

  double keep = 1.0 - omega;
  if (c > 0 && c <= last) {
    double sum = tile[y][x - 1] + tile[y][x] + tile[y - 1][x] + tile[y + 1][x];
    red[odd] = keep * red[odd] + omega * (0.25 * sum);
  }
  if (c < last) {
    double sum =
        tile[y + 1][x] + tile[y + 1][x + 1] + tile[y][x] + tile[y + 2][x];
    red[even] = keep * red[even] + omega * (0.25 * sum);
  }
}

// One sweep over the red elements with a relaxation factor for each element and
// coefficients that follow from f and g (the scaled convection coefficients).
// A block of 64 x 4 threads, one element each; the grid covers the boundary
// rows.
extern "C" __global__ void
lmsorRed(double *__restrict__ red, const double *__restrict__ black,
         const double *__restrict__ omega, const double *__restrict__ f,
         const double *__restrict__ g, int n, int pitch) {
  __shared__ double tile[TILE_ROWS + 2][TILE_WIDTH + 2];
  int last = n / 2;
  int c = blockIdx.x * TILE_WIDTH + threadIdx.x;
  int row = blockIdx.y * TILE_ROWS + threadIdx.y;
  int x = threadIdx.x + 1, y = threadIdx.y + 1;
  int at = row * pitch + c;
  bool odd = threadIdx.y & 1; // as the row: tiles begin at even rows

  if (c <= last && row <= n + 1) {
    tile[y][x] = black[at];
    if (threadIdx.y == 0 && row > 0)
      tile[0][x] = black[at - pitch];
    if (threadIdx.y == TILE_ROWS - 1 && row <= n)
      tile[TILE_ROWS + 1][x] = black[at + pitch];
    if (odd && threadIdx.x == 0 && c > 0)
      tile[y][0] = black[at - 1];
    if (!odd && threadIdx.x == TILE_WIDTH - 1 && c < last)
      tile[y][TILE_WIDTH + 1] = black[at + 1];
  }
  __syncthreads();

  if (row >= 1 && row <= n && c >= odd && c < last + odd) {
    double w = omega[at];
    double toLeft = 0.25 * (1.0 + f[at]), toRight = 0.25 * (1.0 - f[at]);
    double toUpper = 0.25 * (1.0 + g[at]), toLower = 0.25 * (1.0 - g[at]);
    red[at] = w * toLeft * tile[y][x - odd] +
              w * toRight * tile[y][x - odd + 1] +
              w * toUpper * tile[y - 1][x] + w * toLower * tile[y + 1][x] +
              (1.0 - w) * red[at];
  }
}

// C = A * B, row-major, a tile of TILE x TILE results for a block of as many
// threads. Four elements of a row of A at a time are read from shared memory.
// At most 32 registers per thread, as on Fermi with blocks of 1024 threads.
#ifndef TILE
#define TILE 32
#endif

extern "C" __launch_bounds__(TILE *TILE, 2048 / (TILE * TILE)) __global__
    void sgemm(const float *__restrict__ A, const float *__restrict__ B,
               float *__restrict__ C, int n, int inner) {
  __shared__ float4 tileA[TILE][TILE / 4];
  __shared__ float tileB[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0.0f;
  for (int k = 0; k < inner; k += TILE) {
    ((float *)tileA[y])[x] = A[row * inner + k + x];
    tileB[y][x] = B[(k + y) * n + column];
    __syncthreads();
#pragma unroll
    for (int t = 0; t < TILE / 4; ++t) {
      float4 a = tileA[y][t];
      sum += a.x * tileB[4 * t][x];
      sum += a.y * tileB[4 * t + 1][x];
      sum += a.z * tileB[4 * t + 2][x];
      sum += a.w * tileB[4 * t + 3][x];
    }
    __syncthreads();
  }
  C[row * n + column] = sum;
}
