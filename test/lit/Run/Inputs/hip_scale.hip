// A module for hip_modules.hip.
#include <hip/hip_runtime.h>

__device__ float factor = 2;

extern "C" __global__ void scale(float *x) { x[threadIdx.x] *= factor; }
