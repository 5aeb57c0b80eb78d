// A changed value of the GPU changes what depends on it, and nothing else:
// half of the DRAM bandwidth doubles the time of a stream and leaves arithmetic
// alone, twice the multiprocessors leave the stream and halve the arithmetic.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format json -o %t.as-is
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format json -o %t.dram \
// RUN:   --set dram_bandwidth=745GB/s
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --format json -o %t.sms \
// RUN:   --set sm_count=216
// RUN: python3 %S/Inputs/what-if.py %t.as-is %t.dram %t.sms

// The die has 128 multiprocessors.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --set sm_count=216 | FileCheck %s
// CHECK: a GPU that does not exist, extrapolated: the die of NVIDIA A100 PCIe 40 GB has 1 to 128 multiprocessors, got 216 (sm_count)

__global__ void stream(const float *a, float *b) {
  size_t i = threadIdx.x + size_t(blockIdx.x) * blockDim.x;
  b[i] = 2 * a[i];
}

__global__ void arithmetic(float *out, float x) {
  float a = threadIdx.x, b = a + 1, c = a + 2, d = a + 3;
  for (int i = 0; i < 10000; ++i) {
    a = a * x + x;
    b = b * x + x;
    c = c * x + x;
    d = d * x + x;
  }
  out[threadIdx.x + size_t(blockIdx.x) * blockDim.x] = a + b + c + d;
}

void host(float *a, float *b) {
  stream<<<1 << 21, 256>>>(a, b);
  arithmetic<<<108 * 8 * 50, 256>>>(b, 2);
}
