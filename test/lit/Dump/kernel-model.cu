// The loop tree with its operations and accesses; nothing of the report.
// RUN: %gpu-estimate analyze %s --no-cuda-sdk --ptxas off --gpu nvidia-a100-40gb-pcie \
// RUN:   --grid 1024 --block 256 --param n=262144 --dump kernel-model | FileCheck %s

__global__ void scale(float *x, const float *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < n; k += 4096)
    sum += y[k] * x[i];
  x[i] = sum;
}

// CHECK: kernel scale at kernel-model.cu:5
// CHECK-NEXT: registers {{[0-9]+}} (estimate), shared 0, local 0
// CHECK: block 1 if blockDim.x*blockIdx.x + threadIdx.x < n
// CHECK: load_global {{.*}}[global load 4 B, x + 4*blockDim.x*blockIdx.x + 4*threadIdx.x]
// CHECK: loop iter@kernel-model.cu:10 < ceil(n/4096) if
// CHECK: load_global {{.*}}[global load 4 B, y + 16384*iter@kernel-model.cu:10, read-only]
// CHECK-NOT: prediction
// CHECK: store_global {{.*}}[global store 4 B,
