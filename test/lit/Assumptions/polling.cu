// A loop that waits for another thread to write is one read of the flag.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie | FileCheck %s
__global__ void atomics(int *flags, float *y) {
  if (threadIdx.x == 0)
    while (atomicAdd(&flags[blockIdx.x], 0) == 0)
      ;
  __syncthreads();
  y[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
// CHECK-LABEL: 'atomics' takes
// CHECK: trip count of the loop at polling.cu:5 = 1: the loop reads memory until another thread has written to it

__global__ void loads(volatile int *flags, float *y) {
  while (flags[blockIdx.x] < 3)
    __threadfence();
  y[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
// CHECK-LABEL: 'loads' takes
// CHECK: trip count of the loop at polling.cu:14 = 1: the loop reads memory until another thread has written to it

// A search moves on, and a loop that writes does its work.
__global__ void probing(int *used, int *place, int n) {
  int i = (threadIdx.x * 7919) % n;
  while (atomicExch(&used[i], 1) == 1)
    i = (i + 1) % n;
  place[threadIdx.x] = i;
}
// CHECK-LABEL: 'probing' takes
// CHECK: trip count of the loop at polling.cu:24 = 2: what the loop reads at a place that wraps around the end of a table ends it

__global__ void working(int *left, float *y) {
  int i = 0;
  while (atomicSub(left, 1) > 0)
    y[i++] = 1;
}
// CHECK-LABEL: 'working' takes
// CHECK: trip count of the loop at polling.cu:33 = 16: its end depends on data

// A function whose body is elsewhere may do any work.
__device__ int step(int);
__global__ void calling(int *left, float *y) {
  while (atomicSub(left, 1) > 0)
    step(3);
}
// CHECK-LABEL: 'calling' takes
// CHECK: trip count of the loop at polling.cu:[[# @LINE - 4]] = 16: its end depends on data

// A read in assembly, tested by a vote of the warp, and a look-back over the
// results of earlier blocks.
__device__ uint2 state(const uint2 *p) {
  uint2 s;
  asm volatile("ld.relaxed.gpu.v2.u32 {%0, %1}, [%2];" : "=r"(s.x), "=r"(s.y) : "l"(p) : "memory");
  return s;
}
__global__ void scan(const uint2 *states, unsigned *y) {
  int predecessor = (int)blockIdx.x - 1 - (int)threadIdx.x;
  unsigned sum = 0;
  uint2 s;
  do {
    s = state(states + predecessor);
    while (__any_sync(0xffffffff, s.x == 0)) {
      __nanosleep(100);
      s = state(states + predecessor);
    }
    sum += s.y;
    predecessor -= 32;
  } while (__all_sync(0xffffffff, s.x != 2));
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// CHECK-LABEL: 'scan' takes
// CHECK-DAG: trip count of the loop at polling.cu:[[#@LINE-10]] = 1: the loop reads memory until another thread has written to it
// CHECK-DAG: trip count of the loop at polling.cu:[[#@LINE-13]] = 1: the loop reads the results of other thread blocks until one is complete

void host(int *flags, float *y) {
  atomics<<<1024, 256>>>(flags, y);
  loads<<<1024, 256>>>(flags, y);
  probing<<<1024, 256>>>(flags, flags, 4096);
  working<<<1024, 256>>>(flags, y);
  calling<<<1024, 256>>>(flags, y);
  scan<<<1024, 256>>>((uint2 *)flags, (unsigned *)y);
}
