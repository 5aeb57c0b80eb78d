// Model interval, loads one by one: each lane sums a row of floats, so that a
// sector serves up to 8 iterations. Where the emulation shows which executions
// miss, the misses of 40 warps come in bursts that exceed the misses in flight of
// a multiprocessor; spread evenly over all iterations they would not.

// RUN: %analyze %s --gpu nvidia-v100 --model interval --grid 400 --block 256 \
// RUN:   --caches cold --param length=128 --buffer length=iota \
// RUN:   | FileCheck %s --check-prefix=EVENTS
// EVENTS: where the time goes
// EVENTS: outstanding {{.*}} CPI
// EVENTS: trip count of the loop at load-events.cu:{{[0-9]+}} = 64: mean of 64 warps emulated

// RUN: %analyze %s --gpu nvidia-v100 --model interval --grid 400 --block 256 \
// RUN:   --caches cold --param trip@rows:k=64 | FileCheck %s --check-prefix=MEANS
// MEANS: where the time goes
// MEANS-NOT: outstanding

__global__ void rows(const float *in, const int *length, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < length[64]; ++k)
    sum += in[i * 64 + k];
  out[i] = sum;
}
