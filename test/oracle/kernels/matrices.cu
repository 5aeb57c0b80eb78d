// Products, transposes and walks over matrices.
#define X int(blockIdx.x * blockDim.x + threadIdx.x)
#define Y int(blockIdx.y * blockDim.y + threadIdx.y)

extern "C" __global__ void matmul(const float *a, const float *b, float *c,
                                  int n) {
  int x = X, y = Y;
  if (x >= n || y >= n)
    return;
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[y * n + k] * b[k * n + x];
  c[y * n + x] = s;
}

// Rows along x: every lane another row of a.
extern "C" __global__ void matmulByColumns(const float *a, const float *b,
                                           float *c, int n) {
  int row = X, column = Y;
  if (row >= n || column >= n)
    return;
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[row * n + k] * b[k * n + column];
  c[row * n + column] = s;
}

// Blocks of 16 x 16, n a multiple of 16.
extern "C" __global__ void matmulTiled(const float *a, const float *b, float *c,
                                       int n) {
  __shared__ float as[16][16], bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, x = X, y = Y;
  float s = 0;
  for (int t = 0; t < n / 16; ++t) {
    as[ty][tx] = a[y * n + t * 16 + tx];
    bs[ty][tx] = b[(t * 16 + ty) * n + x];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      s += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[y * n + x] = s;
}

// Four columns for each thread.
extern "C" __global__ void matmulCoarsened(const float *a, const float *b,
                                           float *c, int n) {
  int x = blockIdx.x * blockDim.x * 4 + threadIdx.x, y = Y, w = blockDim.x;
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (int k = 0; k < n; ++k) {
    float v = a[y * n + k];
    s0 += v * b[k * n + x];
    s1 += v * b[k * n + x + w];
    s2 += v * b[k * n + x + 2 * w];
    s3 += v * b[k * n + x + 3 * w];
  }
  c[y * n + x] = s0;
  c[y * n + x + w] = s1;
  c[y * n + x + 2 * w] = s2;
  c[y * n + x + 3 * w] = s3;
}

// One small product for each block of m x m threads.
extern "C" __global__ void batched(const float *a, const float *b, float *c,
                                   int m) {
  int x = threadIdx.x, y = threadIdx.y, base = blockIdx.x * m * m;
  float s = 0;
  for (int k = 0; k < m; ++k)
    s += a[base + y * m + k] * b[base + k * m + x];
  c[base + y * m + x] = s;
}

// One small product for each thread.
extern "C" __global__ void batchedByThread(const float *a, const float *x,
                                           float *y, int m, int n) {
  int i = X;
  if (i >= n)
    return;
  for (int r = 0; r < m; ++r) {
    float s = 0;
    for (int k = 0; k < m; ++k)
      s += a[(i * m + r) * m + k] * x[i * m + k];
    y[i * m + r] = s;
  }
}

extern "C" __global__ void transpose(const float *a, float *b, int n) {
  int x = X, y = Y;
  if (x < n && y < n)
    b[x * n + y] = a[y * n + x];
}

extern "C" __global__ void transposeByRows(const float *a, float *b, int n) {
  int x = X, y = Y;
  if (x < n && y < n)
    b[y * n + x] = a[x * n + y];
}

// Blocks of 32 x 8 over tiles of 32 x 32.
extern "C" __global__ void transposeTiled(const float *a, float *b, int n) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int r = 0; r < 32; r += 8)
    tile[threadIdx.y + r][threadIdx.x] = a[(y + r) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int r = 0; r < 32; r += 8)
    b[(y + r) * n + x] = tile[threadIdx.x][threadIdx.y + r];
}

extern "C" __global__ void transposePadded(const float *a, float *b, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int r = 0; r < 32; r += 8)
    tile[threadIdx.y + r][threadIdx.x] = a[(y + r) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int r = 0; r < 32; r += 8)
    b[(y + r) * n + x] = tile[threadIdx.x][threadIdx.y + r];
}

// A thread for each row: every lane in another row.
extern "C" __global__ void rowWalk(const float *a, const float *x, float *y,
                                   int n) {
  int i = X;
  if (i >= n)
    return;
  float s = 0;
  for (int j = 0; j < n; ++j)
    s += a[i * n + j] * x[j];
  y[i] = s;
}

// A thread for each column.
extern "C" __global__ void columnWalk(const float *a, const float *x, float *y,
                                      int n) {
  int j = X;
  if (j >= n)
    return;
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += a[i * n + j] * x[i];
  y[j] = s;
}

extern "C" __global__ void twoRowWalks(const float *a, const float *b,
                                       const float *x, float *y, int n) {
  int i = X;
  if (i >= n)
    return;
  float s = 0, t = 0;
  for (int j = 0; j < n; ++j) {
    s += a[i * n + j] * x[j];
    t += b[i * n + j] * x[j];
  }
  y[i] = 1.5f * s + 0.5f * t;
}

// a times its transpose.
extern "C" __global__ void rankUpdate(const float *a, float *c, int n, int m) {
  int j = X, i = Y;
  if (i >= n || j >= n)
    return;
  float s = c[i * n + j];
  for (int k = 0; k < m; ++k)
    s += a[i * m + k] * a[j * m + k];
  c[i * n + j] = s;
}

extern "C" __global__ void rankTwoUpdate(const float *a, const float *b,
                                         float *c, int n, int m) {
  int j = X, i = Y;
  if (i >= n || j >= n)
    return;
  float s = c[i * n + j];
  for (int k = 0; k < m; ++k)
    s += a[i * m + k] * b[j * m + k] + b[i * m + k] * a[j * m + k];
  c[i * n + j] = s;
}

// The lower triangle, by rows.
extern "C" __global__ void triangular(const float *a, const float *x, float *y,
                                      int n) {
  int i = X;
  if (i >= n)
    return;
  float s = 0;
  for (int j = 0; j <= i; ++j)
    s += a[i * n + j] * x[j];
  y[i] = s;
}

// The upper triangle, down the columns.
extern "C" __global__ void triangularColumns(const float *a, const float *x,
                                             float *y, int n) {
  int j = X;
  if (j >= n)
    return;
  float s = 0;
  for (int i = 0; i <= j; ++i)
    s += a[i * n + j] * x[i];
  y[j] = s;
}

// The outer product is added in place.
extern "C" __global__ void outer(float *a, const float *u, const float *v,
                                 int n) {
  int x = X, y = Y;
  if (x < n && y < n)
    a[y * n + x] += u[y] * v[x];
}

// A warp for each row.
extern "C" __global__ void warpRow(const float *a, const float *x, float *y,
                                   int n) {
  int row = X / 32, lane = threadIdx.x % 32;
  if (row >= n)
    return;
  float s = 0;
  for (int j = lane; j < n; j += 32)
    s += a[row * n + j] * x[j];
  for (int d = 16; d; d /= 2)
    s += __shfl_down_sync(~0u, s, d);
  if (lane == 0)
    y[row] = s;
}
