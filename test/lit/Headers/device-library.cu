// printf, assert, malloc, traps and timers in device code.
// RUN: %clang_cuda_device %s | FileCheck-19 %s
// RUN: %clang_cuda_host %s
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

// CHECK-LABEL: @talk(
extern "C" __global__ void talk(int *a, int n) {
  // CHECK: call {{.*}}@vprintf(
  printf("%d %d\n", a[0], n);
  // CHECK: call void @__assertfail(
  assert(n > 0);
  // CHECK: call {{.*}}ptr @malloc(i64
  int *p = (int *)malloc(n * sizeof(int));
  p[0] = a[0];
  a[1] = p[n];
  // CHECK: call void @free(
  free(p);
  // CHECK: @llvm.nvvm.read.ptx.sreg.clock()
  a[2] = clock();
  // CHECK: @llvm.nvvm.read.ptx.sreg.clock64()
  a[3] = clock64();
  // CHECK: @llvm.nvvm.nanosleep(i32 100)
  __nanosleep(100);
  // CHECK: asm sideeffect "trap
  if (n > 1000)
    __trap();
}

int main() {
  printf("%d\n", abs(-3));
  assert(malloc(3) != nullptr);
  return 0;
}
