// cuRAND's host interface: a mean on the device, and what a call may not do.
#include <cstdio>
#include <curand.h>

__global__ void sum(const float *numbers, int n, float *result) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(result, numbers[i]);
}

int main() {
  constexpr int n = 1 << 16;
  float *numbers, *result, host[4];
  cudaMalloc(&numbers, n * sizeof(float));
  cudaMalloc(&result, sizeof(float));
  cudaMemset(result, 0, sizeof(float));
  curandGenerator_t device, cpu, none;
  curandCreateGenerator(&device, CURAND_RNG_PSEUDO_DEFAULT);
  curandSetPseudoRandomGeneratorSeed(device, 1234);
  curandGenerateUniform(device, numbers, n);
  sum<<<n / 256, 256>>>(numbers, n, result);
  float total = 0, first[4];
  cudaMemcpy(&total, result, sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(first, numbers, sizeof(first), cudaMemcpyDeviceToHost);
  std::printf("mean %.2f\n", total / n);

  // The same numbers on the host.
  curandCreateGeneratorHost(&cpu, CURAND_RNG_PSEUDO_XORWOW);
  curandSetPseudoRandomGeneratorSeed(cpu, 1234);
  curandGenerateUniform(cpu, host, 4);
  bool same = true;
  for (int i = 0; i < 4; ++i)
    same &= host[i] == first[i];
  std::printf("same %d\n", same);

  std::printf("odd %d\n", curandGenerateNormal(device, numbers, 3, 0, 1) ==
                              CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  curandGenerateNormal(device, numbers, n, 0, 1);
  std::printf("sobol %d\n", curandCreateGenerator(&none, CURAND_RNG_QUASI_SOBOL32) ==
                                CURAND_STATUS_TYPE_ERROR);
  curandDestroyGenerator(device);
  curandDestroyGenerator(cpu);
}
