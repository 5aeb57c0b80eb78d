#include <cstdio>
#include <cuda.h>
#ifndef __cuda_cuda_h__
#error "cuda.h does not define its guard"
#endif

int main() {
  cuInit(0);
  CUdevice device;
  cuDeviceGet(&device, 0);
  CUcontext context;
  CUctxCreateParams parameters = {};
  CUresult result = cuCtxCreate(&context, &parameters, 0, device);
  int n = 70000, different = 0, *a = new int[n];
  for (unsigned i = 0; i < (unsigned)n; i++)
    a[i] = int(i * i);
  for (int i = 0; i < n; i++)
    different += a[i] != i * i;
  printf("context %d, %d different\n", result, different);
}
