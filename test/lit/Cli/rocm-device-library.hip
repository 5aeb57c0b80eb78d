// A kernel that calls ROCm's device library has code where it is installed. As
// for clang, --rocm-device-lib-path or ROCM_PATH says where.
// REQUIRES: rocm-device-library
// RUN: %gpu-estimate analyze %s --gpu amd-mi210 --grid 4096 --block 256 \
// RUN:   | FileCheck %s
// RUN: %gpu-estimate analyze %s --gpu amd-mi210 --grid 4096 --block 256 \
// RUN:   --no-cuda-sdk | FileCheck %s --check-prefix=NONE
//
// The registers are those of clang itself.
// RUN: %clang -x hip --offload-arch=gfx90a --cuda-device-only -O3 -S \
// RUN:   -nogpuinc -isystem %cuda_headers \
// RUN:   -include __clang_hip_runtime_wrapper.h \
// RUN:   --rocm-device-lib-path=%rocm_device_library %s -o %t.s
// RUN: grep vgpr_count: %t.s | FileCheck %s --check-prefix=CLANG
//
// CHECK: 'sines' takes
// CHECK: 51 VGPRs per thread (amdgpu)
// CLANG: .vgpr_count: 51
// NONE: VGPRs per thread (estimate)

#include <hip/hip_runtime.h>

__global__ void sines(double *a, const double *b) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = sin(a[i]) * exp(b[i]);
}
