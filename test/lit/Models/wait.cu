// A loop that reads a clock until it has advanced lasts what it waits for, in
// all arrangements that programs write; so does a sleep.
//
// RUN: %gpu-estimate analyze %s --gpu nvidia-a40 --format json -o %t.json
// RUN: python3 %S/Inputs/wait.py %t.json
// RUN: %gpu-estimate analyze %s --gpu nvidia-a40 --kernel difference \
// RUN:   | FileCheck %s
// RUN: %gpu-estimate analyze %s --gpu nvidia-a40 --kernel difference \
// RUN:   --dump kernel-model | FileCheck %s --check-prefix=MODEL
// RUN: %gpu-estimate analyze %s --gpu nvidia-a40 --kernel untilFlag \
// RUN:   | FileCheck %s --check-prefix=FLAG
//
// CHECK: 'difference' takes 1.00{{[0-9]+}} ms {{.*}} bound by wait
// CHECK: wait 99
// CHECK: lines that cost the most time
// CHECK-NEXT: wait.cu:{{[0-9]+}} 99{{.*}}% wait 99
//
// MODEL: special_register waits cycles cycles
// A condition on data may leave the loop before; that is said.
// FLAG: 'untilFlag' takes 1.00{{[0-9]+}} ms
// FLAG: trip count of the loop at wait.cu
// FLAG-SAME: a condition on data may leave it early

__device__ void passed(long long *out, long long value) { *out = value; }

__global__ void difference(long long *out, long long cycles) {
  long long start = clock64(), now = start;
  while (now - start < cycles)
    now = clock64();
  passed(out, now);
}

__global__ void until(long long cycles) {
  long long end = clock64() + cycles;
  while (clock64() < end)
    ;
}

// The 32-bit counter, as the samples of CUDA's toolkit read it.
__global__ void narrow(clock_t *out, clock_t cycles) {
  unsigned start = (unsigned)clock();
  clock_t offset = 0;
  while (offset < cycles) {
    unsigned now = (unsigned)clock();
    offset = (clock_t)(now - start);
  }
  out[0] = offset;
}

// With the wrap-around of the counter, as in the guide of CUDA.
__global__ void wrapped(int *out, int cycles) {
  int start = clock(), now;
  for (;;) {
    now = clock();
    int passed = now > start ? now - start : now + (0xffffffff - start);
    if (passed >= cycles)
      break;
  }
  *out = now;
}

__device__ unsigned long long timer() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

__global__ void nanoseconds(unsigned long long ns) {
  unsigned long long start = timer();
  do {
  } while (timer() - start <= ns);
}

__global__ void untilFlag(volatile int *flag, long long cycles) {
  long long start = clock64();
  while (!*flag) {
    if (clock64() - start > cycles)
      break;
  }
}

__global__ void sleep(unsigned ns) { __nanosleep(ns); }

__global__ void sleepInLoop(unsigned ns, int n) {
  for (int i = 0; i < n; ++i)
    __nanosleep(ns);
}

// Each block waits for its own time; the launch for the longest.
__global__ void byBlock(long long cycles) {
  long long start = clock64();
  while (clock64() - start < cycles * (blockIdx.x + 1))
    ;
}

// The work between the first read and the loop is part of the wait.
__global__ void workBefore(float *out, long long cycles) {
  long long start = clock64();
  float v = out[threadIdx.x];
  for (int i = 0; i < 1000; ++i)
    v = v * 1.5f + 1;
  out[threadIdx.x] = v;
  while (clock64() - start < cycles)
    ;
}

int main() {
  long long *out;
  clock_t *ticks;
  int *flag, *last;
  float *values;
  cudaMalloc(&out, 8);
  cudaMalloc(&ticks, 8);
  cudaMalloc(&flag, 4);
  cudaMalloc(&last, 4);
  cudaMalloc(&values, 128);
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  long long cycles = device.clockRate; // 1 ms
  difference<<<1, 32>>>(out, cycles);
  until<<<1, 32>>>(cycles);
  narrow<<<1, 32>>>(ticks, (clock_t)(1.0f * device.clockRate));
  wrapped<<<1, 32>>>(last, (int)cycles);
  nanoseconds<<<1, 32>>>(1000000);
  untilFlag<<<1, 32>>>(flag, cycles);
  sleep<<<1, 32>>>(1000000);
  sleepInLoop<<<1, 32>>>(10000, 100);
  byBlock<<<4, 32>>>(cycles / 4);
  workBefore<<<1, 32>>>(values, cycles);
}
