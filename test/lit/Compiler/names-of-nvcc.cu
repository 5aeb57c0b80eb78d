// nvcc has other names than clang for kernels of this file alone: its answer is found
// all the same.

// RUN: env FAKE_REGISTERS=77 FAKE_PTX=%S/Inputs/names.ptx %gpu-estimate analyze %s \
// RUN:   --gpu nvidia-rtx-a6000 --nvcc %S/../Inputs/nvcc/nvcc \
// RUN:   --ptxas %S/../Inputs/ptxas/ptxas | FileCheck %s
// CHECK-COUNT-5: 77 registers per thread (nvcc)
// CHECK-NOT: registers per thread (estimate)

static __global__ void single(float *p) { p[threadIdx.x] = 1; }
namespace outer {
static __global__ void nested(float *p) { p[threadIdx.x] = 2; }
} // namespace outer
namespace {
__global__ void hidden(float *p) { p[threadIdx.x] = 3; }
template <int N> __global__ void deep(float *p) { p[threadIdx.x] = N; }
} // namespace

static __device__ float twice(float x) { return 2 * x; }
template <float (*F)(float)> __global__ void apply(float *p) { p[threadIdx.x] = F(4); }

void run(float *p) {
  single<<<1, 32>>>(p);
  outer::nested<<<1, 32>>>(p);
  hidden<<<1, 32>>>(p);
  deep<3><<<1, 32>>>(p);
  apply<twice><<<1, 32>>>(p);
}
