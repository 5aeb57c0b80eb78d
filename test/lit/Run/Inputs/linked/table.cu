// A variable that other files use, and the function that sets it.
#include <cuda_runtime.h>
__device__ float offsets[4];
void setOffsets(const float *values) {
  cudaMemcpyToSymbol(offsets, values, sizeof(offsets));
}
