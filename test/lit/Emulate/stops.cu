// Where an emulation stops, and why, is a warning; what warps before have done
// is used.

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --grid 4 --block 64 --emulate \
// RUN:   --buffer n=iota > %t 2>&1
// RUN: FileCheck %s --input-file=%t

// CHECK-DAG: warning: stops.cu:[[@LINE+1]]: 'assembly' is not emulated: inline assembly is not emulated (stops.cu:[[@LINE+3]])
__global__ void assembly(const int *n, float *out) {
  for (int i = 0; i < n[threadIdx.x]; ++i)
    asm volatile("membar.gl;");
  out[threadIdx.x] = 1;
}

// CHECK-DAG: warning: stops.cu:[[@LINE+1]]: 'endless' is not emulated: the limit of 4000000 warp instructions is reached
__global__ void endless(int *flag) {
  while (atomicAdd(flag, 0) == 0)
    ;
}

// The first warp ends, the last one leaves the array.
// CHECK-DAG: warning: stops.cu:[[@LINE+2]]: the emulation of 'beyond' stopped after 1 of 8 warps: byte {{[0-9]+}} of table is beyond its end (stops.cu:[[@LINE+3]])
__device__ int table[40];
__global__ void beyond(const int *n, float *out) {
  out[threadIdx.x] = table[n[blockIdx.x * blockDim.x + threadIdx.x]];
}
