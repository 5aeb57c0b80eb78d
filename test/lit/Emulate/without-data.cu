// What a kernel computes from its arguments alone needs no buffer: the trip
// count of a loop without a closed form, and a branch on its values.

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --grid 1 --block 32 --emulate \
// RUN:   | FileCheck %s

// Thread i halves or triples i+1 until it is 1; of the numbers 1 to 32, 27
// takes the most steps, 111 (OEIS A006577), and the warp goes on as long.
// CHECK: trip count of the loop at without-data.cu:[[@LINE+3]] = 111: mean of 1 warp emulated
__global__ void collatz(int *steps) {
  int n = threadIdx.x + 1, count = 0;
  while (n != 1) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    ++count;
  }
  steps[threadIdx.x] = count;
}
