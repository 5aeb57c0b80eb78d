#include "scale.h"
__global__ void sum(float *x) {
  x[blockIdx.x * blockDim.x + threadIdx.x] += scaled(2.0f);
}
void startSum(float *x) { sum<<<BLOCKS, 256>>>(x); }
