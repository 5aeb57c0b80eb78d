// Pointers into one allocation, by each way in which host code makes them.
// RUN: %gpu-estimate analyze %s --no-cuda-sdk --ptxas off --gpu nvidia-a100-40gb-pcie \
// RUN:   --kernel 'sum|gather' | FileCheck %s
// RUN: %gpu-estimate analyze %s --no-cuda-sdk --ptxas off --gpu nvidia-a100-40gb-pcie \
// RUN:   --kernel sum --format json | FileCheck %s --check-prefix=JSON

#include <cuda_runtime.h>

__global__ void sum(const double *x0, const double *x1, const double *x2,
                    double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x0[i] + x1[i] + x2[i];
}

struct Corners {
  const double *c0, *c1;
};
__global__ void gather(Corners p, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = p.c0[i] + p.c1[i];
}

#define SET_CORNERS(jp, x, x0, x1, x2)                                         \
  x0 = x;                                                                      \
  x1 = x0 + 1;                                                                 \
  x2 = x1 + jp

const double *behind(const double *p, int rows, int jp) {
  return p + rows * jp;
}
void cut(double *all, int n, double **a, double *&b) {
  *a = all + n;
  b = all + 2 * n;
}

// CHECK: one buffer {{ *}}x0, x1 +8 bytes, x2 +816 bytes; as host code passes them
// JSON: "shared_buffers": [
// JSON-NEXT: {
// JSON-NEXT: "source": "host-code",
// JSON-NEXT: "offset_bytes": {
// JSON-NEXT: "x0": 0,
// JSON-NEXT: "x1": 8,
// JSON-NEXT: "x2": 816
void macros(const double *x, double *y) {
  const double *x0, *x1, *x2;
  SET_CORNERS(101, x, x0, x1, x2);
  sum<<<1024, 256>>>(x0, x1, x2, y);
}

// One allocation cut up; y is another one.
// CHECK: one buffer {{ *}}x0, x1 +8388608 bytes, x2 +16777216 bytes; as host code passes them
void allocation() {
  const int n = 1 << 20;
  char *all;
  double *y, *a, *b;
  cudaMalloc(&all, 3 * n * sizeof(double));
  cudaMalloc(&y, n * sizeof(double));
  cut((double *)all, n, &a, b);
  sum<<<n / 256, 256>>>((double *)all, a, b, y);
}

// CHECK: one buffer {{ *}}x0, x1 +800 bytes, x2 +56 bytes; as host code passes them
void functions(const double *x, double *y) {
  sum<<<2048, 256>>>(x, behind(x, 2, 50), &x[7], y);
}

// Unknown distances: one sentence for all of them.
// CHECK: grid 512, {{.*}} from host-code
// CHECK-NOT: one buffer
// CHECK: 'x1', 'x2' are taken as buffers of their own: host code passes a distance from another pointer that is not known
void unknown(const double *x, int stride, double *y) {
  sum<<<512, 256>>>(x, x + stride, x + 2 * stride, y);
}

// CHECK: one buffer {{ *}}p.c0, p.c1 +512 bytes; as host code passes them
void structure(const double *x, double *y) {
  Corners p = {x, x + 64};
  gather<<<1024, 256>>>(p, y);
}
