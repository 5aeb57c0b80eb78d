// Convolutions and pooling.
#define X int(blockIdx.x * blockDim.x + threadIdx.x)
#define Y int(blockIdx.y * blockDim.y + threadIdx.y)

extern "C" __global__ void convolve1d(const float *a, const float *w, float *b,
                                      int n, int taps) {
  int i = X;
  if (i >= n)
    return;
  float s = 0;
  for (int k = 0; k < taps; ++k)
    s += w[k] * a[i + k];
  b[i] = s;
}

extern "C" __global__ void convolve2d(const float *a, const float *w, float *b,
                                      int n, int size) {
  int x = X, y = Y, pitch = n + size - 1;
  if (x >= n || y >= n)
    return;
  float s = 0;
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j)
      s += w[i * size + j] * a[(y + i) * pitch + x + j];
  b[y * n + x] = s;
}

__constant__ float weights[25];

extern "C" __global__ void convolveConstant(const float *a, float *b, int n) {
  int x = X, y = Y, pitch = n + 4;
  if (x >= n || y >= n)
    return;
  float s = 0;
#pragma unroll
  for (int i = 0; i < 5; ++i)
#pragma unroll
    for (int j = 0; j < 5; ++j)
      s += weights[i * 5 + j] * a[(y + i) * pitch + x + j];
  b[y * n + x] = s;
}

extern "C" __global__ void convolveRows(const float *a, const float *w,
                                        float *b, int n, int taps) {
  int x = X, y = Y, pitch = n + taps - 1;
  if (x >= n || y >= n)
    return;
  float s = 0;
  for (int k = 0; k < taps; ++k)
    s += w[k] * a[y * pitch + x + k];
  b[y * n + x] = s;
}

extern "C" __global__ void convolveColumns(const float *a, const float *w,
                                           float *b, int n, int taps) {
  int x = X, y = Y;
  if (x >= n || y >= n)
    return;
  float s = 0;
  for (int k = 0; k < taps; ++k)
    s += w[k] * a[(y + k) * n + x];
  b[y * n + x] = s;
}

// Channels of one image, a channel for each block in z.
extern "C" __global__ void channels(const float *a, const float *w, float *b,
                                    int n, int depth) {
  int x = X, y = Y, out = blockIdx.z, pitch = n + 2;
  if (x >= n || y >= n)
    return;
  float s = 0;
  for (int c = 0; c < depth; ++c)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        s += w[((out * depth + c) * 3 + i) * 3 + j] *
             a[(c * (n + 2) + y + i) * pitch + x + j];
  b[(out * n + y) * n + x] = s;
}

extern "C" __global__ void pool(const float *a, float *b, int n, int window) {
  int x = X, y = Y, pitch = n * window;
  if (x >= n || y >= n)
    return;
  float m = 0;
  for (int i = 0; i < window; ++i)
    for (int j = 0; j < window; ++j)
      m = fmaxf(m, a[(y * window + i) * pitch + x * window + j]);
  b[y * n + x] = m;
}

extern "C" __global__ void enlarge(const float *a, float *b, int n) {
  int x = X, y = Y;
  if (x < n && y < n)
    b[y * n + x] = a[y / 2 * (n / 2) + x / 2];
}
