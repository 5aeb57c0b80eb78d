// Requests of each access: 1024 blocks of 8 warps; y is read 64 times, one
// element for the warp.
// RUN: %gpu-estimate analyze %s --no-cuda-sdk --ptxas off --gpu nvidia-a100-40gb-pcie \
// RUN:   --grid 1024 --block 256 --param n=262144 --dump requests | FileCheck %s

__global__ void scale(float *x, const float *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < n; k += 4096)
    sum += y[k] * x[i];
  x[i] = sum;
}

// CHECK: kernel scale at requests.cu:6 on nvidia-a100-40gb-pcie, grid 1024x1x1, block 256x1x1
// CHECK-NEXT: 8192 warps; distinct paths: 1
// CHECK-NEXT: access {{ *}}line {{ *}}space {{ *}}kind {{ *}}bytes/thread {{ *}}requests {{ *}}lanes {{ *}}sectors
// CHECK-NEXT: 0 {{.*}} global {{ *}}load {{ *}}4 {{ *}}8192 {{ *}}32 {{ *}}4 
// CHECK-NEXT: 1 {{.*}} global {{ *}}load {{ *}}4 {{ *}}5.243e+05 {{ *}}32 {{ *}}1 
// CHECK-NEXT: 2 {{.*}} global {{ *}}store {{ *}}4 {{ *}}8192 {{ *}}32 {{ *}}4 
