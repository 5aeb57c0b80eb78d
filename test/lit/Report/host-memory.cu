// Buffers in the memory of the host take the time of the link.
//
// RUN: %analyze %s --gpu nvidia-rtx-3080 --ptxas off | FileCheck %s
// RUN: %analyze %s --gpu nvidia-rtx-3080 --ptxas off \
// RUN:   --memory a=device --memory b=managed 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RESIDENT
// RUN: not %analyze %s --memory a=disk 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WRONG

// CHECK: 'scale' takes {{.*}} bound by host-link
// CHECK: link {{.*}}%
// RESIDENT: the managed memory of 'b' is taken to be on the GPU already
// RESIDENT: bound by dram-bandwidth
// WRONG: expected NAME=host, NAME=managed, NAME=first-touch or NAME=device, got 'a=disk'

__global__ void scale(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = 2 * a[i];
}

void run() {
  const int n = 1 << 24;
  float *a, *b;
  cudaHostAlloc(&a, n * sizeof(float), cudaHostAllocMapped);
  cudaMallocHost(&b, n * sizeof(float));
  scale<<<n / 256, 256>>>(a, b, n);
}
