// A triangle too large to be enumerated: how much of it there is depends on both
// coordinates of a block at once. 264192 requests are exact.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie | FileCheck %s
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --block 32,8 | FileCheck %s
// CHECK: global stores 26{{[0-9]}} K requests
void triangle(float a[4096][4096]) {
#pragma gpu_estimate kernel
  for (int i = 0; i < 4096; i++)
    for (int j = i; j < 4096; j++)
      a[i][j] = 1;
}
