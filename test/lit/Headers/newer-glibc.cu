// glibc declares sinpi, cospi (2.41) and rsqrt (2.42) itself: the headers leave
// the host's to it, and the device's stay.
// RUN: %clang_cuda_device -isystem %S/Inputs/glibc-2.42 %s | FileCheck-19 %s
// RUN: %clang_cuda_host -isystem %S/Inputs/glibc-2.42 %s

// CHECK-LABEL: @onDevice(
extern "C" __global__ void onDevice(double *x, float *y) {
  // CHECK: call {{.*}}double @__nv_sinpi(
  // CHECK: call {{.*}}float @__nv_cospif(
  // CHECK: call {{.*}}double @__nv_rsqrt(
  x[0] = sinpi(x[1]);
  y[0] = cospif(y[1]) + cospi(y[2]);
  x[2] = rsqrt(x[3]);
}

double onHost(double a, float b) {
  return sinpi(a) + sinpif(b) + cospi(a) + cospif(b) + rsqrt(a) + rsqrt(b) +
         rsqrtf(b);
}
