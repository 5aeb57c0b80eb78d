// Kernels of system headers are said at the user's line that led to them, named
// as the user knows them, and never in a header.
// REQUIRES: plugin

// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics -- -I%S/Inputs > %t.analyze
// RUN: FileCheck %s --input-file=%t.analyze --implicit-check-not=library.h: --implicit-check-not=leads
// RUN: %clang_cuda -fsyntax-only -I%S/Inputs -fplugin=%plugin -fplugin-arg-gpu_estimate-gpu=nvidia-a100-40gb-pcie %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=library.h: --implicit-check-not=leads

// Everything is still there for those who ask, and in JSON.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics --all-findings -- -I%S/Inputs \
// RUN:   | FileCheck %s --check-prefix=ALL --implicit-check-not=library.h:
// ALL: library-kernels.cu:[[#@LINE+22]]:{{[0-9]+}}: remark: 'library::detail::scanKernel<float>' has no time
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format json -- -I%S/Inputs | FileCheck %s --check-prefix=JSON
// JSON: "name": "library::detail::{{fill|scan}}Kernel<{{float|int}}>"

// A kernel of a header that does nothing and that no call leads to is no finding.
// RUN: not grep emptyKernel %t.analyze

// A launch that is known makes a sum.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format diagnostics --grid 64 --block 128 -- -I%S/Inputs | FileCheck %s --check-prefix=SUM
// SUM: remark: 'library::scan' takes {{.*}} on NVIDIA A100 PCIe 40 GB in 2 launches of 2 kernels of system headers [-Wgpu-estimate-time]

#include "library.h"

// CHECK: library-kernels.cu:[[#@LINE+1]]:17: remark: 'own' takes
__global__ void own(float *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

void host(float *p) {
  own<<<4096, 256>>>(p);
  // CHECK: library-kernels.cu:[[#@LINE+1]]:{{[0-9]+}}: remark: 'library::array' leads to 2 kernels of system headers, whose launches are not known here; execute the program with 'gpu-estimate run' [-Wgpu-estimate-time]
  library::array<float> a(1 << 20);
  library::array<int> b(1 << 20);
  // CHECK: library-kernels.cu:[[#@LINE+1]]:{{[0-9]+}}: remark: 'library::scan' leads to 2 kernels of system headers
  library::scan(a);
  library::scan(a);
}
