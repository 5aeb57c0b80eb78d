#include <cstdio>
#include <cuda_runtime.h>
extern __device__ float offsets[4];
__device__ float scale(float value, float factor);
void setOffsets(const float *values);

__global__ void apply(float *values) {
  int i = threadIdx.x;
  values[i] = scale(values[i], 2) + offsets[i % 4];
}

int main() {
  float offsets[4] = {1, 2, 3, 4}, values[64], *device;
  setOffsets(offsets);
  for (int i = 0; i < 64; ++i)
    values[i] = i;
  cudaMalloc(&device, sizeof(values));
  cudaMemcpy(device, values, sizeof(values), cudaMemcpyHostToDevice);
  apply<<<1, 64>>>(device);
  cudaMemcpy(values, device, sizeof(values), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < 64; ++i)
    wrong += values[i] != 2 * i + offsets[i % 4];
  std::printf("linked: %d wrong\n", wrong);
  return wrong != 0;
}
