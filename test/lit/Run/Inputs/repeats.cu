// Launches that are equal to one before, and whether what they compute is in
// memory already.
#include <cstdio>

struct Buffers {
  const float *In;
  float *Out;
};

__constant__ float Factor;
__device__ int Counter;

__global__ void scale(const float *In, float *Out, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    Out[I] = In[I] * Factor;
}

__global__ void increment(float *X, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    X[I] += 1;
}

__global__ void count(const float *X, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N && X[I] > 5)
    atomicAdd(&Counter, 1);
}

__global__ void addTwo(Buffers B, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    B.Out[I] = B.In[I] + 2;
}

// About 400 million steps, so that a thousand executions exceed the budget.
__global__ void sum(const float *In, float *Out, int N) {
  float Total = 0;
  for (int Round = 0; Round < 100; ++Round)
    for (int I = 0; I < N; ++I)
      Total += In[I] * Round;
  Out[blockIdx.x * blockDim.x + threadIdx.x] = Total;
}

__global__ void greet() { printf("hello\n"); }

int main() {
  constexpr int N = 4096, Blocks = N / 256;
  float *A, *B, *C, Host[N], Given[N], Factors[] = {2, 3};
  cudaMalloc(&A, sizeof(Host));
  cudaMalloc(&B, sizeof(Host));
  cudaMalloc(&C, sizeof(Host));
  for (int I = 0; I < N; ++I)
    Host[I] = Given[I] = I % 10;
  cudaMemcpy(A, Host, sizeof(Host), cudaMemcpyHostToDevice);
  auto Show = [&](const char *What, const float *Buffer) {
    cudaMemcpy(Host, Buffer, sizeof(Host), cudaMemcpyDeviceToHost);
    printf("%s: %g\n", What, Host[7]);
  };

  for (float F : Factors) {
    cudaMemcpyToSymbol(Factor, &F, sizeof(F));
    for (int R = 0; R < 100; ++R)
      scale<<<Blocks, 256>>>(A, B, N);
    Show("a variable has changed", B);
  }
  increment<<<Blocks, 256>>>(A, N);
  increment<<<Blocks, 256>>>(A, N);
  scale<<<Blocks, 256>>>(A, B, N);
  Show("the input has changed", B);
  cudaMemset(B, 0, sizeof(Host));
  scale<<<Blocks, 256>>>(A, B, N);
  Show("the output has changed", B);

  for (int R = 0; R < 3; ++R)
    count<<<Blocks, 256>>>(B, N);
  int Counted;
  cudaMemcpyFromSymbol(&Counted, Counter, sizeof(Counted));
  printf("counted: %d\n", Counted);

  for (int R = 0; R < 2; ++R)
    addTwo<<<Blocks, 256>>>({B, C}, N);
  Show("pointers in a structure", C);
  cudaMemset(B, 0, sizeof(Host));
  addTwo<<<Blocks, 256>>>({B, C}, N);
  Show("and their input has changed", C);

  for (int R = 0; R < 4; ++R) {
    cudaMemset(B, 0, sizeof(Host));
    increment<<<Blocks, 256>>>(B, N);
    Show("in place", B);
    cudaMemcpy(B, Given, sizeof(Host), cudaMemcpyHostToDevice);
    increment<<<Blocks, 256>>>(B, N);
    Show("in place, copied", B);
  }

  float *Managed;
  cudaMallocManaged(&Managed, sizeof(Host));
  for (int R = 0; R < 3; ++R) {
    for (int I = 0; I < N; ++I)
      Managed[I] = R;
    scale<<<Blocks, 256>>>(Managed, B, N);
    Show("the host has written", B);
  }

  for (int R = 0; R < 1000; ++R)
    sum<<<4, 256>>>(A, C, N);
  greet<<<1, 1>>>();
  greet<<<1, 1>>>();
  cudaDeviceSynchronize();
}
