// Cycles that atomics need in the busiest slice of L2, and in shared memory.
// 8192 warps on each of the kernels; rates of round numbers.
// RUN: %gpu-estimate analyze %s --no-cuda-sdk --ptxas off --gpu nvidia-rtx-3080 \
// RUN:   --set atomics.same_address_rate=1/cycle --set atomics.aggregated_rate=32/cycle \
// RUN:   --set atomics.sector_rate=0.5/cycle --set atomics.real_same_address_rate=0.25/cycle \
// RUN:   --set atomics.rate=20/cycle --set shared.atomic_same_address_rate=1/cycle \
// RUN:   --set shared.latency=20cycles --set shared.atomic_latency=40cycles \
// RUN:   --grid 1024 --block 256 --param x=262144 --param bins=256 --dump bounds | FileCheck %s

// The compiler combines the lanes: one operation for each warp.
// CHECK-LABEL: kernel count
// CHECK: global-atomics {{ *}}chip {{ *}}8192{{(\.0+)?$}}
__global__ void count(int *total) { atomicAdd(total, 1); }

// One address takes a lane in 4 cycles, whichever request it belongs to: 8192
// * 32 * 4. By request it would be a sector in 2 cycles and 31 lanes.
// CHECK-LABEL: kernel sum
// CHECK: global-atomics {{ *}}chip {{ *}}1.049e+06
__global__ void sum(const float *x, float *total) {
  atomicAdd(total, x[blockIdx.x * blockDim.x + threadIdx.x]);
}

// The first lane of each warp on the same address: 8192 * 4.
// CHECK-LABEL: kernel firstLanes
// CHECK: global-atomics {{ *}}chip {{ *}}3.277e+04
__global__ void firstLanes(const float *x, float *total) {
  if (threadIdx.x % 32 == 0)
    atomicAdd(total, x[blockIdx.x * blockDim.x + threadIdx.x]);
}

// Four sectors of a line, each at once: 8192 * 8.
// CHECK-LABEL: kernel line
// CHECK: global-atomics {{ *}}chip {{ *}}6.554e+04
__global__ void line(float *x) { atomicAdd(&x[threadIdx.x % 32], 1.f); }

// All 40 slices: 8192 * 4 sectors * 2 cycles / 40.
// CHECK-LABEL: kernel spread
// CHECK: global-atomics {{ *}}chip {{ *}}1638{{(\.[0-9]+)?$}}
__global__ void spread(float *x) {
  atomicAdd(&x[blockIdx.x * blockDim.x + threadIdx.x], 1.f);
}

// Shared memory adds reals by compare-and-swap: one success in each window of
// 20 + 4 + 40 cycles, in six resident blocks at a time.
// CHECK-LABEL: kernel block
// CHECK: shared-atomics {{ *}}multiprocessor {{ *}}4.{{[0-9]+}}e+04
__global__ void block(const float *x, float *out) {
  __shared__ float total;
  if (threadIdx.x == 0)
    total = 0;
  __syncthreads();
  atomicAdd(&total, x[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0)
    out[blockIdx.x] = total;
}
