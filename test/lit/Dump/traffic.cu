// Hit fractions and bytes of each access. x (1 MiB) fits in L2, so that back-to-
// back launches read nothing from DRAM.
// RUN: %gpu-estimate analyze %s --no-cuda-sdk --ptxas off --gpu nvidia-a100-40gb-pcie \
// RUN:   --grid 1024 --block 256 --param n=262144 --dump traffic | FileCheck %s

__global__ void scale(float *x, const float *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < n; k += 4096)
    sum += y[k] * x[i];
  x[i] = sum;
}

// CHECK: kernel scale at traffic.cu:6 on nvidia-a100-40gb-pcie, grid 1024x1x1, block 256x1x1
// CHECK-NEXT: L1 hit {{ *}}L2 hit {{ *}}L2 bytes {{ *}}DRAM read {{ *}}DRAM written
// CHECK-NEXT: 0 {{.*}} global {{ *}}load {{ *}}4 {{ *}}0 {{ *}}1 {{ *}}1.049e+06 {{ *}}0 {{ *}}0
// CHECK-NEXT: 1 {{.*}} global {{ *}}load
// CHECK-NEXT: 2 {{.*}} global {{ *}}store
// CHECK-NEXT: all: L1 hit 0.{{[0-9]+}}, L2 hit 1, L2 read {{.*}} B, L2 written 1.049e+06 B, DRAM read 0 B, DRAM written 0 B
