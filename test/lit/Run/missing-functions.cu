// Functions of GPU libraries that nothing defines return the library's own "not
// supported"; the report names those that were called, with their number. Any
// other undefined function ends the build.
// REQUIRES: slow
// RUN: %gpu-estimate run --no-cuda-sdk %s --gpu nvidia-a40 -- -lcusolver -lGLEW | FileCheck %s
// RUN: not %gpu-estimate run --no-cuda-sdk %s --gpu nvidia-a40 -- -DOTHER > %t.txt 2>&1
// RUN: FileCheck --check-prefix=OTHER %s < %t.txt
// CHECK: 9 9 3000 801 not supported
// CHECK: calls of the host
// CHECK: 2 {{.*}} cusolverSpCreate
// CHECK: notices
// CHECK-NOT: cudnnCreate
// CHECK: cusolverSpCreate is not supported: it failed
// CHECK: cudnnSetStream is not supported: it failed
// CHECK: cuGraphicsVDPAURegisterOutputSurface is not supported: it failed
// OTHER: undefined reference to `helper'
#include <cstdio>

extern "C" {
int cusolverSpCreate(void **);
int cudnnSetStream(int *, int);
int cuGraphicsVDPAURegisterOutputSurface(void *);
const unsigned char *glGetString(unsigned);
int cudnnCreate(void **);
int helper(int);
}

int main(int argc, char **) {
  void *handle;
  cudaFree(0);
  int first = cusolverSpCreate(&handle), second = cusolverSpCreate(&handle);
  printf("%d %d %d %d %s\n", first, second, cudnnSetStream(0, 1),
         cuGraphicsVDPAURegisterOutputSurface(0),
         (const char *)glGetString(0x1F00));
#ifdef OTHER
  helper(1);
#endif
  return argc > 9 ? cudnnCreate(&handle) : 0;
}
