// The space of a generic pointer. clang 19 has a builtin for each but that of
// parameters, which libcu++ of CCCL 3 asks for.
// RUN: %clang_cuda_device %s | FileCheck-19 %s
// RUN: %clang_cuda_host %s
// RUN: %analyze %s --gpu nvidia-h200 --grid 1024 --block 256 \
// RUN:   | FileCheck-19 --check-prefix=TIME %s

// CHECK-LABEL: @spaces(
// TIME: 'spaces' takes
extern "C" __global__ void spaces(const void *p, unsigned *out) {
  // CHECK: @llvm.nvvm.isspacep.shared(
  // CHECK: asm {{.*}}isspacep.param
  out[threadIdx.x] = __isShared(p) + 2 * __isGridConstant(p);
}
