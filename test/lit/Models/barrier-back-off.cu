// A warp that tests a barrier, and counts, reads a clock and sleeps between the
// tests, waits for what the barrier waits for: the copy. How often it tests is no
// assumption, nor is the address space of an object that is named.
// RUN: %analyze %s --gpu nvidia-h100-sxm | FileCheck %s

// CHECK: 'stream' takes
// CHECK-SAME: bound by dram-bandwidth
// CHECK: assumptions
// CHECK-NEXT: size of the copy
// CHECK-NOT: trip count
// CHECK-NOT: share of threads
// CHECK-NOT: result of the call
#include <cstdint>

static __device__ bool hasEnded(uint64_t *barrier, unsigned parity) {
  if (!__isShared(barrier))
    __trap();
  unsigned ready;
  asm volatile("{\n"
               ".reg .pred p;\n"
               "mbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n"
               "selp.b32 %0, 1, 0, p;\n"
               "}"
               : "=r"(ready)
               : "r"((unsigned)__cvta_generic_to_shared(barrier)), "r"(parity)
               : "memory");
  return ready;
}

static __device__ uint64_t now() {
  uint64_t t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

static __device__ void wait(uint64_t *barrier, unsigned parity) {
  uint64_t start = now();
  for (int tests = 0; !hasEnded(barrier, parity);) {
    if (tests < 16) {
      ++tests;
      continue;
    }
    uint64_t step = (now() - start) / 4;
    if (step >= 1000000)
      __nanosleep(1000000);
    else if (step >= 10000)
      __nanosleep((unsigned)step);
  }
}

__global__ void stream(const float *in, float *out, int tiles, int bytes) {
  __shared__ alignas(128) float tile[4096];
  __shared__ alignas(8) uint64_t barrier;
  unsigned to = (unsigned)__cvta_generic_to_shared(tile);
  unsigned at = (unsigned)__cvta_generic_to_shared(&barrier);
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at));
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < tiles; ++i) {
    if (threadIdx.x == 0) {
      asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at),
                   "r"(16384));
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
                   "bytes [%0], [%1], %2, [%3];" ::"r"(to),
                   "l"(in + (blockIdx.x * (size_t)tiles + i) * 4096), "r"(bytes),
                   "r"(at)
                   : "memory");
    }
    wait(&barrier, i & 1);
    for (int k = threadIdx.x; k < 4096; k += blockDim.x)
      sum += tile[k];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 1320ull * 64 * 16384);
  cudaMalloc(&out, 1320 * 256 * 4);
  stream<<<1320, 256>>>(in, out, 64, 16384);
}
