// The replay of local memory follows a part of the long loop. The last loop reads
// the array once, however often the long loop runs, so its accesses hit by a
// fraction and not by minus several hundred.
//
// RUN: %analyze %s --gpu amd-mi210 --format json | FileCheck %s
// CHECK: "accesses"
// CHECK-NOT: "l1_hit": -
__global__ void ring(const float *a, float *c, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float ring[4] = {};
  for (int k = 0; k < n; ++k)
    ring[k & 3] = ring[k & 3] * 0.5f + a[k * 4096 + t];
  for (int i = 0; i < 4; ++i)
    c[i * 4096 + t] = ring[i];
}
