// What a programmer would write for the loops of combine-twins.c.
constexpr unsigned All = 0xffffffffu;

template <typename T, typename Operator>
__device__ T overWarp(T v, Operator combine) {
  for (int offset = 16; offset > 0; offset /= 2)
    v = combine(v, __shfl_down_sync(All, v, offset));
  return v;
}

/// The whole block's, in its first thread.
template <typename T, typename Operator>
__device__ T overBlock(T v, T neutral, Operator combine) {
  __shared__ T words[32];
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  v = overWarp(v, combine);
  if (lane == 0)
    words[warp] = v;
  __syncthreads();
  if (warp == 0)
    v = overWarp(lane < (blockDim.x + 31) / 32 ? words[lane] : neutral,
                 combine);
  return v;
}

__global__ void sum(int n, const float *a, float *s) {
  auto add = [](float x, float y) { return x + y; };
  float own = 0;
  int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
    own += a[i];
  own = overBlock(own, 0.0f, add);
  if (threadIdx.x == 0)
    atomicAdd(s, own);
}

__global__ void parity(int n, const int *a, int *p) {
  auto differ = [](int x, int y) { return x ^ y; };
  int own = 0;
  int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
    own ^= a[i];
  own = overBlock(own, 0, differ);
  if (threadIdx.x == 0)
    atomicXor(p, own);
}

__global__ void most(int n, const float *a, float *parts) {
  auto larger = [](float x, float y) { return fmaxf(x, y); };
  float own = -__builtin_huge_valf();
  int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
    if (a[i] > own)
      own = a[i];
  own = overBlock(own, -__builtin_huge_valf(), larger);
  if (threadIdx.x == 0)
    parts[blockIdx.x] = own;
}

__global__ void most_final(const float *parts, float *m, int blocks) {
  auto larger = [](float x, float y) { return fmaxf(x, y); };
  float own = -__builtin_huge_valf();
  int threads = blockDim.x;
  for (int i = threadIdx.x; i < blocks; i += threads)
    own = fmaxf(own, parts[i]);
  own = overBlock(own, -__builtin_huge_valf(), larger);
  if (threadIdx.x == 0)
    *m = fmaxf(*m, own);
}

__global__ void histogram(int n, const unsigned char *data, unsigned *bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&bins[data[i]], 1u);
}

__global__ void columns(int n, const float *a, const float *x, float *y) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && j < 4096)
    atomicAdd(&y[j], a[i * 4096 + j] * x[i]);
}

/// Inclusive, within the warp.
__device__ float scanWarp(float v, int lane) {
  for (int offset = 1; offset < 32; offset *= 2) {
    float below = __shfl_up_sync(All, v, offset);
    if (lane >= offset)
      v += below;
  }
  return v;
}

/// A block's word is (1, its sum) and then (2, all sums so far).
__global__ void scan(int n, const float *x, float *y, volatile int2 *words) {
  __shared__ float sums[32];
  __shared__ float before;
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float own = i < n ? x[i] : 0;
  float v = scanWarp(own, lane);
  if (lane == 31)
    sums[warp] = v;
  __syncthreads();
  if (warp == 0) {
    float w =
        scanWarp(lane < (blockDim.x + 31) / 32 ? sums[lane] : 0.0f, lane);
    sums[lane] = w;
    float whole = __shfl_sync(All, w, 31);
    if (lane == 0) {
      int2 word = make_int2(1, __float_as_int(whole));
      *reinterpret_cast<volatile long long *>(&words[blockIdx.x]) =
          *reinterpret_cast<long long *>(&word);
    }
    int back = static_cast<int>(blockIdx.x) - 1 - lane;
    int2 seen = make_int2(2, 0);
    if (back >= 0) {
      long long word = *reinterpret_cast<volatile long long *>(&words[back]);
      seen = *reinterpret_cast<int2 *>(&word);
    }
    unsigned known = __ballot_sync(All, seen.x == 2);
    float part = lane < __ffs(known) ? __int_as_float(seen.y) : 0.0f;
    for (int offset = 16; offset > 0; offset /= 2)
      part += __shfl_down_sync(All, part, offset);
    if (lane == 0) {
      int2 word = make_int2(2, __float_as_int(part + whole));
      *reinterpret_cast<volatile long long *>(&words[blockIdx.x]) =
          *reinterpret_cast<long long *>(&word);
      before = part;
    }
  }
  __syncthreads();
  float left = __shfl_up_sync(All, v, 1);
  if (lane == 0)
    left = 0;
  float prefix = before + (warp > 0 ? sums[warp - 1] : 0.0f) + left;
  if (i < n)
    y[i] = prefix + own;
}

void run(int n, const float *a, const int *k, const unsigned char *data,
         float *x, int *p, unsigned *bins, int2 *words) {
  int blocks = (n + 255) / 256, wide = (n + 127) / 128;
  int strided = blocks < 1024 ? blocks : 1024;
  sum<<<strided, 256>>>(n, a, x);
  parity<<<wide < 1024 ? wide : 1024, 128>>>(n, k, p);
  most<<<strided, 256>>>(n, a, x);
  most_final<<<1, 256>>>(x, x, strided);
  histogram<<<blocks, 256>>>(n, data, bins);
  columns<<<dim3(128, (n + 31) / 32), dim3(32, 32)>>>(n, a, x, x);
  scan<<<blocks, 256>>>(n, a, x, words);
}
