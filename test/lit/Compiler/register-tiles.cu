// Arrays of a thread are in registers exactly where nvcc has them there: loops of
// constant trip count are laid out by nvcc's limits, nests from the inside out.

// RUN: %analyze %s --gpu nvidia-rtx-a6000 --compiler nvcc --format json -o %t.json
// RUN: python3 %S/Inputs/check_local.py %t.json %s

// Bytes of local memory and registers of a kernel, as nvcc 13.0 -arch=sm_86
// compiles it (test/corpus/compare-nvcc).
#define NVCC(Local, Registers) extern "C" __global__ void
#define ID const int t = threadIdx.x + blockIdx.x * blockDim.x

// A sum of each row of a tile; N loads, N stores.
template <int N> __device__ void scale(const float *a, float *c, int n) {
  ID;
  float acc[N];
  for (int i = 0; i < N; ++i)
    acc[i] = 0;
  for (int k = 0; k < n; ++k) {
    float v = a[k * 4096 + t];
    for (int i = 0; i < N; ++i)
      acc[i] = acc[i] * v + 0.5f;
  }
  for (int i = 0; i < N; ++i)
    c[i * 4096 + t] = acc[i];
}
NVCC(0, 40) scale_16(const float *a, float *c, int n) { scale<16>(a, c, n); }
NVCC(0, 80) scale_64(const float *a, float *c, int n) { scale<64>(a, c, n); }
NVCC(0, 254) scale_200(const float *a, float *c, int n) { scale<200>(a, c, n); }
NVCC(1600, 255) scale_400(const float *a, float *c, int n) { scale<400>(a, c, n); }

// A tile of products without any pragma.
template <int M, int N> __device__ void outer(const float *a, const float *b, float *c, int n) {
  ID;
  float acc[M][N] = {}, x[M], y[N];
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < M; ++i)
      x[i] = a[(k * M + i) * 256 + t];
    for (int j = 0; j < N; ++j)
      y[j] = b[(k * N + j) * 256 + t];
    for (int i = 0; i < M; ++i)
      for (int j = 0; j < N; ++j)
        acc[i][j] += x[i] * y[j];
  }
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j)
      c[(i * N + j) * 4096 + t] = acc[i][j];
}
NVCC(0, 38) outer_4x4(const float *a, const float *b, float *c, int n) { outer<4, 4>(a, b, c, n); }
NVCC(0, 96) outer_8x8(const float *a, const float *b, float *c, int n) { outer<8, 8>(a, b, c, n); }
NVCC(0, 168) outer_8x16(const float *a, const float *b, float *c, int n) { outer<8, 16>(a, b, c, n); }
NVCC(4224, 62) outer_32x32(const float *a, const float *b, float *c, int n) { outer<32, 32>(a, b, c, n); }

