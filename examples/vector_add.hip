// Vector addition, written for HIP: the smallest streaming kernel.
//
// The same work as vector_add.cu: two coalesced loads, one addition, one store
// per thread, bound by DRAM bandwidth. A wavefront has 64 lanes on CDNA parts
// and 32 on RDNA parts, so a block of 256 threads is 4 or 8 of them.

#include <cstdio>
#include <hip/hip_runtime.h>
#include <vector>

constexpr int N = 1 << 24;
constexpr int BlockSize = 256;

__global__ void vectorAdd(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

int main() {
  std::vector<float> a(N), b(N), c(N);
  for (int i = 0; i < N; ++i) {
    a[i] = static_cast<float>(i % 1000);
    b[i] = static_cast<float>(2 * (i % 1000));
  }

  constexpr size_t Bytes = N * sizeof(float);
  float *deviceA, *deviceB, *deviceC;
  (void)hipMalloc(&deviceA, Bytes);
  (void)hipMalloc(&deviceB, Bytes);
  (void)hipMalloc(&deviceC, Bytes);
  (void)hipMemcpy(deviceA, a.data(), Bytes, hipMemcpyHostToDevice);
  (void)hipMemcpy(deviceB, b.data(), Bytes, hipMemcpyHostToDevice);

  int blocks = (N + BlockSize - 1) / BlockSize;
  vectorAdd<<<blocks, BlockSize>>>(deviceA, deviceB, deviceC, N);

  (void)hipMemcpy(c.data(), deviceC, Bytes, hipMemcpyDeviceToHost);
  (void)hipFree(deviceA);
  (void)hipFree(deviceB);
  (void)hipFree(deviceC);

  int wrong = 0;
  for (int i = 0; i < N; ++i)
    wrong += c[i] != a[i] + b[i];
  std::printf("vector_add: %d wrong of %d\n", wrong, N);
  return wrong != 0;
}
