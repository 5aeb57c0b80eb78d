// Findings sit at their places, in the command line tool as in the plugin, and
// are silenced by group.

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics | FileCheck %s --check-prefixes=CHECK,TIME
// RUN: %clang_cuda -fsyntax-only -fplugin=%plugin -fplugin-arg-gpu_estimate-gpu=nvidia-a100-40gb-pcie %s 2>&1 | FileCheck %s --check-prefixes=CHECK,TIME
// TIME: diagnostics.cu:[[#@LINE+15]]:17: remark: 'column' takes {{.*}} (grid 64x64, block 32x8 from host-code); launched at diagnostics.cu:[[#@LINE+22]] [-Wgpu-estimate-time]
// CHECK: diagnostics.cu:[[#@LINE+17]]:{{[0-9]+}}: remark: store to 'out' touches 32 sectors per request where 4 would do; predicted gain {{[1-9][0-9.]*}}% [-Wgpu-estimate-uncoalesced]

// With --all-findings the place of the launch is a note.
// RUN: %clang_cuda -fsyntax-only -fplugin=%plugin -fplugin-arg-gpu_estimate-gpu=nvidia-a100-40gb-pcie -fplugin-arg-gpu_estimate-all-findings %s 2>&1 | FileCheck %s --check-prefix=NOTE
// NOTE: diagnostics.cu:28:3: note: launched here

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics --no-warning time | FileCheck %s --implicit-check-not=gpu-estimate-time
// RUN: %clang_cuda -fsyntax-only -fplugin=%plugin -fplugin-arg-gpu_estimate-gpu=nvidia-a100-40gb-pcie -fplugin-arg-gpu_estimate-no-warning=time %s 2>&1 | FileCheck %s --implicit-check-not=gpu-estimate-time

// A build that treats warnings as errors goes on.
// RUN: %clang_cuda -fsyntax-only -Werror -Wno-unknown-cuda-version -fplugin=%plugin -fplugin-arg-gpu_estimate-gpu=nvidia-a100-40gb-pcie %s

#include <cuda_runtime.h>

__global__ void column(float *out, const float *in, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  out[x * n + y] = in[y * n + x];
}

void host(float *out, const float *in) {
  column<<<dim3(64, 64), dim3(32, 8)>>>(out, in, 2048);
}
