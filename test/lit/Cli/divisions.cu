// What a division meets is not in the source: stated, or said with --divisions.
// RUN: %gpu-estimate analyze %s --gpu nvidia-a100-40gb-pcie --grid 512 --block 256 \
// RUN:   | FileCheck --check-prefix=ASSUMED %s
// RUN: %gpu-estimate analyze %s --gpu nvidia-a100-40gb-pcie --grid 512 --block 256 \
// RUN:   --divisions zero | FileCheck --check-prefix=SAID %s
// RUN: not %gpu-estimate analyze %s --gpu nvidia-a100-40gb-pcie --divisions none 2>&1 \
// RUN:   | FileCheck --check-prefix=ERROR %s

// ASSUMED: 'ratio' takes
// ASSUMED: share of divisions with a dividend of zero at divisions.cu:{{[0-9]+}} and 1 other place = 0: {{.*}}of other quotients{{$}}
// ASSUMED-NEXT: settle with --divisions zero or --divisions invalid
// ASSUMED: 'quick' takes
// ASSUMED-NOT: dividend

// SAID: 'ratio' takes
// SAID-NOT: settle with --divisions
// SAID: a dividend of zero in every division at divisions.cu:{{[0-9]+}} and 1 other place (--divisions zero)
// SAID: 'quick' takes

// ERROR: error: --divisions: expected ordinary, zero or invalid, got 'none'

__global__ void ratio(float *a, const float *b, double *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = a[i] / b[i];
  c[i] = 2.0 / c[i]; // never 0/x
  c[i] = c[i] / b[i];
}

// An approximate quotient has one way only.
__global__ void quick(float *a, const float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = __fdividef(a[i], b[i]);
}
