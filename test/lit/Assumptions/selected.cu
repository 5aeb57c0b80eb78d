// A condition on data selects one of two arrays or of two indices: the likelier
// one stands for both.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie | FileCheck %s
__global__ void arrays(const float *x, const float *a, const float *b,
                       float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] == 0 ? a[i] : b[i + 1];
}

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie \
// RUN:   --param 'p(branch@selected.cu:15#2)=0' | FileCheck %s --check-prefix=STATED
__global__ void indices(const int *x, const float *a, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j;
  if (x[i] > 0) {
    j = i;
    atomicAdd(y, 1);
  } else {
    j = 8 * i;
  }
  y[2097152 + i] = a[j];
}
// CHECK: 'arrays' takes
// CHECK: selected.cu:7 global load b * 32.8 K 5 4
// CHECK: share of threads for which the condition at selected.cu:7 holds = 0: {{.*}}; a value that it selects is that of the likelier side
// CHECK: 'indices' takes
// CHECK: selected.cu:21 global load a * 32.8 K 4 4
// CHECK: share of threads for which the condition at selected.cu:15 holds = 0.5
// STATED: selected.cu:21 global load a * {{.*}} 32 4

void host(int *x, float *f, float *y) {
  arrays<<<4096, 256>>>(f, f, f, y);
  indices<<<4096, 256>>>(x, f, y);
}
