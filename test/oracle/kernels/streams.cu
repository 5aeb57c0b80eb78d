// Vectors: every element once, in different orders and widths.
#define AT blockIdx.x *blockDim.x + threadIdx.x

extern "C" __global__ void copy(const float *a, float *b, int n) {
  int i = AT;
  if (i < n)
    b[i] = a[i];
}

extern "C" __global__ void triad(const double *a, const double *b, double *c,
                                 int n) {
  int i = AT;
  if (i < n)
    c[i] = a[i] + 3.0 * b[i];
}

extern "C" __global__ void copyFloat2(const float2 *a, float2 *b, int n) {
  int i = AT;
  if (i < n)
    b[i] = a[i];
}

extern "C" __global__ void copyFloat4(const float4 *a, float4 *b, int n) {
  int i = AT;
  if (i < n)
    b[i] = a[i];
}

extern "C" __global__ void misaligned(const float *a, float *b, int n,
                                      int shift) {
  int i = AT;
  if (i < n)
    b[i] = a[i + shift];
}

extern "C" __global__ void strided(const float *a, float *b, int n,
                                   int stride) {
  int i = AT;
  if (i < n)
    b[i] = a[i * stride];
}

extern "C" __global__ void stridedStore(const float *a, float *b, int n,
                                        int stride) {
  int i = AT;
  if (i < n)
    b[i * stride] = a[i];
}

extern "C" __global__ void gridStride(const float *a, float *b, int n) {
  for (int i = AT; i < n; i += gridDim.x * blockDim.x)
    b[i] = 2 * a[i];
}

extern "C" __global__ void reversed(const float *a, float *b, int n) {
  int i = AT;
  if (i < n)
    b[i] = a[n - 1 - i];
}

// Each thread a piece of its own.
extern "C" __global__ void pieces(const float *a, float *b, int n, int piece) {
  int first = (AT)*piece;
  float s = 0;
  for (int k = 0; k < piece; ++k)
    if (first + k < n)
      s += a[first + k];
  b[AT] = s;
}

extern "C" __global__ void broadcast(const float4 *p, float *out, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k) {
    float4 q = p[k];
    s += q.x * q.y + q.z * q.w;
  }
  out[AT] = s;
}

// A table that every part of the vector uses again.
extern "C" __global__ void modulo(const float *a, const float *table, float *b,
                                  int n, int m) {
  int i = AT;
  if (i < n)
    b[i] = a[i] * table[i % m];
}

// Blocks that share a tile of the input.
extern "C" __global__ void moduloBlock(const float *a, float *b, int m) {
  int tile = blockIdx.x % m;
  b[AT] = a[tile * blockDim.x + threadIdx.x];
}

extern "C" __global__ void quotientBlock(const float *a, float *b, int m) {
  int tile = blockIdx.x / m;
  b[AT] = a[tile * blockDim.x + threadIdx.x];
}

struct Particle {
  float x, y, z, vx, vy, vz, mass, charge;
};

extern "C" __global__ void arrayOfStructs(Particle *p, int n, float dt) {
  int i = AT;
  if (i < n) {
    p[i].x += dt * p[i].vx;
    p[i].y += dt * p[i].vy;
    p[i].z += dt * p[i].vz;
  }
}

extern "C" __global__ void structOfArrays(float *x, float *y, float *z,
                                          const float *vx, const float *vy,
                                          const float *vz, int n, float dt) {
  int i = AT;
  if (i < n) {
    x[i] += dt * vx[i];
    y[i] += dt * vy[i];
    z[i] += dt * vz[i];
  }
}

// Each block goes twice over rows of its own.
extern "C" __global__ void twoPasses(const float *a, float *b, int m) {
  float s = 0, t = 0;
  for (int k = 0; k < m; ++k)
    s += a[(blockIdx.x * m + k) * blockDim.x + threadIdx.x];
  for (int k = 0; k < m; ++k)
    t += s * a[(blockIdx.x * m + k) * blockDim.x + threadIdx.x];
  b[AT] = t;
}
