// An instruction in inline assembly that lacks its operands is executed as
// nothing that is known: the kernel has an estimate.
//
// RUN: %gpu-estimate analyze --no-cuda-sdk --ptxas off %s --gpu nvidia-v100 \
// RUN:   --emulate --kernel broken | FileCheck %s
// CHECK: 'broken' takes

__global__ void broken(int *out, int n) {
  asm volatile("activemask;");
  asm volatile("bfe.u32 %0, %1;" : "=r"(n) : "r"(n));
  out[threadIdx.x] = n;
}

void host(int *out) { broken<<<64, 128>>>(out, 3); }
