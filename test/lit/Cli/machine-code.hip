// Registers and spills of HIP are those of LLVM's AMDGPU back end for the GPU's
// own target: it lays the multiplications of a guarded store below its
// condition and leaves the loads above, so that all values are alive at once.
//
// RUN: %gpu-estimate analyze --no-cuda-sdk %s --gpu amd-w6600 --grid 4096 --block 256 \
// RUN:   --param n=1048576 --format json -o %t.json -- -O3
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: %gpu-estimate analyze --no-cuda-sdk %s --gpu amd-w6600 --grid 4096 --block 256 \
// RUN:   --param n=1048576 -- -O3 | FileCheck %s
// RUN: %gpu-estimate analyze --no-cuda-sdk %s --gpu amd-w6600 --grid 4096 --block 256 \
// RUN:   --param n=1048576 --machine-code off -- -O3 | FileCheck %s --check-prefix=OFF
// RUN: %gpu-estimate analyze --no-cuda-sdk %s --gpu amd-w6600 --grid 4096 --block 256 \
// RUN:   --param n=1048576 --deadline 0.2 --kernel spills -- -O3 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LARGE
// RUN: not %gpu-estimate analyze %s --gpu amd-w6600 --machine-code yes 2>&1 \
// RUN:   | FileCheck %s --check-prefix=USAGE
//
// JSON-DAG: "name": "spills"
// JSON-DAG: "registers_source": "amdgpu"
// JSON-DAG: "registers_source": "estimate"
// JSON-DAG: "machine_code": null
// JSON-DAG: "VALU": {{[0-9][0-9]+}}
//
// CHECK-LABEL: 'spills' takes
// CHECK: 128 VGPRs per thread (amdgpu)
// CHECK: machine code {{[0-9]+}} bytes, {{[0-9]+}} SGPRs; instructions: {{[0-9]+}} VALU, {{[0-9]+}} SALU, {{[0-9]+}} SMEM, {{[0-9]+}} VMEM
// CHECK: instructions machine code
// CHECK: local store spilled registers
// CHECK: VGPRs of 'spills' spilled to local memory
// CHECK-SAME: the compiler spills so many, with {{[0-9]+}} stores and {{[0-9]+}} loads
// CHECK-LABEL: 'callsTheLibrary' takes
// CHECK: VGPRs per thread (estimate)
//
// OFF-NOT: (amdgpu)
//
// The back end cannot be interrupted: a file that is too large for --deadline
// keeps the estimates. 200 milliseconds for each of two kernels: 1000
// instructions.
// LARGE: LLVM's AMDGPU back end was not run: {{[0-9]+}} instructions are more than the 1000 of the limit (--deadline); registers are estimated
//
// USAGE: expected on or off, got 'yes'

#include <hip/hip_runtime.h>

__global__ void spills(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float first = 0, second = 0;
#pragma unroll
  for (int k = 0; k < 200; ++k) {
    float x = a[i + 257 * k];
    first += x * b[k];
    second += x * b[k + 300];
  }
  if (i < n)
    c[i] = first;
  if (2 * i < n)
    c[i + n] = second;
}

__global__ void callsTheLibrary(float *c) {
  c[threadIdx.x] = sinf(c[threadIdx.x]);
}
