// Kernel launches and the runtime calls around them parse on both sides.
// RUN: %clang_cuda_device %s | FileCheck-19 %s
// RUN: %clang_cuda_device %s | FileCheck-19 --check-prefix=DEPENDENT %s
// RUN: %clang_cuda_host %s
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <device_launch_parameters.h>

__constant__ float weights[16];
__device__ int result;

template <int Tile> __global__ void tiled(float *a, int n) {
  extern __shared__ float s[];
  s[threadIdx.x] = a[threadIdx.x] * weights[n] * Tile;
  a[threadIdx.x] = s[threadIdx.x ^ 1];
}
__global__ void plain(float *a, int n) { a[threadIdx.x] = n; }

// The instantiation that host code launches is generated for the device.
// CHECK: define {{.*}}@_Z5tiledILi16EEvPfi(
// CHECK-NOT: define {{.*}}@_Z5tiledILi32EEvPfi(

int main() {
  const int n = 1 << 20;
  float *a, *h, *m;
  size_t pitch;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc((void **)&a, n * sizeof(float));
  cudaMallocHost(&h, n * sizeof(float));
  cudaMallocManaged(&m, n * sizeof(float));
  cudaMallocPitch(&m, &pitch, 64, 64);
  cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(weights, h, sizeof(weights));
  cudaMemset(a, 0, n);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop, cudaEventBlockingSync);
  cudaEventRecord(start);

  dim3 block(16, 16), grid((n + 255) / 256);
  tiled<16><<<grid, block, 256 * sizeof(float), stream>>>(a, n);
  plain<<<4, 64>>>(a, n);
  plain<<<dim3(4, 2), 64, 0>>>(a, n);
  void *arguments[] = {&a, (void *)&n};
  cudaLaunchKernel((const void *)plain, grid, block, arguments, 0, stream);
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = block;
  cudaLaunchKernelEx(&config, plain, a, n);

  cudaEventRecord(stop, stream);
  cudaEventSynchronize(stop);
  float ms;
  cudaEventElapsedTime(&ms, start, stop);
  int blocks, size, least;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 256, 0);
  cudaOccupancyMaxPotentialBlockSize(&least, &size, plain);
  cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       65536);
  cudaFuncSetCacheConfig(plain, cudaFuncCachePreferL1);
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  cudaMemcpyFromSymbol(&size, result, sizeof(int));
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, stream);
  cudaThreadSynchronize();
  if (cudaDeviceSynchronize() != cudaSuccess)
    return cudaGetErrorString(cudaGetLastError())[0];
  return properties.multiProcessorCount;
}

// Dependent launches are the instructions of the PTX.
// DEPENDENT: @dependent(
extern "C" __global__ void dependent(int *a) {
  // DEPENDENT: griddepcontrol.wait
  cudaGridDependencySynchronize();
  *a = 1;
  // DEPENDENT: griddepcontrol.launch_dependents
  cudaTriggerProgrammaticLaunchCompletion();
}
