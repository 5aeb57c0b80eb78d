// nvcc takes alignas behind __shared__, and behind extern and static before it.
// The numbers of bytes show that the declaration is the one that was meant.
// RUN: %analyze %s --gpu nvidia-h100-sxm | FileCheck %s

// CHECK: 'tile' takes
// CHECK: resources {{.*}} 2048 bytes of shared memory per block
__global__ void tile(float *p) {
  __shared__ alignas(128) float first[256], second[256];
  first[threadIdx.x] = p[threadIdx.x];
  second[threadIdx.x] = 2 * p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = first[255 - threadIdx.x] + second[255 - threadIdx.x];
}

// CHECK: 'typed' takes
// CHECK: resources {{.*}} 1024 bytes of shared memory per block
template <class T> __device__ T reversed(const T *p) {
  static __shared__ alignas(alignof(double) * 2) T elements[128];
  elements[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  return elements[127 - threadIdx.x];
}
__global__ void typed(double *p) { p[threadIdx.x] = reversed(p); }

// CHECK: 'dynamic' takes
// CHECK: launch {{.*}} 512 bytes of dynamic shared memory
__global__ void dynamic(float *p) {
  extern __shared__ alignas(16) unsigned char bytes[];
  float *s = reinterpret_cast<float *>(bytes);
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = s[127 - threadIdx.x];
}

int main() {
  float *p;
  double *d;
  cudaMalloc(&p, 1024);
  cudaMalloc(&d, 1024);
  tile<<<1, 256>>>(p);
  typed<<<1, 128>>>(d);
  dynamic<<<1, 128, 512>>>(p);
}
