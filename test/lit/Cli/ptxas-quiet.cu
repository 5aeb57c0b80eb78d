// What LLVM says about the module that is made for the assembler (here: that a
// loop is not unrolled as demanded) is not for the user. The assembler itself is
// not needed: it comes after that.
// RUN: %gpu-estimate analyze %s --no-cuda-sdk --gpu nvidia-a100-40gb-pcie \
// RUN:   --ptxas /bin/false 2>&1 | FileCheck %s --implicit-check-not='not unrolled'
// CHECK: 'above' takes

__global__ void above(const float *x, int *out, float limit) {
  int count = 0;
#pragma unroll
  for (int i = threadIdx.x; i < 300; i += blockDim.x)
    if (x[i] > limit)
      ++count;
  out[blockIdx.x * blockDim.x + threadIdx.x] = count;
}

void run(const float *x, int *out) { above<<<64, 128>>>(x, out, 0.5f); }
