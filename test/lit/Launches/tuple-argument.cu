// A kernel that takes its sizes as a tuple: values follow through the function
// that makes it, and through the constructors of members and bases. CuTe's
// tuples are such.
// RUN: %gpu-estimate analyze %s --no-cuda-sdk --gpu nvidia-a100-40gb-pcie \
// RUN:   | FileCheck %s

// CHECK: 'rows<Tuple<int, int, int>>' takes
// CHECK-SAME: (grid 64, block 128 from host-code)
// CHECK-NOT: has no time
// CHECK-NOT: settle with --param

template <class First, class... Rest> struct Members;
template <class First> struct Members<First> {
  First first;
  __host__ __device__ Members(const First &f) : first{f} {}
};
template <class First, class Second, class... Rest>
struct Members<First, Second, Rest...> {
  First first;
  Members<Second, Rest...> rest;
  __host__ __device__ Members(const First &f, const Second &s, const Rest &...r)
      : first{f}, rest{s, r...} {}
};
template <class... T> struct Tuple : Members<T...> {
  __host__ __device__ Tuple(const T &...t) : Members<T...>(t...) {}
};
template <class... T> __host__ __device__ Tuple<T...> makeTuple(const T &...t) {
  return {t...};
}

template <class Sizes>
__global__ void rows(const float *in, float *out, Sizes sizes) {
  float sum = 0;
  for (int i = 0; i < sizes.rest.rest.first; ++i)
    sum += in[i * sizes.first + threadIdx.x];
  out[blockIdx.x * sizes.rest.first + threadIdx.x] = sum;
}

void launch(const float *in, float *out, int m, int n, int k) {
  auto sizes = makeTuple(m, n, k);
  rows<<<64, 128>>>(in, out, sizes);
  rows<<<64, 128>>>(in, out, makeTuple(m, n, k));
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 1024 * 512 * sizeof(float));
  cudaMalloc(&out, 64 * 128 * sizeof(float));
  launch(in, out, 1024, 128, 512);
}
