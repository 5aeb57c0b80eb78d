// Where a loop that stays selects the elements, the remark stands at it.

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics --all-findings --grid 512 --block 256 --param n=4096 | FileCheck %s
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --grid 512 --block 256 --param n=4096 | FileCheck %s --check-prefix=ADVICE

__global__ void sums(const float *in, float *out, int n) {
  const int t = threadIdx.x + blockIdx.x * blockDim.x;
  float sum[16] = {};
  for (int k = 0; k < n; ++k) {
    float v = in[k * 131072 + t];
    // CHECK: local-array-loop.cu:[[#@LINE+2]]:{{[0-9]+}}: remark: 'sum' lives in local memory, because this loop over it is not laid out:
#pragma unroll 1
    for (int i = 0; i < 16; ++i)
      sum[i] = sum[i] * v + 0.5f;
  }
  for (int i = 0; i < 16; ++i)
    out[i * 131072 + t] = sum[i];
}
// ADVICE: less time{{.*}}: local-array-loop.cu:13: '#pragma unroll' at the loop at local-array-loop.cu:13 (16 iterations) makes every index of 'sum' a constant, so that it stays in registers

__global__ void parity(const float *in, float *out, int n) {
  const int t = threadIdx.x + blockIdx.x * blockDim.x;
  float last[2] = {}, sum = 0;
  // CHECK: local-array-loop.cu:[[#@LINE+1]]:{{[0-9]+}}: remark: 'last' lives in local memory, because this loop over it has no constant trip count:
  for (int k = 0; k < n; ++k) {
    sum = sum * 0.5f + last[k & 1];
    last[k & 1] = in[k * 131072 + t];
  }
  out[t] = sum;
}
