// Neighbours on grids of one, two and three dimensions.
#define X int(blockIdx.x * blockDim.x + threadIdx.x)
#define Y int(blockIdx.y * blockDim.y + threadIdx.y)
#define Z int(blockIdx.z * blockDim.z + threadIdx.z)

extern "C" __global__ void stencil1d(const float *a, float *b, int n) {
  int i = X + 1;
  if (i < n - 1)
    b[i] = 0.25f * a[i - 1] + 0.5f * a[i] + 0.25f * a[i + 1];
}

extern "C" __global__ void stencil1dWide(const float *a, float *b, int n) {
  int i = X + 8;
  if (i < n - 8) {
    float s = 0;
#pragma unroll
    for (int d = -8; d <= 8; ++d)
      s += a[i + d];
    b[i] = s;
  }
}

extern "C" __global__ void fivePoint(const float *a, float *b, int n) {
  int x = X + 1, y = Y + 1;
  if (x < n - 1 && y < n - 1)
    b[y * n + x] = 0.2f * (a[y * n + x] + a[y * n + x - 1] + a[y * n + x + 1] +
                           a[(y - 1) * n + x] + a[(y + 1) * n + x]);
}

extern "C" __global__ void ninePoint(const double *a, double *b, int n) {
  int x = X + 1, y = Y + 1;
  if (x < n - 1 && y < n - 1) {
    double s = 0;
#pragma unroll
    for (int dy = -1; dy <= 1; ++dy)
#pragma unroll
      for (int dx = -1; dx <= 1; ++dx)
        s += a[(y + dy) * n + x + dx];
    b[y * n + x] = s;
  }
}

// Two cells away in each direction.
extern "C" __global__ void star(const float *a, float *b, int n) {
  int x = X + 2, y = Y + 2;
  if (x < n - 2 && y < n - 2)
    b[y * n + x] = a[y * n + x] + a[y * n + x - 2] + a[y * n + x - 1] +
                   a[y * n + x + 1] + a[y * n + x + 2] + a[(y - 2) * n + x] +
                   a[(y - 1) * n + x] + a[(y + 1) * n + x] +
                   a[(y + 2) * n + x];
}

// A clamped border, as image filters have it.
extern "C" __global__ void clamped(const float *a, float *b, int n) {
  int x = X, y = Y;
  if (x >= n || y >= n)
    return;
  int left = max(x - 1, 0), right = min(x + 1, n - 1);
  int up = max(y - 1, 0), down = min(y + 1, n - 1);
  b[y * n + x] = a[y * n + left] + a[y * n + right] + a[up * n + x] +
                 a[down * n + x] - 4 * a[y * n + x];
}

// Tile and halo in shared memory; blocks of 16 x 16.
extern "C" __global__ void tiledFivePoint(const float *a, float *b, int n) {
  __shared__ float tile[18][18];
  int x = X + 1, y = Y + 1, tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  if (x >= n - 1 || y >= n - 1)
    return;
  tile[ty][tx] = a[y * n + x];
  if (threadIdx.x == 0)
    tile[ty][0] = a[y * n + x - 1];
  if (threadIdx.x == 15)
    tile[ty][17] = a[y * n + x + 1];
  if (threadIdx.y == 0)
    tile[0][tx] = a[(y - 1) * n + x];
  if (threadIdx.y == 15)
    tile[17][tx] = a[(y + 1) * n + x];
  __syncthreads();
  b[y * n + x] = tile[ty][tx] + tile[ty][tx - 1] + tile[ty][tx + 1] +
                 tile[ty - 1][tx] + tile[ty + 1][tx];
}

extern "C" __global__ void sevenPoint(const float *a, float *b, int n) {
  int x = X + 1, y = Y + 1, z = Z + 1;
  if (x < n - 1 && y < n - 1 && z < n - 1) {
    int i = (z * n + y) * n + x;
    b[i] = a[i] + a[i - 1] + a[i + 1] + a[i - n] + a[i + n] + a[i - n * n] +
           a[i + n * n];
  }
}

extern "C" __global__ void sevenPointMarching(const float *a, float *b, int n,
                                              int nz) {
  int x = X + 1, y = Y + 1;
  if (x >= n - 1 || y >= n - 1)
    return;
  for (int z = 1; z < nz - 1; ++z) {
    int i = (z * n + y) * n + x;
    b[i] = a[i] + a[i - 1] + a[i + 1] + a[i - n] + a[i + n] + a[i - n * n] +
           a[i + n * n];
  }
}

extern "C" __global__ void twentySevenPoint(const float *a, float *b, int n) {
  int x = X + 1, y = Y + 1, z = Z + 1;
  if (x < n - 1 && y < n - 1 && z < n - 1) {
    float s = 0;
#pragma unroll
    for (int dz = -1; dz <= 1; ++dz)
#pragma unroll
      for (int dy = -1; dy <= 1; ++dy)
#pragma unroll
        for (int dx = -1; dx <= 1; ++dx)
          s += a[((z + dz) * n + y + dy) * n + x + dx];
    b[(z * n + y) * n + x] = s;
  }
}

// The rows above and below a strip, kept apart for an exchange.
extern "C" __global__ void haloRows(const float *a, float *halo, int n,
                                    int rows) {
  int x = X;
  if (x >= n)
    return;
  int strip = blockIdx.y;
  halo[(2 * strip) * n + x] = a[strip * rows * n + x];
  halo[(2 * strip + 1) * n + x] = a[(strip * rows + rows - 1) * n + x];
}

// Several fields in one place.
extern "C" __global__ void hydro(const float *p, const float *u, const float *v,
                                 float *un, float *vn, int n) {
  int x = X + 1, y = Y + 1;
  if (x < n - 1 && y < n - 1) {
    int i = y * n + x;
    un[i] = u[i] - (p[i + 1] - p[i - 1]) + v[i] * (u[i + n] - u[i - n]);
    vn[i] = v[i] - (p[i + n] - p[i - n]) + u[i] * (v[i + 1] - v[i - 1]);
  }
}

extern "C" __global__ void average2x2(const float *a, float *b, int n) {
  int x = X, y = Y;
  if (x < n && y < n)
    b[y * n + x] = a[2 * y * 2 * n + 2 * x] + a[2 * y * 2 * n + 2 * x + 1] +
                   a[(2 * y + 1) * 2 * n + 2 * x] +
                   a[(2 * y + 1) * 2 * n + 2 * x + 1];
}
