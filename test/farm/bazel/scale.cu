#include "scale.h"
__global__ void scale(float *x) {
  x[blockIdx.x * blockDim.x + threadIdx.x] = scaled(1.0f);
}
void startScale(float *x) { scale<<<1024, 256>>>(x); }
