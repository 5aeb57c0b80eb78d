// What an emulation executes beside plain code: inline PTX, calls through
// pointers, functions of a whole warp, and writes beyond the stack of a thread,
// which end in a warning.

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --grid 2 --block 32 \
// RUN:   --buffer n=iota > %t 2>&1
// RUN: FileCheck %s --input-file=%t

// Bits 1 to 3 of the lane: 7 for lane 31, as for lanes 14 and 15.
// CHECK-DAG: trip count of the loop at executes.cu:[[@LINE+5]] = 7: mean of 2 warps emulated with n = iota
__global__ void assembly(const int *n, float *out) {
  unsigned count;
  asm("bfe.u32 %0, %1, 1, 3;" : "=r"(count) : "r"(n[threadIdx.x]));
#pragma unroll 1
  for (unsigned i = 0; i < count; ++i)
    out[i * 32 + threadIdx.x] += 1;
}

__device__ __noinline__ int twice(int n) { return 2 * n; }
__device__ __noinline__ int thrice(int n) { return 3 * n; }
typedef int (*Function)(int);

// The largest number is 62 for even lanes, 93 for lane 31, and the sum over the
// warp is odd.
// CHECK-DAG: trip count of the loop at executes.cu:[[@LINE+5]] = 93: mean of 2 warps emulated with n = iota
__global__ void pointers(const int *n, float *out) {
  Function f = n[threadIdx.x] % 2 ? thrice : twice;
  int most = __reduce_max_sync(0xffffffffu, f(n[threadIdx.x]));
#pragma unroll 1
  for (int i = 0; i < most; ++i)
    out[i * 32 + threadIdx.x] += 1;
}

// CHECK-DAG: warning: executes.cu:[[@LINE+1]]: 'smash' is not emulated: out-of-bounds write at {{.*}} (executes.cu:[[@LINE+5]])
__global__ void smash(const int *n, int *out) {
  int own[4];
  volatile int *p = own;
  for (long i = 0; i < n[0] + 100000000L; ++i)
    p[i * 16] = 0;
  out[0] = own[1];
}
