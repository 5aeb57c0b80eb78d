// The same nest on a CPU: its machine code's cycles, the bytes of each level,
// copies over PCIe, and the size from which the GPU wins.
// RUN: %analyze %s --gpu nvidia-h200 --param n=4096 --against cpu=amd-epyc-7763:1 > %t.txt
// RUN: FileCheck %s < %t.txt
// RUN: %analyze %s --gpu nvidia-h200 --param n=4096 --against cpu=amd-epyc-7763 --format json > %t.json
// RUN: %check_json --estimates 1 < %t.json
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: %analyze %s --gpu nvidia-h200 --param n=4096 --against cpu=intel-xeon-platinum-8176 --format diagnostics | FileCheck %s --check-prefix=REMARK
// RUN: %analyze %s --gpu nvidia-tegra-k1 --param n=1024 --against cpu=nvidia-tegra-k1 | FileCheck %s --check-prefix=UNIFIED

// CHECK: against AMD EPYC 7763 (amd-epyc-7763)
// CHECK: 'gemm' takes {{.*}} on 1 core of AMD EPYC 7763, bound by cores, {{.*}} times as long as on NVIDIA H200{{.*}} times with copies of 134 MB in and 67.1 MB out
// CHECK: cores
// CHECK: l2
// CHECK: l3
// CHECK: dram
// CHECK: copies to the GPU and back
// CHECK: the GPU pays; the GPU is faster from n = {{[0-9]+}} on (tried n = {{[0-9]+}} to 4096)
// JSON: "kind": "cpu",
// JSON: "machine": "amd-epyc-7763",
// JSON: "cores": 64,
// JSON: "limits_ms": {
// JSON: "copy_bytes_in": 134217728,
// JSON: "speed_up_with_copies":
// JSON: "pays": true,
// JSON: "break_even": {
// JSON: "parameter": "n",
// JSON: "gpu_wins": "above",
// REMARK: cpu.c:[[@LINE+7]]:3: remark: 'gemm' takes {{.*}} on 28 cores of Intel Xeon Platinum 8176, {{.*}} [-Wgpu-estimate-against]
// REMARK: note: the GPU is faster from n =
// One memory: nothing is copied.
// UNIFIED: on 4 cores of NVIDIA Tegra K1 Cortex-A15
// UNIFIED-NOT: copies
void gemm(int n, const float *restrict a, const float *restrict b, float *restrict c) {
#pragma gpu_estimate kernel block(32, 32)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

// A largest element takes two launches; the second one is no nest of its own.
// RUN: %analyze %s --gpu nvidia-h200 --param n=4194304 --offload largest --against cpu --kernel '^largest' | FileCheck %s --check-prefix=TWO
// TWO: 'largest' takes {{.*}} core{{s?}} of AMD EPYC 7763
// TWO: 'largest.final' is not compared with AMD EPYC 7763: it only combines what another launch has left
float largest(int n, const float *a) {
  float s = a[0];
  for (int i = 0; i < n; i++)
    s = a[i] > s ? a[i] : s;
  return s;
}
