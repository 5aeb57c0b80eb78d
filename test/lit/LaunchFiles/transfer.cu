// A measured time of one card as that of another: times the predicted ratio of
// both.
// RUN: %analyze %s --gpu nvidia-a100-80gb-sxm --launches %S/Inputs/stream.csv --transfer | FileCheck %s
// RUN: not %analyze %s --gpu nvidia-h200 --launches %S/Inputs/user.csv --transfer 2>&1 | FileCheck %s --check-prefix=NOCARD
// RUN: %analyze %s --gpu nvidia-h200 --launches %S/Inputs/stream.csv --measured-on nvidia-v100 --transfer | FileCheck %s --check-prefix=OTHER
// RUN: not %analyze %s --gpu nvidia-h200 --transfer 2>&1 | FileCheck %s --check-prefix=NOFILE
// RUN: not %analyze %s --gpu nvidia-h200 --launches %S/Inputs/stream.csv --grid 3 2>&1 | FileCheck %s --check-prefix=GRID
// RUN: not %analyze %s --gpu nvidia-h200 --launches %S/Inputs/none.csv 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK: 'copy' takes [[TIME:[0-9.]+]] us ({{.*}}) on NVIDIA A100
// CHECK: recorded 5 launches of on average 300 us on NVIDIA H200
// CHECK-NEXT: transferred {{[5-9][0-9][0-9]}} us ({{.*}}) = the measured time times {{[23]}}{{.*}}, the predicted ratio to NVIDIA H200{{.*}}, where it is bound by dram-bandwidth
// CHECK: 'copy' takes {{.*}} on NVIDIA H200
// CHECK: recorded {{.*}}; predicted {{.*}} times that
// CHECK-NOT: transferred 
// CHECK: launches of the file on NVIDIA A100
// CHECK-NEXT: transferred bound
// CHECK-NEXT: 5 x copy 131072, 256 300 us
// NOCARD: --transfer: {{.*}}user.csv names no card; pass --measured-on ID
// OTHER: the predicted ratio to NVIDIA Tesla V100
// NOFILE: --transfer: requires --launches FILE
// GRID: --launches: the file tells grids and blocks; leave out --grid
// NONE: --launches: {{.*}}none.csv: {{[Nn]}}o such file
__global__ void copy(float4 *to, const float4 *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i];
}
