// A diagnostic at the kernel's line that names the launch; for every kind of
// compile that has a device side.
// REQUIRES: plugin

// DEFINE: %{cuda} = %clang_cuda -fplugin=%plugin -fplugin-arg-gpu_estimate-gpu=nvidia-h200
// RUN: %{cuda} -fsyntax-only %s 2>&1 | FileCheck %s
// RUN: %{cuda} --cuda-device-only -S %s -o %t.s 2>&1 | FileCheck %s
// RUN: %{cuda} --cuda-device-only -emit-llvm -S %s -o %t.ll 2>&1 | FileCheck %s
// RUN: %{cuda} --cuda-device-only -S -Werror -Wall -Wno-unknown-cuda-version %s -o %t.s 2>&1 | FileCheck %s

// CHECK: diagnostics.cu:[[#@LINE+3]]:17: remark: 'add' takes {{.+}} on NVIDIA H200{{.*}}(grid 16384, block 256 from host-code); launched at diagnostics.cu:[[#@LINE+12]] [-Wgpu-estimate-time]
// CHECK-NOT: {{error|warning: unknown}}

__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

int main() {
  float *a = nullptr, *b = nullptr, *c = nullptr;
  int n = 1 << 22;
  add<<<(n + 255) / 256, 256>>>(a, b, c, n);
}

// Only the host side: nothing to analyse, and the reason is said.
// RUN: %{cuda} --cuda-host-only -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=HOST
// HOST-NOT: takes
// HOST: remark: no estimate: only the host side is compiled
// HOST-NOT: takes
