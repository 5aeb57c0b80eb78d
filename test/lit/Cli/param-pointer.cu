// --param places a pointer in the buffer of another one, in elements.
// RUN: %gpu-estimate analyze %s --no-cuda-sdk --ptxas off --gpu nvidia-a100-40gb-pcie \
// RUN:   --grid 4096 --block 256 --param y=1048576 --param x0=1100000 --param jp=1000 \
// RUN:   --param x1=x0+1 --param x2=x1+jp --param 'x3=x0 + 2*jp' | FileCheck %s
// RUN: %gpu-estimate analyze %s --no-cuda-sdk --ptxas off --gpu nvidia-a100-40gb-pcie \
// RUN:   --grid 4096 --block 256 --param y=1048576 --caches cold --param jp=1000 \
// RUN:   --param x1=x0+1 --param x2=x1+jp --param x3=x0+2*jp --dump traffic | FileCheck %s --check-prefix=ONE
// RUN: %gpu-estimate analyze %s --no-cuda-sdk --ptxas off --gpu nvidia-a100-40gb-pcie \
// RUN:   --grid 4096 --block 256 --param x1=z+1 --param x2=x0+q 2>&1 | FileCheck %s --check-prefix=IGNORED

// CHECK: one buffer {{ *}}x0, x1 +8 bytes, x2 +8008 bytes, x3 +16000 bytes; as --param says
// IGNORED: 'x1=z+1' is ignored: 'z' is no pointer argument of 'sum'
// IGNORED: 'x2=x0+q' is ignored: {{.*}}'q'
__global__ void sum(const double *x0, const double *x1, const double *x2,
                    const double *x3, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x0[i] + x1[i] + x2[i] + x3[i];
}

// Each line of the buffer comes from DRAM once: 8 MiB, not 33.
// ONE: DRAM read {{8\.[0-9]+}}e+06 B
