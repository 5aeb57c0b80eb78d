// Reports about AMD GPUs use AMD's terms, and count its own wavefronts.
// RUN: %gpu-estimate analyze --no-cuda-sdk %s --gpu amd-mi210 --grid 4096 --block 128 \
// RUN:   --kernel oddLanes | FileCheck %s
// RUN: %gpu-estimate analyze %s --gpu amd-w6600 --grid 4096 --block 128 \
// RUN:   --kernel oddLanes | FileCheck %s --check-prefix=RDNA
// RUN: %gpu-estimate analyze --no-cuda-sdk %s --gpu amd-mi210 --grid 4096 --block 128 \
// RUN:   --kernel oddLanes --format diagnostics --all-findings 2>&1 | FileCheck %s --check-prefix=DIAG
// RUN: not %gpu-estimate analyze %s --gpu amd-mi210 --grid 64 --block 128 \
// RUN:   --kernel smallBlocks 2>&1 | FileCheck %s --check-prefix=BOUNDS
// RUN: %gpu-estimate analyze %s --gpu amd-mi210 --grid 64 --block 128 \
// RUN:   | FileCheck %s --check-prefix=OTHERS
//
// CHECK: occupancy {{.*}} wavefronts per compute unit = {{.*}}, limited by
// CHECK: resources {{.*}} VGPRs per thread (estimate), 0 bytes of LDS per block
// CHECK: CPI: cycles of a wavefront for each instruction
// CHECK: wavefront instructions
// CHECK-NOT: warp
//
// RDNA: occupancy {{.*}} wavefronts per workgroup processor =
//
// DIAG: 32 of 64 lanes are active here on average
//
// BOUNDS: error: 'smallBlocks' on amd-mi210: a block of 128 threads contradicts
//
// OTHERS: oddLanes
// OTHERS: no estimate for 'smallBlocks' {{.*}}: amd-mi210: a block of 128 threads contradicts

#include <hip/hip_runtime.h>

__global__ void oddLanes(float *x) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x & 1)
    x[i] = powf(i, x[i]);
}

__global__ __attribute__((amdgpu_flat_work_group_size(1, 64))) void
smallBlocks(float *x) {
  x[threadIdx.x] = 0;
}
