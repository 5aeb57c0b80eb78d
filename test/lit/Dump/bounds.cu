// Cycles that each resource needs at least for the launch.
// RUN: %gpu-estimate analyze %s --no-cuda-sdk --ptxas off --gpu nvidia-a100-40gb-pcie \
// RUN:   --grid 1024 --block 256 --param n=262144 --dump bounds | FileCheck %s

__global__ void scale(float *x, const float *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < n; k += 4096)
    sum += y[k] * x[i];
  x[i] = sum;
}

// CHECK: kernel scale at bounds.cu:5 on nvidia-a100-40gb-pcie, grid 1024x1x1, block 256x1x1
// CHECK-NEXT: bound {{ *}}scope {{ *}}cycles
// CHECK-NEXT: issue {{ *}}multiprocessor {{ *}}{{[1-9]}}
// CHECK: fp64 {{ *}}multiprocessor {{ *}}0{{$}}
// CHECK: l2-bandwidth {{ *}}chip {{ *}}{{[1-9]}}
// CHECK: dram-bandwidth {{ *}}chip {{ *}}0{{$}}
// CHECK: latency {{ *}}idle {{ *}}loaded {{ *}}iterations
// CHECK-NEXT: shared
// CHECK-NEXT: l1
// CHECK-NEXT: l2
// CHECK-NEXT: dram
// CHECK-NEXT: waves at these latencies: {{[0-9.e+]+}} cycles; launch: {{[0-9.e+]+}} cycles
