// nvcc does not run the constructor of a shared object: the object is storage,
// and code names it as ever, in closures as well.
// RUN: %analyze %s --gpu nvidia-h100-sxm | FileCheck %s

struct Counter {
  unsigned long long value = 7;
  __device__ Counter() {}
  __device__ void add(int n) { atomicAdd(&value, n); }
};
template <class T, int N> struct Pair {
  T first, second;
  __device__ Pair() : first(N), second(N) {}
};

// CHECK: 'objects' takes
// CHECK: resources {{.*}} 88 bytes of shared memory per block
__global__ void objects(int *p) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Counter one, four[5];
  __shared__ Pair<int, 3> pairs[5];
  if (threadIdx.x < 4) {
    one.value = 0;
    four[threadIdx.x].value = 0;
    pairs[threadIdx.x % 3].first = 0;
  }
  __syncthreads();
  auto count = [=] { four[threadIdx.x % 4].add(p[threadIdx.x]); };
  count();
  one.add(1);
  __syncthreads();
  p[threadIdx.x] = one.value + four[threadIdx.x % 4].value + pairs[1].first;
}

int main() {
  int *p;
  cudaMalloc(&p, 1024);
  objects<<<1, 256>>>(p);
}
