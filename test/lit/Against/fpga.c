// A pipeline for each innermost loop: what bounds it, in text, JSON and remarks.
// RUN: %analyze %s --gpu nvidia-tegra-k1 --param n=1024 --against fpga > %t.txt
// RUN: FileCheck %s < %t.txt
// RUN: %analyze %s --gpu nvidia-tegra-k1 --param n=1024 --against fpga --format json > %t.json
// RUN: %check_json --estimates 2 < %t.json
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: %analyze %s --gpu nvidia-tegra-k1 --param n=1024 --against fpga --format diagnostics | FileCheck %s --check-prefix=REMARK
// RUN: %analyze %s --gpu nvidia-tegra-k1 --param n=1024 --against fpga --format diagnostics --no-warning against | FileCheck %s --check-prefix=SILENT

// Sums are gathered in a tree: more than one copy of the body.
// CHECK: 'rows' takes
// CHECK: against Xilinx ZC702 (Zynq XC7Z020) (xilinx-zc702)
// CHECK: 'rows' takes {{.*}} on Xilinx ZC702 (Zynq XC7Z020), bound by {{.*}} times as long as on NVIDIA Tegra K1
// CHECK: pipelined loop
// CHECK-NEXT: fpga.c:[[@LINE+12]]
// JSON: "against": [
// JSON: "kind": "fpga",
// JSON: "machine": "xilinx-zc702",
// JSON: "pipelines": [
// JSON: "limit": "
// JSON: "speed_up":
// REMARK: fpga.c:[[@LINE+3]]:3: remark: 'rows' takes {{.*}} on Xilinx ZC702 {{.*}} [-Wgpu-estimate-against]
void rows(int n, const float *restrict a, const float *restrict x, float *restrict y) {
#pragma gpu_estimate kernel
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int j = 0; j < n; j++)
      sum += a[i * n + j] * x[j];
    y[i] = sum;
  }
}

// A product and an addition go round: nine cycles, whatever the copies do.
// CHECK: 'filter' takes
// CHECK: pipelined loop
// CHECK-NEXT: fpga.c:[[@LINE+8]] {{[0-9]+}} ({{.*}}) {{.*}} 1 x {{[0-9]+}}
// JSON: "name": "filter"
// JSON: "unroll_inner": 1,
// SILENT-NOT: gpu-estimate-against
void filter(int n, const float *restrict a, float *restrict b, float c) {
#pragma gpu_estimate kernel
  for (int j = 0; j < n; j++) {
    float y = 0;
    for (int i = 0; i < n; i++) {
      y = a[i * n + j] + c * y;
      b[i * n + j] = y;
    }
  }
}
