// The text report: a bottom line, then labelled parts. Places, sizes and counts
// are checked; times belong to the model.

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie | FileCheck %s
// CHECK: {{^}}'scale' takes {{[0-9.]+ [num]?s [(][0-9.]+-[0-9.]+ [num]?s[)]}} on NVIDIA A100 {{.*}}, bound by {{[a-z0-9-]+}} (grid 4096, block 256 from host-code){{$}}
// CHECK: interval {{[0-9.]+-[0-9.]+ [num]?s}} with probability 80%; model -{{[0-9.]+}}% +{{[0-9.]+}}%{{$}}
// CHECK: kernel text.cu:[[#KERNEL:]]
// CHECK: gpu NVIDIA A100 {{.*}} (nvidia-a100-40gb-pcie), model latency-bandwidth, caches warm
// CHECK: launch grid 4096, block 256, 0 bytes of dynamic shared memory; from host-code at text.cu:[[#KERNEL+10]]
// CHECK: arguments {{.*}}n = 1048576
// CHECK: time {{.*}} launch + {{.*}} execution, bound by
// CHECK: occupancy {{.*}} 64 warps per multiprocessor = 100%
// CHECK: resources {{[1-9]|[12][0-9]|3[0-2]}} registers per thread (estimate), 0 bytes of shared memory per block
// CHECK: where the time goes
// CHECK: bounds: cycles of each limit alone
// CHECK: l2-bandwidth
// CHECK: work of the launch
// CHECK: fp32 1.05 Mflop
// CHECK: global loads 32.8 K requests 131 K sectors
// CHECK: memory accesses
// CHECK: text.cu:[[#KERNEL+3]] global load p 32.8 K 4 4
// CHECK: text.cu:[[#KERNEL+3]] global store p 32.8 K 4 4

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --formulas | FileCheck %s --check-prefix=FORMULAS
// FORMULAS: formulas
// FORMULAS-NEXT: time{{ *}}=
// FORMULAS: delay{{ *}}=
// FORMULAS: mem{{ *}}=

// The same input gives the same text.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie -o %t.1
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie -o %t.2
// RUN: diff %t.1 %t.2

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --set core_clock=1000MHz --caches cold | FileCheck %s --check-prefix=WHATIF
// WHATIF: 'scale' takes {{.*}} with core_clock={{.*}}, bound by
// WHATIF: caches cold

#include <cuda_runtime.h>

__global__ void scale(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] *= 2.0f;
}

int main() {
  constexpr int N = 1 << 20;
  float *p;
  cudaMalloc(&p, N * sizeof(float));
  scale<<<N / 256, 256>>>(p, N);
}
