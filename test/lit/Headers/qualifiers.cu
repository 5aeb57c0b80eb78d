// Qualifiers decide address spaces, kernel annotations and launch bounds.
// RUN: %clang_cuda_device %s | FileCheck-19 %s
// RUN: %clang_cuda_host %s

// CHECK-DAG: @table = {{.*}}addrspace(4) {{.*}}[8 x float]
__constant__ float table[8];
// CHECK-DAG: @counter = {{.*}}addrspace(1) {{.*}}i32 0
__device__ int counter;
// CHECK-DAG: @shared_by_all = {{.*}}addrspace(1)
__managed__ int shared_by_all;
// CHECK-DAG: @tile = {{.*}}external {{.*}}addrspace(3) global [0 x float], align 16
extern __shared__ __align__(16) float tile[];
// CHECK-DAG: @_ZZ7boundedE5local = internal {{.*}}addrspace(3) global [32 x float]

__device__ __noinline__ float scaled(float a) { return a * table[0]; }
__host__ __device__ __forceinline__ float twice(float a) { return a + a; }
struct Params {
  int n;
};

// CHECK-LABEL: define {{.*}}@bounded(
extern "C" __global__ void __launch_bounds__(256, 2)
    bounded(float *__restrict__ a, const __grid_constant__ Params p) {
  __shared__ float local[32];
  local[threadIdx.x] = twice(a[threadIdx.x]);
  tile[threadIdx.x] = local[31 - threadIdx.x];
  __syncthreads();
  // CHECK: call {{.*}}@_Z6scaledf
  a[threadIdx.x] = scaled(tile[threadIdx.x ^ 1]) + p.n + counter + shared_by_all;
}

// CHECK-DAG: !{ptr @bounded, !"kernel", i32 1}
// CHECK-DAG: !{ptr @bounded, !"maxntidx", i32 256}
// CHECK-DAG: !{ptr @bounded, !"minctasm", i32 2}
