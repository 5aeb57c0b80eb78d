// Where an emulation stops, and why, is a warning; what warps before have done
// is used.

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --grid 4 --block 64 --emulate --deadline 2 \
// RUN:   --buffer n=iota > %t 2>&1
// RUN: FileCheck %s --input-file=%t

// CHECK-DAG: warning: stops.cu:[[@LINE+1]]: 'assembly' is not emulated: the PTX instruction 'frobnicate' at stops.cu:[[@LINE+3]]
__global__ void assembly(const int *n, float *out) {
  for (int i = 0; i < n[threadIdx.x]; ++i)
    asm volatile("frobnicate;");
  out[threadIdx.x] = 1;
}

// CHECK-DAG: warning: stops.cu:[[@LINE+1]]: 'endless' is not emulated: still running when the budget was spent (stops.cu:[[@LINE+2]])
__global__ void endless(int *flag) {
  while (atomicAdd(flag, 0) == 0)
    ;
}

// Three thread blocks end, the last one leaves the array by less than what a
// page guards.
// CHECK-DAG: warning: stops.cu:[[@LINE+2]]: the emulation of 'beyond' stopped after 6 of 8 warps: out-of-bounds access: 20 bytes behind the end of 160 bytes of 'table' (stops.cu:[[@LINE+3]])
__device__ int table[40];
__global__ void beyond(const int *n, float *out) {
  out[threadIdx.x] = table[n[blockIdx.x] * 15];
}

// A write far outside of all memory, through a pointer that is none.
// CHECK-DAG: warning: stops.cu:[[@LINE+1]]: 'wild' is not emulated: out-of-bounds write at 0x123456780{{.*}}(stops.cu:[[@LINE+3]])
__global__ void wild(const int *n, float *out) {
  if (n[threadIdx.x] > 5)
    *(int *)0x123456780 = 1;
}

// What a kernel prints is no part of the report.
// CHECK-NOT: hello
extern "C" __device__ int printf(const char *, ...);
__global__ void prints(const int *n, float *out) {
  for (int i = 0; i < n[threadIdx.x]; ++i)
    printf("hello\n");
}
