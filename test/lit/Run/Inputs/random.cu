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
  std::printf("twister %d\n",
              curandCreateGenerator(&none, CURAND_RNG_PSEUDO_MT19937) ==
                  CURAND_STATUS_TYPE_ERROR);

  // The first numbers of cuRAND's library.
  unsigned bits[4] = {};
  curandGenerator_t philox, sobol;
  curandCreateGenerator(&philox, CURAND_RNG_PSEUDO_PHILOX4_32_10);
  curandSetPseudoRandomGeneratorSeed(philox, 1234);
  curandGenerate(philox, (unsigned *)numbers, n);
  cudaMemcpy(bits, numbers, sizeof(bits), cudaMemcpyDeviceToHost);
  std::printf("philox %08x %08x\n", bits[0], bits[1]);
  curandCreateGenerator(&sobol, CURAND_RNG_QUASI_SOBOL32);
  std::printf("dimensions %d\n",
              curandSetQuasiRandomGeneratorDimensions(sobol, 2));
  curandGenerateUniform(sobol, numbers, 8);
  cudaMemcpy(first, numbers + 4, sizeof(first), cudaMemcpyDeviceToHost);
  std::printf("sobol %.2f %.2f %.2f\n", first[1], first[2], first[3]);
  curandGeneratePoisson(philox, (unsigned *)numbers, n, 1);
  cudaMemcpy(bits, numbers, sizeof(bits), cudaMemcpyDeviceToHost);
  std::printf("poisson %d\n", bits[0] < 12 && bits[1] < 12 && bits[2] < 12);
  curandDestroyGenerator(device);
  curandDestroyGenerator(cpu);
}
