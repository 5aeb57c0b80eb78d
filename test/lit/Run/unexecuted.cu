// A kernel that cannot execute is named at once and in the first line of the
// report, and the exit status says that results are missing.
// RUN: not %gpu-estimate run --no-cuda-sdk %s --gpu nvidia-a40 > %t.txt 2> %t.err
// RUN: FileCheck %s < %t.txt
// RUN: FileCheck --check-prefix=ERROR %s < %t.err
// CHECK: the program takes {{.*}}; 1 kernel does not execute, so that results are missing
// CHECK: kernels that do not execute
// CHECK-NEXT: 'half' does not execute: the function
// ERROR: gpu-estimate: error: 'half' does not execute: the function {{.*}} at {{.*}}unexecuted.cu:[[#@LINE+5]]; its results are missing

extern __device__ int elsewhere(int);
__global__ void half(int *p) {
  // Never linked.
  *p = elsewhere(1);
}

int main() {
  int *p;
  cudaMalloc(&p, 4);
  half<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  // What the user did not ask for is no error.
}
// RUN: %gpu-estimate run --no-cuda-sdk %s --gpu nvidia-a40 --execute none
