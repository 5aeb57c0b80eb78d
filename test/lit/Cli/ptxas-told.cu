// What an assembler tells of the kernels that are asked for is used: its
// registers, and its spills where a bound explains them.
// RUN: rm -f %t.log
// RUN: env FAKE_LOG=%t.log FAKE_REGISTERS=21 %gpu-estimate analyze %s --no-cuda-sdk \
// RUN:   --gpu nvidia-a100-40gb-pcie --kernel scale --ptxas %S/../Inputs/ptxas/ptxas \
// RUN:   -- -O2 | FileCheck %s
// CHECK: 'scale' takes
// CHECK: 21 registers per thread (ptxas)

// It is called as the user's compiler would call it.
// RUN: FileCheck %s --check-prefix=CALL < %t.log
// CALL: -v -arch=sm_80 -O2 -o
// CALL-NOT: kernel {{.*}}add
// CALL: kernel {{.*}}scale
// CALL-NOT: kernel {{.*}}add

// So many registers belong to other code than the user's compiler makes.
// RUN: env FAKE_REGISTERS=255 FAKE_SPILLS=96 %gpu-estimate analyze %s --no-cuda-sdk \
// RUN:   --gpu nvidia-a100-40gb-pcie --kernel scale --ptxas %S/../Inputs/ptxas/ptxas \
// RUN:   2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER-DAG: 'scale': ptxas makes 255 registers and 96 bytes of spills of the code that clang's passes make of it, where {{[0-9]+}} registers can hold its values
// OTHER-DAG: registers per thread (estimate)

// An assembler that fails leaves a remark.
// RUN: %gpu-estimate analyze %s --no-cuda-sdk --gpu nvidia-a100-40gb-pcie \
// RUN:   --kernel scale --ptxas /bin/false 2>&1 | FileCheck %s --check-prefix=FAILS
// FAILS-DAG: --ptxas /bin/false: /bin/false failed: {{.*}}; registers are estimated
// FAILS-DAG: registers per thread (estimate)

__global__ void scale(float *x, float by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] *= by;
}
__global__ void add(float *x, float y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] += y;
}

void run(float *x) {
  scale<<<640, 128>>>(x, 2.0f);
  add<<<640, 128>>>(x, 2.0f);
}