// One loop of the tile in an epilogue with a bounds check.
NVCC(0, 46) guarded_epilogue(const float *a, float *c, int n) {
  ID;
  float acc[32] = {};
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < 32; ++i)
      acc[i] += a[(k * 32 + i) * 4096 + t];
  for (int i = 0; i < 32; ++i)
    if (i * 4096 + t < n)
      c[i * 4096 + t] = 2.f * acc[i] + 3.f * c[i * 4096 + t];
}
// 128 elements with the same check are too many.
NVCC(0, 168) guarded_long(const float *a, float *c, int n) {
  ID;
  float acc[160] = {};
  for (int k = 0; k < n; ++k) {
    float v = a[k * 4096 + t];
    for (int i = 0; i < 160; ++i)
      acc[i] *= v;
  }
  for (int i = 0; i < 160; ++i)
    if (i * 4096 + t < n)
      c[i * 4096 + t] = 2.f * acc[i] + 3.f * c[i * 4096 + t];
}
// A partial tile: the loop ends early.
NVCC(0, 27) partial_tile(const float *a, float *c, int n) {
  ID;
  float acc[16] = {};
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < 16 && k * 16 + i < n; ++i)
      acc[i] += a[(k * 16 + i) * 4096 + t];
  for (int i = 0; i < 16; ++i)
    c[i * 4096 + t] = acc[i];
}
NVCC(0, 26) break_on_data(const float *a, float *c, int n) {
  ID;
  float acc[16] = {};
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < 16; ++i) {
      float v = a[(k * 16 + i) * 4096 + t];
      if (v == 0.f)
        break;
      acc[i] += v;
    }
  for (int i = 0; i < 16; ++i)
    c[i * 4096 + t] = acc[i];
}
// The bound is an argument: it stays a loop.
NVCC(64, 23) variable_bound(const float *a, float *c, int n, int m) {
  ID;
  float acc[16] = {};
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < m; ++i)
      acc[i & 15] += a[(k * 16 + i) * 4096 + t];
  for (int i = 0; i < 16; ++i)
    c[i * 4096 + t] = acc[i];
}
// The index depends on data.
NVCC(64, 22) histogram(const unsigned char *a, int *c, int n) {
  ID;
  int bins[16] = {};
  for (int k = 0; k < n; ++k)
    bins[a[k * 4096 + t] & 15]++;
  for (int i = 0; i < 16; ++i)
    c[i * 4096 + t] = bins[i];
}
// A ring whose place is the outer counter modulo its size.
NVCC(16, 19) ring_by_outer_counter(const float *a, float *c, int n) {
  ID;
  float ring[4] = {};
  for (int k = 0; k < n; ++k)
    ring[k & 3] = ring[k & 3] * 0.5f + a[k * 4096 + t];
  for (int i = 0; i < 4; ++i)
    c[i * 4096 + t] = ring[i];
}
// A window that is shifted by copying stays in registers.
NVCC(0, 26) shifted_window(const float *a, float *c, int n) {
  ID;
  float w[9] = {};
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < 8; ++i)
      w[i] = w[i + 1];
    w[8] = a[k * 4096 + t];
    float s = 0;
    for (int i = 0; i < 9; ++i)
      s += w[i] * (float)i;
    c[k * 4096 + t] = s;
  }
}
// Pragmas.
NVCC(0, 48) pragma_outer_only(const float *a, const float *b, float *c, int n) {
  __shared__ float sa[8][64], sb[8][64];
  float acc[4][4] = {};
  const int t = threadIdx.x;
  for (int k = 0; k < n; ++k) {
    sa[t / 32][t % 64] = a[k * 256 + t];
    sb[t / 32][t % 64] = b[k * 256 + t];
    __syncthreads();
#pragma unroll
    for (int p = 0; p < 8; ++p)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          acc[i][j] += sa[p][t % 16 * 4 + i] * sb[p][t / 16 * 4 + j];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      c[(i * 4 + j) * 256 + t] = acc[i][j];
}
NVCC(32, 14) pragma_1(const float *a, float *c, int n) {
  ID;
  float acc[8] = {};
  for (int k = 0; k < n; ++k)
#pragma unroll 1
    for (int i = 0; i < 8; ++i)
      acc[i] += a[(k * 8 + i) * 4096 + t];
  for (int i = 0; i < 8; ++i)
    c[i * 4096 + t] = acc[i];
}
NVCC(32, 22) pragma_2_of_8(const float *a, float *c, int n) {
  ID;
  float acc[8] = {};
  for (int k = 0; k < n; ++k)
#pragma unroll 2
    for (int i = 0; i < 8; ++i)
      acc[i] += a[(k * 8 + i) * 4096 + t];
  for (int i = 0; i < 8; ++i)
    c[i * 4096 + t] = acc[i];
}
NVCC(0, 36) pragma_16_of_8(const float *a, float *c, int n) {
  ID;
  float acc[8] = {};
  for (int k = 0; k < n; ++k)
#pragma unroll 16
    for (int i = 0; i < 8; ++i)
      acc[i] += a[(k * 8 + i) * 4096 + t];
  for (int i = 0; i < 8; ++i)
    c[i * 4096 + t] = acc[i];
}
NVCC(0, 255) pragma_beyond_limit(const float *a, float *c, int n) {
  ID;
  float acc[500] = {};
  for (int k = 0; k < n; ++k) {
    float v = a[k * 4096 + t];
#pragma unroll
    for (int i = 0; i < 500; ++i)
      acc[i] = acc[i] * v + 0.5f;
  }
#pragma unroll
  for (int i = 0; i < 500; ++i)
    c[i * 4096 + t] = acc[i];
}
// A loop of unknown length inside the one over the tile.
NVCC(0, 38) long_inner_loop(const float *a, float *c, int n) {
  ID;
  float acc[8] = {};
  for (int i = 0; i < 8; ++i)
    for (int k = 0; k < n; ++k)
      acc[i] += a[(k * 8 + i) * 4096 + t];
  for (int i = 0; i < 8; ++i)
    c[i * 4096 + t] = acc[i];
}
// Vectors, structures, small types.
NVCC(0, 72) float4_tile(const float4 *a, float4 *c, int n) {
  ID;
  float4 acc[8];
  for (int i = 0; i < 8; ++i)
    acc[i] = make_float4(0, 0, 0, 0);
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < 8; ++i) {
      float4 v = a[(k * 8 + i) * 4096 + t];
      acc[i].x += v.x;
      acc[i].y += v.y;
      acc[i].z += v.z;
      acc[i].w += v.w;
    }
  for (int i = 0; i < 8; ++i)
    c[i * 4096 + t] = acc[i];
}
NVCC(0, 31) words_of_float4(const float4 *a, float *c, int n) {
  ID;
  float s[4] = {};
  for (int k = 0; k < n; ++k) {
    float4 v = a[k * 4096 + t];
    const float *w = reinterpret_cast<const float *>(&v);
    for (int i = 0; i < 4; ++i)
      s[i] += w[i] * w[3 - i];
  }
  for (int i = 0; i < 4; ++i)
    c[i * 4096 + t] = s[i];
}
struct Matrix3 {
  float m[3][3];
  __device__ float &operator()(int i, int j) { return m[i][j]; }
};
__device__ Matrix3 product(Matrix3 a, Matrix3 b) {
  Matrix3 c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      c(i, j) = 0;
      for (int k = 0; k < 3; ++k)
        c(i, j) += a(i, k) * b(k, j);
    }
  return c;
}
NVCC(0, 35) small_matrices(const float *a, float *c, int n) {
  ID;
  Matrix3 m, p;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      m(i, j) = a[(i * 3 + j) * 4096 + t];
      p(i, j) = i == j;
    }
  for (int k = 0; k < n; ++k)
    p = product(p, m);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      c[(i * 3 + j) * 4096 + t] = p(i, j);
}
NVCC(0, 26) bytes_tile(const unsigned char *a, int *c, int n) {
  ID;
  unsigned char v[16];
  int s = 0;
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < 16; ++i)
      v[i] = a[(k * 16 + i) * 4096 + t];
    for (int i = 0; i < 16; ++i)
      s += v[i] * v[15 - i];
  }
  c[t] = s;
}
NVCC(0, 39) doubles(const double *a, double *c, int n) {
  ID;
  double acc[12] = {};
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < 12; ++i)
      acc[i] += a[k * 4096 + t] * i;
  for (int i = 0; i < 12; ++i)
    c[i * 4096 + t] = acc[i];
}
// A sorting network, and a bubble sort of a list.
NVCC(0, 22) bubble_sort(float *a) {
  ID;
  float v[8];
  for (int i = 0; i < 8; ++i)
    v[i] = a[i * 4096 + t];
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 7 - i; ++j)
      if (v[j] > v[j + 1]) {
        float x = v[j];
        v[j] = v[j + 1];
        v[j + 1] = x;
      }
  for (int i = 0; i < 8; ++i)
    a[i * 4096 + t] = v[i];
}
NVCC(0, 28) insert_sorted(const float *a, float *c, int n) {
  ID;
  float best[8];
  for (int i = 0; i < 8; ++i)
    best[i] = -1e30f;
  for (int k = 0; k < n; ++k) {
    float v = a[k * 4096 + t];
    for (int i = 0; i < 8; ++i)
      if (v > best[i]) {
        float x = best[i];
        best[i] = v;
        v = x;
      }
  }
  for (int i = 0; i < 8; ++i)
    c[i * 4096 + t] = best[i];
}
NVCC(32, 22) insert_by_search(const float *a, float *c, int n) {
  ID;
  float best[8];
  for (int i = 0; i < 8; ++i)
    best[i] = -1e30f;
  for (int k = 0; k < n; ++k) {
    float v = a[k * 4096 + t];
    int place = 7;
    while (place > 0 && best[place - 1] < v) {
      best[place] = best[place - 1];
      --place;
    }
    best[place] = v;
  }
  for (int i = 0; i < 8; ++i)
    c[i * 4096 + t] = best[i];
}
// A stack of a traversal.
NVCC(64, 14) stack(const int *tree, int *c, int n) {
  ID;
  int todo[16], top = 0, sum = 0;
  todo[top++] = t % n;
  while (top > 0) {
    int node = todo[--top];
    sum += tree[node];
    if (node * 2 + 2 < n && top < 14) {
      todo[top++] = node * 2 + 1;
      todo[top++] = node * 2 + 2;
    }
  }
  c[t] = sum;
}
// Triangular loops of constant size.
NVCC(0, 40) cholesky_6(float *a) {
  ID;
  float m[6][6];
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j <= i; ++j)
      m[i][j] = a[(i * 6 + j) * 4096 + t];
  for (int j = 0; j < 6; ++j) {
    for (int k = 0; k < j; ++k)
      m[j][j] -= m[j][k] * m[j][k];
    m[j][j] = sqrtf(m[j][j]);
    for (int i = j + 1; i < 6; ++i) {
      for (int k = 0; k < j; ++k)
        m[i][j] -= m[i][k] * m[j][k];
      m[i][j] /= m[j][j];
    }
  }
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j <= i; ++j)
      a[(i * 6 + j) * 4096 + t] = m[i][j];
}
NVCC(0, 28) convolution_row(const float *a, float *c, int n) {
  ID;
  float w[5], out[4];
  for (int i = 0; i < 5; ++i)
    w[i] = a[i];
  for (int y = 0; y < n; ++y) {
    for (int j = 0; j < 4; ++j)
      out[j] = 0;
    for (int j = 0; j < 8; ++j) {
      float v = a[y * 4096 + t * 4 + j];
      for (int i = 0; i < 5; ++i)
        if (j - i >= 0 && j - i < 4)
          out[j - i] += v * w[i];
    }
    for (int j = 0; j < 4; ++j)
      c[y * 4096 + t * 4 + j] = out[j];
  }
}
NVCC(0, 40) moments(const unsigned short *p, long long *o, int w) {
  ID;
  long long a[7] = {};
  for (int k = 0; k < 17; ++k) {
    unsigned r = p[t + k], s = p[w + t + k];
    long long v[7] = {r, s, (long long)r * r, (long long)s * s, (long long)r * s, 1, k};
    for (int i = 0; i < 7; ++i)
      a[i] += v[i];
  }
  for (int i = 0; i < 7; ++i)
    o[i * 4096 + t] = a[i];
}
// Two buffers in turn, by the parity of the step.
NVCC(32, 37) two_buffers(const float *a, float *c, int n) {
  ID;
  float v[2][4], s = 0;
  for (int i = 0; i < 4; ++i)
    v[0][i] = a[i * 4096 + t];
  for (int k = 1; k < n; ++k) {
    for (int i = 0; i < 4; ++i)
      v[k & 1][i] = a[(k * 4 + i) * 4096 + t];
    for (int i = 0; i < 4; ++i)
      s += v[(k & 1) ^ 1][i];
  }
  c[t] = s;
}
// Arguments by value.
struct Small {
  int a[8];
};
struct Large {
  float *plane[3];
  int stride[3], more[60];
};
NVCC(32, 6) argument_in_place(Small s, int *o) {
  ID;
  o[t] = s.a[t & 7];
}
NVCC(32, 6) small_argument_copied(Small s, int *o) {
  ID;
  Small u = s;
  o[t] = u.a[t & 7];
}
__device__ float pixel(Large b, int x, int z) { return b.plane[z][x * b.stride[z]]; }
NVCC(0, 12) large_argument_passed_on(Large b, float *o) {
  ID;
  o[t] = pixel(b, t, blockIdx.y);
}
NVCC(0, 19) argument_walked(Large b, int *o, int n) {
  ID;
  int s = 0;
  for (const int *p = b.more; p != b.more + n; ++p)
    s = s * 3 + *p;
  o[t] = s;
}
NVCC(280, 24) argument_written(Large b, int *o, int n) {
  ID;
  b.more[t & 31] = n;
  o[t] = b.more[n & 31];
}

