// Twelve lines that include Thrust give remarks about the user's kernel and call
// only, at their lines.
// REQUIRES: thrust, long
// RUN: sed -n '/^#include/,$p' %s > %t.cu && test $(wc -l < %t.cu) = 12
// RUN: %gpu-estimate analyze %t.cu --gpu nvidia-h200 --ptxas off --nvcc off --format diagnostics \
// RUN:   -- -I%thrust -std=c++17 > %t.out
// RUN: FileCheck --input-file=%t.out %s --implicit-check-not=.h: --implicit-check-not=remark: --implicit-check-not=warning:
// CHECK: thrust.cu.tmp.cu:4:17: remark: 'scale' takes {{.*}} [-Wgpu-estimate-time]
// CHECK: thrust.cu.tmp.cu:7:{{[0-9]+}}: remark: {{store to|load from|load of}} 'x' {{.*}} [-Wgpu-estimate-uncoalesced]
// CHECK: thrust.cu.tmp.cu:11:3: remark: 'thrust::sort' leads to {{[0-9]+}} kernels of system headers, {{.*}} [-Wgpu-estimate-time]

// Without a call of Thrust, the user's kernel alone.
// RUN: grep -v thrust::sort %t.cu > %t.unused.cu
// RUN: %gpu-estimate analyze %t.unused.cu --gpu nvidia-h200 --ptxas off --nvcc off --format diagnostics \
// RUN:   -- -I%thrust -std=c++17 | FileCheck %s --check-prefix=OWN --implicit-check-not=remark:
// OWN: unused.cu:4:17: remark: 'scale' takes
// OWN: unused.cu:7:{{[0-9]+}}: remark: {{.*}} 'x'

#include <thrust/device_vector.h>
#include <thrust/sort.h>

__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i * 2] *= 2;
}
void run(thrust::device_vector<float> &v) {
  scale<<<4096, 256>>>(thrust::raw_pointer_cast(v.data()), 1048576);
  thrust::sort(v.begin(), v.end());
}
