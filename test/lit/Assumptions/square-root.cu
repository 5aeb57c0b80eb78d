// A trip count that is the square root of an argument has a closed form.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --grid 1024 --block 256 --param elements=100 \
// RUN:   | FileCheck %s
__global__ void window(const float *x, float *y, int elements) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int side = (int)sqrtf((float)elements);
  float sum = 0;
  for (int j = 0; j < side; ++j)
    sum += x[i + 1024 * j];
  y[i] = sum;
}
// CHECK: 'window' takes
// CHECK-NOT: trip count of the loop
// CHECK: square-root.cu:9 {{ *}}global load x {{ *}}81.9 K {{ *}}4 {{ *}}4
// CHECK-NOT: trip count of the loop
