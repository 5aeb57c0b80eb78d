// The C++ library's headers work on both sides, before and after ours.
// REQUIRES: slow
// RUN: %clang_cuda_device %s | FileCheck-19 %s
// RUN: %clang_cuda_host %s
// RUN: %clang_cuda_host -std=c++14 %s
// RUN: %clang_cuda_host -std=c++20 %s
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>
#include <cuda_runtime.h>
#include <chrono>
#include <thread>

// CHECK-LABEL: @device(
extern "C" __global__ void device(float *f, int *i, std::uint32_t n) {
  // CHECK: @llvm.umin.i32(i32 {{.*}}, i32 7)
  i[0] = std::min(n, 7u);
  // CHECK: store i32 2147483647
  i[1] = std::numeric_limits<int>::max();
  std::complex<float> z(f[0], f[1]);
  // CHECK: fmul
  z *= z;
  f[2] = z.imag();
  // CHECK: @__nv_sqrtf(
  f[3] = std::sqrt(f[3]);
  // CHECK: fcmp {{.*}}uno float
  i[4] = std::isnan(f[4]);
}

int main() {
  std::vector<float> v(16, 1.0f);
  std::sort(v.begin(), v.end(), std::greater<float>());
  std::mt19937 engine(1);
  std::map<std::string, std::unique_ptr<int>> names;
  std::complex<double> z = std::exp(std::complex<double>(0, 1));
  auto then = std::chrono::steady_clock::now();
  std::cout << v[0] << std::abs(z) << engine() << names.size()
            << std::max(1, 2) << std::pow(2.0f, 2) << std::isnan(1.0)
            << (std::chrono::steady_clock::now() - then).count();
  return 0;
}
