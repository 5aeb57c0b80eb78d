// Conditional nodes of graphs: a body that executes or not, one that repeats,
// one of several; the value comes from a kernel, or is the default at each
// launch.
// RUN: %gpu-estimate run --no-cuda-sdk %s --gpu nvidia-a40 | FileCheck %s --check-prefixes=CHECK,LAUNCHES
// CHECK: if 1 0, else 0 1, while 10, again 20, switch 0 0 7, captured 6
// LAUNCHES: {{[0-9]+}} launches
// The loop ends where nothing executes.
// RUN: %gpu-estimate run --no-cuda-sdk %s --gpu nvidia-a40 --execute none 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: a loop of a graph was followed once
#include <cstdio>

__global__ void decide(cudaGraphConditionalHandle handle, unsigned value) {
  cudaGraphSetConditional(handle, value);
}
__global__ void count(int *p, int by) { *p += by; }
__global__ void countDown(int *p, int *left, cudaGraphConditionalHandle handle) {
  ++*p;
  cudaGraphSetConditional(handle, --*left != 0);
}

static cudaGraphNode_t kernelNode(cudaGraph_t graph, void *kernel, void **arguments) {
  cudaGraphNodeParams p = {};
  p.type = cudaGraphNodeTypeKernel;
  p.kernel.func = kernel;
  p.kernel.gridDim = p.kernel.blockDim = {1, 1, 1};
  p.kernel.kernelParams = arguments;
  cudaGraphNode_t node;
  cudaGraphAddNode(&node, graph, nullptr, 0, &p);
  return node;
}

static cudaGraph_t *conditional(cudaGraph_t graph, const cudaGraphNode_t *after,
                                cudaGraphConditionalHandle handle,
                                cudaGraphConditionalNodeType type, unsigned size) {
  cudaGraphNodeParams p = {};
  p.type = cudaGraphNodeTypeConditional;
  p.conditional.handle = handle;
  p.conditional.type = type;
  p.conditional.size = size;
  cudaGraphNode_t node;
  cudaGraphAddNode(&node, graph, after, nullptr, after ? 1 : 0, &p);
  return p.conditional.phGraph_out;
}

static void launch(cudaGraph_t graph) {
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, 0);
  cudaDeviceSynchronize();
  cudaGraphExecDestroy(executable);
}

/// A graph that sets the value, and counts in the body that it chooses.
static void choose(cudaGraphConditionalNodeType type, unsigned value, int *p, unsigned bodies) {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalHandleCreate(&handle, graph);
  void *decision[] = {&handle, &value};
  cudaGraphNode_t first = kernelNode(graph, (void *)decide, decision);
  cudaGraph_t *body = conditional(graph, &first, handle, type, bodies);
  for (unsigned i = 0; i < bodies; ++i) {
    int *place = p + i, by = type == cudaGraphCondTypeSwitch ? 7 : 1;
    void *arguments[] = {&place, &by};
    kernelNode(body[i], (void *)count, arguments);
  }
  launch(graph);
  cudaGraphDestroy(graph);
}

int main() {
  int *p;
  cudaMallocManaged(&p, 16 * sizeof(int));
  for (int i = 0; i < 16; ++i)
    p[i] = 0;
  choose(cudaGraphCondTypeIf, 5, p, 2);
  choose(cudaGraphCondTypeIf, 0, p + 2, 2);
  choose(cudaGraphCondTypeSwitch, 2, p + 4, 3);

  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
  int *sum = p + 8, *left = p + 9;
  void *arguments[] = {&sum, &left, &handle};
  cudaGraph_t *body = conditional(graph, nullptr, handle, cudaGraphCondTypeWhile, 1);
  kernelNode(body[0], (void *)countDown, arguments);
  *left = 10;
  launch(graph);
  int once = *sum;
  *left = 10;
  launch(graph);
  cudaGraphDestroy(graph);

  // A body that a stream's capture fills, behind a node that is there.
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
  body = conditional(graph, nullptr, handle, cudaGraphCondTypeIf, 1);
  int *place = p + 10, by = 1;
  void *one[] = {&place, &by};
  cudaGraphNode_t first = kernelNode(body[0], (void *)count, one);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamBeginCaptureToGraph(stream, body[0], &first, nullptr, 1, cudaStreamCaptureModeGlobal);
  count<<<1, 1, 0, stream>>>(place, 3);
  cudaGraph_t captured;
  cudaStreamEndCapture(stream, &captured);
  cudaStreamBeginCaptureToGraph(stream, body[0], &first, nullptr, 1, cudaStreamCaptureModeGlobal);
  count<<<1, 1, 0, stream>>>(place, 2);
  cudaStreamEndCapture(stream, nullptr); // its name is known
  launch(graph);
  int capturedSum = captured == body[0] ? *place : -1;
  printf("if %d %d, else %d %d, while %d, again %d, switch %d %d %d, captured %d\n", p[0], p[1], p[2], p[3], once,
         *sum, p[4], p[5], p[6], capturedSum);
}
