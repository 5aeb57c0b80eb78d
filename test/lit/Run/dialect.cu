// Constructs of nvcc's dialect that clang refuses are rewritten for both sides
// of the program; what they do stays as it is.
// RUN: %gpu-estimate run --no-cuda-sdk %s --gpu nvidia-a40 | FileCheck %s
// CHECK: aligned 31, assembly 7, initial 3 0 5, launched 8 24, unrolled 6
// CHECK: 9 launches
#include <cstdio>

__global__ void aligned(float *p) {
  __shared__ alignas(16) float s[32];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  p[threadIdx.x] = s[31 - threadIdx.x];
}

#define UNROLL #pragma unroll

__global__ void unrolled(int *p) {
  UNROLL
  for (int i = 0; i < 4; ++i)
    *p += i;
}

__global__ void assembly(unsigned *p) {
  unsigned v = 7;
  unsigned long long t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  asm volatile("st.global.u32 [%1], %0;" ::"r"(t ? v : 0) "l"(p) : "memory");
}

struct Step {
  int by, unused[5];
};

template <int Factor> __global__ void child(int *p, Step step) {
  atomicAdd(p, Factor * step.by);
}

__global__ void parent(int *p, int depth) {
  child<1><<<2, 4>>>(p, Step{1});
  child<3><<<dim3(2), 4, 64>>>(p + 1, Step{1});
  if (depth)
    parent<<<1, 1>>>(p + 2, depth - 1); // its kernels leave p and p + 1 alone
}

int main(int argc, char **) {
  float *f, first;
  cudaMalloc(&f, 128);
  aligned<<<1, 32>>>(f);
  cudaMemcpy(&first, f, 4, cudaMemcpyDeviceToHost);

  unsigned *u, word;
  cudaMalloc(&u, 4);
  assembly<<<1, 1>>>(u);
  cudaMemcpy(&word, u, 4, cudaMemcpyDeviceToHost);

  int values[argc + 2] = {3, 0, 5};

  int *p, sums[4] = {};
  cudaMalloc(&p, 16);
  cudaMemset(p, 0, 16);
  parent<<<1, 1>>>(p, 0);
  cudaMemcpy(sums, p, 16, cudaMemcpyDeviceToHost);
  parent<<<1, 1>>>(p, 0);
  printf("aligned %g, assembly %u, initial %d %d %d, launched %d %d, ", first,
         word, values[0], values[1], values[2], sums[0], sums[1]);
  cudaMemset(p, 0, 4);
  unrolled<<<1, {1, 1}>>>(p);
  cudaMemcpy(sums, p, 4, cudaMemcpyDeviceToHost);
  printf("unrolled %d\n", sums[0]);
}
