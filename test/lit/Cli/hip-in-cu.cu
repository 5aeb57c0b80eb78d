// hipcc takes a .cu file for HIP, and so does an analysis for a GPU of AMD
// where the file includes HIP's runtime. -x cuda keeps it CUDA.
// RUN: %gpu-estimate analyze --no-cuda-sdk %s --gpu amd-mi210 --grid 4096 \
// RUN:   --block 256 | FileCheck %s
// RUN: %gpu-estimate analyze --no-cuda-sdk --ptxas off %s --gpu amd-mi210 \
// RUN:   --grid 4096 --block 256 -- -x cuda | FileCheck %s --check-prefix=CUDA
//
// CHECK: VGPRs per thread (amdgpu)
// CUDA: VGPRs per thread (estimate)

#include <hip/hip_runtime.h>

__global__ void scale(float *x) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] *= 2;
}
