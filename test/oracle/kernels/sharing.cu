// Shared memory, atomics, private arrays, data-dependent addresses.
#define AT int(blockIdx.x * blockDim.x + threadIdx.x)

extern "C" __global__ void reduce(const float *a, float *out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x, i = AT;
  s[t] = i < n ? a[i] : 0;
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (t < d)
      s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}

// Neighbours first: strides that meet in the banks.
extern "C" __global__ void reduceInterleaved(const float *a, float *out,
                                             int n) {
  __shared__ float s[256];
  int t = threadIdx.x, i = AT;
  s[t] = i < n ? a[i] : 0;
  __syncthreads();
#pragma unroll
  for (int d = 1; d < 256; d *= 2) {
    int k = 2 * d * t;
    if (k < 256)
      s[k] += s[k + d];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}

extern "C" __global__ void scan(const float *a, float *out, int n) {
  __shared__ float s[2][256];
  int t = threadIdx.x, i = AT, from = 0;
  s[0][t] = i < n ? a[i] : 0;
  __syncthreads();
#pragma unroll
  for (int d = 1; d < 256; d *= 2) {
    float v = s[from][t];
    if (t >= d)
      v += s[from][t - d];
    from = 1 - from;
    s[from][t] = v;
    __syncthreads();
  }
  if (i < n)
    out[i] = s[from][t];
}

extern "C" __global__ void conflicts(const float *a, float *out, int stride) {
  __shared__ float s[32 * 33];
  int t = threadIdx.x % 32;
  s[t * stride] = a[AT];
  __syncthreads();
  out[AT] = s[(31 - t) * stride];
}

extern "C" __global__ void conflictsDouble(const double *a, double *out,
                                           int stride) {
  __shared__ double s[32 * 17];
  int t = threadIdx.x % 32;
  s[t * stride] = a[AT];
  __syncthreads();
  out[AT] = s[(31 - t) * stride];
}

extern "C" __global__ void conflictsFloat4(const float4 *a, float4 *out,
                                           int stride) {
  __shared__ float4 s[32 * 9];
  int t = threadIdx.x % 32;
  s[t * stride] = a[AT];
  __syncthreads();
  out[AT] = s[(31 - t) * stride];
}

extern "C" __global__ void gather(const int *index, const float *x, float *out,
                                  int n) {
  int i = AT;
  if (i < n)
    out[i] = x[index[i]];
}

// Fields of elements, and neighbours: all in one sector or two.
extern "C" __global__ void gatherFields(const int *index, const float *x,
                                        float *out, int n) {
  int i = AT;
  if (i < n) {
    int k = index[i];
    out[i] = x[4 * k] + x[4 * k + 1] * x[4 * k + 3];
  }
}

extern "C" __global__ void gatherRuns(const int *index, const float *x,
                                      float *out, int n) {
  int i = AT;
  if (i < n) {
    int k = index[i];
    out[i] = x[k] + x[k + 1] + x[k + 2] + x[k + 3] + x[k + 4] + x[k + 5];
  }
}

extern "C" __global__ void scatter(const int *index, const float *x, float *out,
                                   int n) {
  int i = AT;
  if (i < n)
    out[index[i]] = x[i];
}

// Rows of equal length, stored by columns.
extern "C" __global__ void ellpack(const int *index, const float *a,
                                   const float *x, float *y, int n,
                                   int length) {
  int i = AT;
  if (i >= n)
    return;
  float s = 0;
  for (int k = 0; k < length; ++k)
    s += a[k * n + i] * x[index[k * n + i]];
  y[i] = s;
}

extern "C" __global__ void histogram(const int *data, int *bins, int n) {
  int i = AT;
  if (i < n)
    atomicAdd(&bins[data[i]], 1);
}

// Every lane of a warp on one counter.
extern "C" __global__ void count(const int *data, int *total, int m) {
  atomicAdd(&total[blockIdx.x % m], data[AT]);
}

// A small array that registers cannot hold, since its index is not constant.
extern "C" __global__ void privateArray(const float *a, float *out, int n,
                                        int rounds) {
  float v[24];
  int i = AT;
  if (i >= n)
    return;
  for (int k = 0; k < 24; ++k)
    v[k] = a[k * n + i];
  float s = 0;
  for (int r = 0; r < rounds; ++r)
    for (int k = 0; k < 24; ++k)
      v[k] = s = s * v[(5 * k + r) % 24] + v[k];
  out[i] = s;
}

// Writes a place and reads it later.
extern "C" __global__ void writeThenRead(const float *a, float *b, float *c,
                                         int m) {
  for (int k = 0; k < m; ++k)
    b[(blockIdx.x * m + k) * blockDim.x + threadIdx.x] =
        a[(blockIdx.x * m + k) * blockDim.x + threadIdx.x] + 1;
  __syncthreads();
  float s = 0;
  for (int k = 0; k < m; ++k)
    s += b[(blockIdx.x * m + k) * blockDim.x + blockDim.x - 1 - threadIdx.x];
  c[AT] = s;
}

extern "C" __global__ void inPlace(float *a, int n, int rounds) {
  int i = AT;
  if (i >= n)
    return;
  for (int r = 0; r < rounds; ++r)
    a[r * n + i] = 2 * a[r * n + i] + 1;
}