// Structures that only copies touch, between global and shared memory.
struct Mixed { double weight; int at; float value; };
template <typename T> __device__ void prefetch(const T *a, T *out, int n) {
  __shared__ T tile[256];
  T next = {};
  for (int k = 0; k < n; ++k) {
    if (k + 1 < n)
      next = a[(k + 1) * 256 + threadIdx.x];
    __syncthreads();
    out[k * 256 + threadIdx.x] = tile[threadIdx.x ^ 1];
    if (k + 1 < n)
      tile[threadIdx.x] = next;
  }
}
NVCC(0, 35) prefetch_float4(const float4 *a, float4 *out, int n) { prefetch(a, out, n); }
NVCC(0, 32) prefetch_mixed(const Mixed *a, Mixed *out, int n) { prefetch(a, out, n); }

// A trip count that depends on data, with a constant bound.
template <int N> __device__ void rows(const float *a, float *c, int n, int limit, int end) {
  ID;
  float acc[N] = {};
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < limit; ++i) {
      if (i >= end)
        break;
      acc[i] += a[(k * 32 + i) * 4096 + t];
    }
  for (int i = 0; i < N; ++i)
    c[i * 4096 + t] = acc[i];
}
NVCC(0, 22) rows_up_to_minimum(const float *a, float *c, int n, int v) { rows<8>(a, c, n, min(8, v), 8); }
NVCC(0, 20) pair_of_rows(const float *a, float *c, int n, int v) { rows<2>(a, c, n, min(2, max(0, v)), 2); }
NVCC(0, 20) rows_until_break(const float *a, float *c, int n, int v) { rows<8>(a, c, n, 8, v); }
NVCC(1200, 40) rows_of_many(const float *a, float *c, int n, int v) { rows<300>(a, c, n, 300, v); }
