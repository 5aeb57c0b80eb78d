// The assembler is asked also where a call has debug information that the
// back end's printer cannot write (a C function with a scope).
// REQUIRES: ptxas
// RUN: %gpu-estimate analyze %s --no-cuda-sdk --gpu nvidia-a100-40gb-pcie \
// RUN:   --format json | FileCheck %s
// CHECK: "registers_source": "ptxas"
// CHECK: "machine_code": {
// CHECK-NEXT: "bytes": {{[1-9][0-9]+}}
#include <assert.h>

extern "C" __global__ void check(int limit) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  assert(i < limit);
}
