// Groups are silenced by a plugin argument, or as clang's own warnings are.
// REQUIRES: plugin

// DEFINE: %{cuda} = %clang_cuda -fplugin=%plugin -fplugin-arg-gpu_estimate-gpu=nvidia-h200 --cuda-device-only -fsyntax-only %s
// RUN: %{cuda} 2>&1 | FileCheck %s
// CHECK: [-Wgpu-estimate-time]
// RUN: %{cuda} -Wno-unknown-warning-option -Wno-gpu-estimate-time 2>&1 | FileCheck %s --allow-empty --check-prefix=QUIET
// RUN: %{cuda} -Wno-unknown-warning-option -Wno-gpu-estimate 2>&1 | FileCheck %s --allow-empty --check-prefix=QUIET
// QUIET-NOT: [-Wgpu-estimate-time]

__global__ void k(float *p) {
  p[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f;
}

int main() { k<<<1024, 256>>>(nullptr); }
