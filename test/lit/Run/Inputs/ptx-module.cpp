// Loads the PTX of a file, two modules of it, and launches their kernels.
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

static std::string contents(const char *File) {
  std::stringstream Text;
  Text << std::ifstream(File).rdbuf();
  return Text.str();
}

int main(int, char **Args) {
  const int N = 1 << 19;
  cuInit(0);
  std::vector<float> X(N, 2), Y(N, 1);
  CUdeviceptr DeviceX, DeviceY;
  cuMemAlloc(&DeviceX, N * sizeof(float));
  cuMemAlloc(&DeviceY, N * sizeof(float));
  cuMemcpyHtoD(DeviceX, X.data(), N * sizeof(float));
  cuMemcpyHtoD(DeviceY, Y.data(), N * sizeof(float));
  std::string Text = contents(Args[1]);
  // Both have a kernel of one name.
  CUmodule Modules[2];
  for (CUmodule &M : Modules)
    if (CUresult Error = cuModuleLoadData(&M, Text.c_str()))
      return std::printf("not loaded: %d\n", Error), 1;
  int Count = N;
  float A = 3;
  void *Arguments[] = {&Count, &DeviceX, &DeviceY, &A};
  for (CUmodule M : Modules) {
    CUfunction Saxpy;
    cuModuleGetFunction(&Saxpy, M, "saxpy");
    cuLaunchKernel(Saxpy, N / 256, 1, 1, 256, 1, 1, 0, nullptr, Arguments,
                   nullptr);
  }
  // As benchmarks clear the L2 cache.
  CUdeviceptr Flush;
  cuMemAlloc(&Flush, 64 << 20);
  cuMemsetD8(Flush, 0, 64 << 20);
  CUfunction Saxpy;
  cuModuleGetFunction(&Saxpy, Modules[0], "saxpy");
  cuLaunchKernel(Saxpy, N / 256, 1, 1, 256, 1, 1, 0, nullptr, Arguments,
                 nullptr);
  cuMemcpyDtoH(Y.data(), DeviceY, N * sizeof(float));
  std::printf("y = %g\n", Y[N - 1]);
}
