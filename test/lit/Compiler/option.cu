// --compiler says whose decisions hold. nvcc lays out a loop of 128 products that
// clang leaves, so that its sums are in local memory. Without the option it is
// nvcc, but clang's for clang's command lines and in clang's plugin.

// RUN: %analyze %s --gpu nvidia-rtx-a6000 | FileCheck %s --check-prefix=NVCC
// RUN: %analyze %s --gpu nvidia-rtx-a6000 --compiler nvcc | FileCheck %s --check-prefix=NVCC
// RUN: %analyze %s --gpu nvidia-rtx-a6000 --compiler clang | FileCheck %s --check-prefix=CLANG
// RUN: not %analyze %s --compiler icc 2>&1 | FileCheck %s --check-prefix=WRONG

// A database says which compiler it is.
// RUN: rm -rf %t && mkdir -p %t
// RUN: echo '[{"directory": "%t", "file": "%s", "command": "clang++ -x cuda -c %s"}]' > %t/compile_commands.json
// RUN: %analyze -p %t %s --gpu nvidia-rtx-a6000 | FileCheck %s --check-prefix=CLANG
// RUN: echo '[{"directory": "%t", "file": "%s", "command": "nvcc -O3 -c %s"}]' > %t/compile_commands.json
// RUN: %analyze -p %t %s --gpu nvidia-rtx-a6000 | FileCheck %s --check-prefix=NVCC
// RUN: %analyze -p %t %s --gpu nvidia-rtx-a6000 --compiler clang | FileCheck %s --check-prefix=CLANG

// WRONG: --compiler: expected nvcc or clang, got 'icc'
// NVCC: takes
// NVCC-NOT: local load
// CLANG: takes
// CLANG: local load acc

// gpu-estimate: grid=1024 block=256 param n=1024
__global__ void products(const float *a, float *c, int n) {
  const int t = threadIdx.x + blockIdx.x * blockDim.x;
  float acc[128];
  for (int i = 0; i < 128; ++i)
    acc[i] = 0;
  for (int k = 0; k < n; ++k) {
    float v = a[k * 4096 + t];
    for (int i = 0; i < 128; ++i)
      acc[i] = acc[i] * v + 0.5f;
  }
  for (int i = 0; i < 128; ++i)
    c[i * 4096 + t] = acc[i];
}
