// The compiler's output is byte for byte that of a compile without the plugin:
// assembly, bitcode, objects; with and without optimisation and debug info.
// REQUIRES: plugin

// DEFINE: %{with} = -fplugin=%plugin -fplugin-arg-gpu_estimate-gpu=nvidia-h200
// RUN: rm -rf %t && mkdir -p %t && cd %t

// Device side.
// RUN: %clang_cuda --cuda-device-only -S %s -o a.s
// RUN: %clang_cuda %{with} --cuda-device-only -S %s -o b.s
// RUN: cmp a.s b.s
// RUN: %clang_cuda --cuda-device-only -O3 -g -S %s -o a3.s
// RUN: %clang_cuda %{with} --cuda-device-only -O3 -g -S %s -o b3.s
// RUN: cmp a3.s b3.s
// RUN: %clang_cuda --cuda-device-only -O2 -ffast-math -emit-llvm -c %s -o a.bc
// RUN: %clang_cuda %{with} --cuda-device-only -O2 -ffast-math -emit-llvm -c %s -o b.bc
// RUN: cmp a.bc b.bc

// Host side.
// RUN: %clang_cuda --cuda-host-only -O2 -c %s -o a.o
// RUN: %clang_cuda %{with} --cuda-host-only -O2 -c %s -o b.o
// RUN: cmp a.o b.o

// The test would see a difference: other options give other files.
// RUN: not cmp a.s a3.s

template <typename T> __device__ T square(T x) { return x * x; }

template <typename T, int N> __global__ void scale(T *p, int n) {
  __shared__ T buffer[N];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  buffer[threadIdx.x] = i < n ? p[i] : T(0);
  __syncthreads();
  for (int k = 0; k < N; ++k)
    p[i] += square(buffer[k]);
}

namespace {
__constant__ float table[16];
__global__ void hidden(float *p) { p[threadIdx.x] = table[threadIdx.x % 16]; }
} // namespace

// A function that only the host uses, and one that both sides use.
static int divideUp(int a, int b) { return (a + b - 1) / b; }
inline __host__ __device__ int twice(int x) { return 2 * x; }

int main() {
  float *p;
  double *q;
  int n = twice(512);
  cudaMalloc(&p, n * sizeof(float));
  cudaMalloc(&q, n * sizeof(double));
  scale<float, 64><<<divideUp(n, 64), 64>>>(p, n);
  scale<double, 32><<<divideUp(n, 32), 32>>>(q, n);
  hidden<<<1, 64>>>(p);
  return cudaGetLastError();
}
