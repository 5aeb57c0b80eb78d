// Products and quotients of std::complex call functions that only code
// generation refers to: they are part of the estimate.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie | FileCheck-19 %s
// RUN: echo '{"id": 1, "method": "estimate", "params": {"file": "%s"}}' \
// RUN:   | %gpu-estimate serve --jsonl --no-cuda-sdk --ptxas off \
// RUN:       --gpu nvidia-a100-40gb-pcie | FileCheck-19 %s --check-prefix=SERVE
#include <complex>
__global__ void multiply(float *f, double *d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  std::complex<float> z(f[i], f[i + 1]);
  z *= std::complex<float>(f[i + 2], f[i + 3]);
  f[i] = z.real();
  std::complex<double> w(d[i], d[i + 1]);
  w /= std::complex<double>(d[i + 2], d[i + 3]);
  d[i] = w.real();
}
// CHECK-NOT: the call of
// CHECK: 'multiply' takes
// CHECK-NOT: the call of
// SERVE-NOT: the call of
// SERVE: "estimates":
// SERVE-NOT: the call of
void host(float *f, double *d) { multiply<<<1024, 256>>>(f, d); }
