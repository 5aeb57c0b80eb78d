// Issue order of each basic block: loads of the unrolled iterations go before
// their first use.
// RUN: %gpu-estimate analyze %s --no-cuda-sdk --ptxas off --gpu nvidia-a100-40gb-pcie \
// RUN:   --grid 1024 --block 256 --param n=262144 --dump schedule | FileCheck %s

__global__ void scale(float *x, const float *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < n; k += 4096)
    sum += y[k] * x[i];
  x[i] = sum;
}

// CHECK: kernel scale at schedule.cu:6 on nvidia-a100-40gb-pcie
// CHECK-NEXT: basic block 0: operations
// CHECK: basic block 3: operations {{[0-9]+}}, unrolled iterations 16
// CHECK-NEXT: load_global, iteration 0, access 1
// CHECK-NEXT: load_global, iteration 1, access 1
// CHECK: load_global, iteration 15, access 1
// CHECK: fp32_fma, iteration 0
// CHECK: fp32_fma, iteration 15
