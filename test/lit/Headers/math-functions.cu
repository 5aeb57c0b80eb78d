// The C library's mathematics: real sequences keep libdevice's names, single
// operations are LLVM's intrinsics; neither may write memory.
// RUN: %clang_cuda_device %s | FileCheck-19 %s
// RUN: %clang_cuda_host %s
#include <algorithm>
#include <cmath>

// CHECK-LABEL: @singles(
extern "C" __global__ void singles(float *f, float x, float y) {
  // CHECK: @__nv_sinf(
  f[0] = sinf(x);
  // CHECK: @__nv_expf(
  f[1] = std::exp(x);
  // CHECK: @__nv_powf(
  f[2] = pow(x, y);
  // CHECK: @__nv_sqrtf(
  f[3] = sqrt(x);
  // CHECK: @__nv_rsqrtf(
  f[4] = rsqrtf(x);
  // CHECK: @__nv_erff(
  f[5] = erff(x);
  // CHECK: @__nv_tgammaf(
  f[6] = std::tgamma(x);
  // CHECK: @llvm.fma.f32(
  f[7] = fmaf(x, y, x);
  // CHECK: @llvm.fabs.f32(
  f[8] = std::abs(x);
  // CHECK: @llvm.minnum.f32(
  f[9] = fminf(x, y);
  // CHECK: @llvm.floor.f32(
  f[10] = floorf(x);
  // CHECK: @llvm.maxnum.f32(
  f[11] = max(x, y);
  // CHECK: @__nv_roundf(
  f[12] = roundf(x);
}

// CHECK-LABEL: @doubles(
extern "C" __global__ void doubles(double *d, double x, double y) {
  // CHECK: @__nv_cos(
  d[0] = cos(x);
  // CHECK: @__nv_log(
  d[1] = std::log(x);
  // CHECK: @__nv_pow(
  d[2] = std::pow(x, y);
  // CHECK: @__nv_sqrt(
  d[3] = sqrt(x);
  // CHECK: @__nv_atan2(
  d[4] = atan2(x, y);
  // CHECK: @__nv_hypot(
  d[5] = hypot(x, y);
  // CHECK: @__nv_fmod(
  d[6] = fmod(x, y);
  // CHECK: @llvm.fma.f64(
  d[7] = fma(x, y, x);
}

// CHECK-LABEL: @integers(
extern "C" __global__ void integers(int *i, int a, int b, unsigned u) {
  // CHECK: @llvm.smin.i32(
  i[0] = min(a, b);
  // CHECK: @llvm.umax.i32(
  i[1] = max(u, 3u);
  // CHECK: @llvm.smax.i32(
  i[2] = std::max(a, b);
  // CHECK: @llvm.abs.i32(
  i[3] = abs(a);
}

// A sine between two loads does not force the second.
// CHECK-LABEL: @pure(
extern "C" __global__ void pure(float *f, const float *p, float x) {
  // CHECK: load float
  float a = *p;
  // CHECK-NOT: load float
  // CHECK: ret void
  f[0] = a + sinf(x) + *p;
}

// Both results of sincos stay in registers.
// CHECK-LABEL: @both(
extern "C" __global__ void both(float *f, float x) {
  // CHECK-NOT: alloca
  // CHECK: ret void
  float s, c;
  sincosf(x, &s, &c);
  f[0] = s * c;
}

// CHECK: declare {{.*}}float @__nv_sinf({{.*}} [[PURE:#[0-9]+]]
// CHECK: attributes [[PURE]] = {{.*}}memory(none)

int main() {
  return (int)(std::min(1, 2) + max(1, 2) + rsqrtf(4.0f) + std::sin(1.0f) +
               min(1.0f, 2.0f) + std::pow(2.0, 3));
}
