// Parts of the runtime's interface; each line says whether it was right.
#include <cstdio>
#include <cstring>
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <vector>

__constant__ float scale[2];
__device__ int counter;
__managed__ int shared = 3;

__global__ void multiply(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= scale[1];
  if (i == 0)
    atomicAdd(&counter, 1);
}

__global__ void fetch(cudaTextureObject_t texture, cudaSurfaceObject_t surface,
                      float *out) {
  int i = threadIdx.x;
  out[i] = tex2D<float>(texture, i + 1.0f, 1.5f);
  surf2Dwrite(100.0f + i, surface, i * 4, 0);
}

__global__ void bump() { shared += 10; }

static void say(const char *what, bool right) {
  std::printf("%s: %s\n", what, right ? "right" : "WRONG");
}

static void symbols() {
  float *x, h[64], two[2] = {1, 2};
  for (int i = 0; i < 64; ++i)
    h[i] = i;
  cudaMalloc(&x, sizeof(h));
  cudaMemcpyToSymbol(scale, two, sizeof(two));
  cudaMemcpy(x, h, sizeof(h), cudaMemcpyHostToDevice);
  multiply<<<2, 32>>>(x, 64);
  cudaMemcpy(h, x, sizeof(h), cudaMemcpyDeviceToHost);
  int count;
  cudaMemcpyFromSymbol(&count, counter, sizeof(count));
  say("symbols", h[63] == 126 && count == 1);
  cudaFree(x);
}

static void graphs() {
  float *x, h[32];
  cudaMalloc(&x, sizeof(h));
  for (float &v : h)
    v = 1;
  cudaMemcpy(x, h, sizeof(h), cudaMemcpyHostToDevice);
  cudaStream_t stream, other;
  cudaStreamCreate(&stream);
  cudaStreamCreate(&other);
  cudaEvent_t fork;
  cudaEventCreate(&fork);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  // The second stream joins the capture by the event.
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  multiply<<<1, 32, 0, stream>>>(x, 32);
  cudaEventRecord(fork, stream);
  cudaStreamWaitEvent(other, fork);
  multiply<<<1, 32, 0, other>>>(x, 32);
  cudaStreamEndCapture(stream, &graph);
  size_t nodes = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  cudaGraphInstantiate(&executable, graph);
  for (int i = 0; i < 3; ++i)
    cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
  cudaMemcpy(h, x, sizeof(h), cudaMemcpyDeviceToHost);
  say("captured graph", nodes == 2 && h[31] == 64);

  // Memory set to 1.0f, then the kernel, in a graph made by hand.
  cudaGraph_t made;
  cudaGraphNode_t set, launch;
  cudaGraphCreate(&made, 0);
  cudaMemsetParams value = {x, 0, 0x3f800000, 4, 32, 1};
  cudaGraphAddMemsetNode(&set, made, nullptr, 0, &value);
  int n = 32;
  void *arguments[] = {&x, &n};
  cudaKernelNodeParams kernel = {(void *)multiply, dim3(1), dim3(32), 0,
                                 arguments, nullptr};
  cudaGraphAddKernelNode(&launch, made, &set, 1, &kernel);
  cudaGraphInstantiate(&executable, made);
  cudaGraphLaunch(executable, stream);
  cudaMemcpy(h, x, sizeof(h), cudaMemcpyDeviceToHost);
  say("graph by hand", h[0] == 2 && h[31] == 2);
}

static void textures() {
  float h[4][8], *out, result[8];
  for (int i = 0; i < 32; ++i)
    h[i / 8][i % 8] = i;
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &format, 8, 4, cudaArraySurfaceLoadStore);
  cudaMemcpy2DToArray(array, 0, 0, h, 32, 32, 4, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] =
      cudaAddressModeClamp;
  description.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t texture;
  cudaSurfaceObject_t surface;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  cudaCreateSurfaceObject(&surface, &resource);
  cudaMalloc(&out, sizeof(result));
  fetch<<<1, 8>>>(texture, surface, out);
  cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
  cudaMemcpy2DFromArray(h, 32, array, 0, 0, 32, 4, cudaMemcpyDeviceToHost);
  // Between two texels; behind the last one; what the surface wrote.
  say("textures", result[0] == 8.5f && result[7] == 15 && h[0][7] == 107);
}

static void managed() {
  bump<<<1, 1>>>();
  cudaDeviceSynchronize();
  bool first = shared == 13;
  shared = 5;
  bump<<<1, 1>>>();
  cudaDeviceSynchronize();
  say("managed variable", first && shared == 15);
}

static void blas() {
  // 2 x 2 by columns: [1 3; 2 4] * [5 7; 6 8]
  float a[] = {1, 2, 3, 4}, b[] = {5, 6, 7, 8}, c[4], one = 1, zero = 0;
  float *da, *db, *dc;
  cudaMalloc(&da, sizeof(a));
  cudaMalloc(&db, sizeof(b));
  cudaMalloc(&dc, sizeof(c));
  cublasSetMatrix(2, 2, 4, a, 2, da, 2);
  cublasSetMatrix(2, 2, 4, b, 2, db, 2);
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, da, 2, db, 2,
              &zero, dc, 2);
  cublasGetMatrix(2, 2, 4, dc, 2, c, 2);
  int largest;
  cublasIsamax(handle, 4, dc, 1, &largest);
  say("cuBLAS", c[0] == 23 && c[1] == 34 && c[2] == 31 && c[3] == 46 &&
                    largest == 4);
}

static void errors() {
  multiply<<<1, 2048>>>(nullptr, 0);
  bool launch = cudaGetLastError() == cudaErrorInvalidConfiguration &&
                cudaGetLastError() == cudaSuccess;
  float *x;
  cudaMalloc(&x, 64);
  bool copy = cudaMemset(x, 0, 65) == cudaErrorInvalidValue;
  bool free = cudaFree(x + 1) == cudaErrorInvalidValue;
  size_t available, total;
  cudaMemGetInfo(&available, &total);
  bool memory = cudaMalloc(&x, total + 1) == cudaErrorMemoryAllocation;
  cudaIpcMemHandle_t ipc;
  bool missing = cudaIpcGetMemHandle(&ipc, x) == cudaErrorNotSupported;
  cudaGetLastError();
  say("errors", launch && copy && free && memory && missing);
}

static void occupancy() {
  int grid, block, blocks;
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, multiply);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, multiply, block, 0);
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  say("occupancy", blocks * block == p.maxThreadsPerMultiProcessor &&
                       grid == blocks * p.multiProcessorCount);
}

int main() {
  symbols();
  graphs();
  textures();
  managed();
  blas();
  errors();
  occupancy();
}
