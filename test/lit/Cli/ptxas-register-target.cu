// Where a kernel has more independent loads than registers, ptxas makes as many
// of them ahead as leave the machine full of threads: 65536 registers for 1024,
// 2048 and 1536 threads of a multiprocessor, in units of 8. The estimate of
// registers relies on that (Evaluate/Launch/Occupancy.cpp).
// REQUIRES: ptxas
// RUN: %gpu-estimate analyze %s --no-cuda-sdk --gpu nvidia-rtx-2080-ti | FileCheck %s --check-prefix=TURING
// RUN: %gpu-estimate analyze %s --no-cuda-sdk --gpu nvidia-a100-40gb-pcie | FileCheck %s --check-prefix=FULL
// RUN: %gpu-estimate analyze %s --no-cuda-sdk --gpu nvidia-rtx-3080 | FileCheck %s --check-prefix=GAMING
// RUN: %gpu-estimate analyze %s --no-cuda-sdk --gpu nvidia-rtx-4090 | FileCheck %s --check-prefix=GAMING
// RUN: %gpu-estimate analyze %s --no-cuda-sdk --gpu nvidia-h200 | FileCheck %s --check-prefix=FULL
// TURING: 64 registers per thread (ptxas)
// FULL: 32 registers per thread (ptxas)
// GAMING: 40 registers per thread (ptxas)

extern "C" __global__ void sum(const float *__restrict__ in, float *out,
                               int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float total = 0;
#pragma unroll
  for (int row = 0; row < 128; ++row)
    total = total * 1.5f + in[i + row * n];
  out[i] = total;
}
