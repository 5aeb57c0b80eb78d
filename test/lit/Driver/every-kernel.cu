// No kernel is lost: each instantiation, each launch, and what has no code.

// RUN: %analyze %s --gpu nvidia-h200 --gpu nvidia-v100 --format json > %t.json
// RUN: %check_json %t.json --estimates 8 --unresolved 1
// RUN: FileCheck %s < %t.json
// CHECK-DAG: "name": "fill<float>"
// CHECK-DAG: "name": "fill<double>"
// CHECK-DAG: "name": "twice"
// CHECK: "unresolved": [
// CHECK: "name": "never
// CHECK: "reason": "{{.*}}never instantiated{{.*}}"

#include <cuda_runtime.h>

template <typename T> __global__ void fill(T *p, T value) {
  p[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void twice(float *p) {
  p[blockIdx.x * blockDim.x + threadIdx.x] *= 2.0f;
}

template <typename T> __global__ void never(T *p) { *p = T(); }

void host(float *f, double *d) {
  fill<<<100, 256>>>(f, 1.0f);
  fill<<<100, 256>>>(d, 1.0);
  twice<<<100, 256>>>(f);
  twice<<<200, 256>>>(f);
  twice<<<100, 256>>>(f); // as the first one
}
