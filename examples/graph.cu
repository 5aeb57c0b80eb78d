// Many small kernels, launched one by one and as a graph that was captured from
// the same stream.
//
//   gpu-estimate run graph.cu --gpu nvidia-h100-sxm

#include <cstdio>
#include <cuda_runtime.h>

constexpr int N = 4096, Steps = 20, Repeats = 5;

__global__ void addOne(int *values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] += 1;
}

static void launchSteps(int *values, cudaStream_t stream) {
  for (int i = 0; i < Steps; ++i)
    addOne<<<(N + 255) / 256, 256, 0, stream>>>(values, N);
}

int main() {
  int *values;
  cudaMalloc(&values, N * sizeof(int));
  cudaMemset(values, 0, N * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaEvent_t start, middle, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&middle);
  cudaEventCreate(&stop);

  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  launchSteps(values, stream);
  cudaGraph_t graph;
  cudaStreamEndCapture(stream, &graph);
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, 0);

  cudaEventRecord(start, stream);
  for (int r = 0; r < Repeats; ++r)
    launchSteps(values, stream);
  cudaEventRecord(middle, stream);
  for (int r = 0; r < Repeats; ++r)
    cudaGraphLaunch(executable, stream);
  cudaEventRecord(stop, stream);
  cudaStreamSynchronize(stream);
  float one = 0, asGraph = 0;
  cudaEventElapsedTime(&one, start, middle);
  cudaEventElapsedTime(&asGraph, middle, stop);

  int result[N], wrong = 0;
  cudaMemcpy(result, values, sizeof(result), cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; ++i)
    wrong += result[i] != 2 * Steps * Repeats;
  printf("graph: %d wrong; one by one %.1f us, as a graph %.1f us\n", wrong,
         one * 1e3f, asGraph * 1e3f);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaFree(values);
  // The times contain what the host really takes, so that they decide nothing.
  return wrong != 0;
}
