// Wrong arguments of the plugin stop the compile, with a message.
// REQUIRES: plugin

// DEFINE: %{cuda} = %clang_cuda -fplugin=%plugin --cuda-device-only -S %s -o %t.s
// RUN: not %{cuda} -fplugin-arg-gpu_estimate-nonsense=1 2>&1 | FileCheck %s --check-prefix=KEY
// KEY: error: gpu_estimate plugin: {{.*}}nonsense
// RUN: not %{cuda} -fplugin-arg-gpu_estimate-gpu=nvidia-h2000 2>&1 | FileCheck %s --check-prefix=GPU
// GPU: error: gpu_estimate plugin: {{.*}}unknown GPU 'nvidia-h2000'; did you mean 'nvidia-h200'
// RUN: not test -e %t.s

__global__ void k(float *p) { p[threadIdx.x] = 1.0f; }
