// Memory that a graph allocates is there in each launch of the graph, at the same
// address, whether the graph or the program frees it.
// RUN: %gpu-estimate run --no-cuda-sdk %s --gpu nvidia-a40 | FileCheck %s
// CHECK: freed outside: no error 5, no error 5
// CHECK: freed inside: no error 6, no error 6
#include <cstdio>

__global__ void set(int *p, int v) { p[threadIdx.x] = v; }
__global__ void copy(int *to, const int *from) { *to = *from; }

int main() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  int *out;
  cudaMalloc(&out, 4);
  for (int inside = 0; inside < 2; ++inside) {
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    int *p;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaMallocAsync(&p, 128, s);
    set<<<1, 32, 0, s>>>(p, 5 + inside);
    copy<<<1, 1, 0, s>>>(out, p);
    if (inside)
      cudaFreeAsync(p, s);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&executable, graph, 0);
    printf(inside ? "freed inside:" : "freed outside:");
    for (int i = 0; i < 2; ++i) {
      cudaError_t error = cudaGraphLaunch(executable, s);
      int value = 0;
      cudaMemcpyAsync(&value, out, 4, cudaMemcpyDeviceToHost, s);
      if (!inside)
        cudaFreeAsync(p, s);
      cudaStreamSynchronize(s);
      printf("%s %s %d", i ? "," : "", cudaGetErrorString(error), value);
    }
    printf("\n");
  }
}
