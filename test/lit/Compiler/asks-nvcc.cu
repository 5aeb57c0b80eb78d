// Registers and local memory are those of nvcc's own code, where an nvcc is asked.
// The stand-in says that an array which data index has no memory: the time follows
// it, and the interval has both. It is asked once for the same contents.

// REQUIRES: slow
// RUN: rm -rf %t && mkdir -p %t && cp %s %t/asked.cu
// RUN: env XDG_CACHE_HOME=%t/cache FAKE_LOG=%t/log FAKE_REGISTERS=77 FAKE_PTX=%S/Inputs/asked.ptx \
// RUN:   %gpu-estimate analyze %t/asked.cu --gpu nvidia-rtx-a6000 --nvcc %S/../Inputs/nvcc/nvcc \
// RUN:   --ptxas %S/../Inputs/ptxas/ptxas -- -std=gnu++17 -Wall -DSIZE=16 > %t/first 2>&1
// RUN: env XDG_CACHE_HOME=%t/cache FAKE_LOG=%t/log FAKE_REGISTERS=99 FAKE_PTX=%S/Inputs/asked.ptx \
// RUN:   %gpu-estimate analyze %t/asked.cu --gpu nvidia-rtx-a6000 --nvcc %S/../Inputs/nvcc/nvcc \
// RUN:   --ptxas %S/../Inputs/ptxas/ptxas -- -std=gnu++17 -Wall -DSIZE=16 > %t/second 2>&1
// RUN: FileCheck %s < %t/first
// RUN: FileCheck %s < %t/second
// CHECK-DAG: 'scattered{{.*}}': nvcc has no local memory where the rules for nvcc keep a loop or an index ('acc'): the time is that of nvcc's code, and the interval contains that of local memory
// CHECK-DAG: 77 registers per thread (nvcc)
// CHECK-DAG: arrays of 'scattered' in local memory
// CHECK-NOT: local load

// RUN: FileCheck %s --check-prefix=CALL < %t/log
// CALL: nvcc -ptx -arch=sm_86 -std=c++17 -DSIZE=16 -w -x cu {{.*}}asked.cu -o
// CALL: -v -arch=sm_86
// CALL-NOT: nvcc -ptx

// Other contents are other code.
// RUN: echo '// changed' >> %t/asked.cu
// RUN: env XDG_CACHE_HOME=%t/cache FAKE_LOG=%t/log FAKE_REGISTERS=99 FAKE_PTX=%S/Inputs/asked.ptx \
// RUN:   %gpu-estimate analyze %t/asked.cu --gpu nvidia-rtx-a6000 --nvcc %S/../Inputs/nvcc/nvcc \
// RUN:   --ptxas %S/../Inputs/ptxas/ptxas -- -DSIZE=16 2>&1 | FileCheck %s --check-prefix=CHANGED
// CHANGED: 99 registers per thread (nvcc)

// nvcc has four times --deadline, and the analysis goes on without it.
// RUN: env XDG_CACHE_HOME=%t/cache FAKE_SECONDS=600 FAKE_PTX=%S/Inputs/asked.ptx \
// RUN:   %gpu-estimate analyze %t/asked.cu --gpu nvidia-rtx-a6000 --nvcc %S/../Inputs/nvcc/nvcc \
// RUN:   --ptxas off --deadline 0.25s -- -DSIZE=17 2>&1 | FileCheck %s --check-prefix=LATE
// LATE-DAG: nvcc was not done after 1 seconds (--deadline, --nvcc off); registers are those of clang's passes, or estimated
// LATE-DAG: registers per thread (estimate)

// A failure is told to who has named nvcc, and not to others.
// RUN: env XDG_CACHE_HOME=%t/cache %gpu-estimate analyze %t/asked.cu --gpu nvidia-rtx-a6000 \
// RUN:   --nvcc %S/../Inputs/nvcc/nvcc --ptxas off -- -DSIZE=18 2>&1 | FileCheck %s --check-prefix=FAILS
// FAILS-DAG: nvcc failed: error: this nvcc compiles nothing (--nvcc); registers are those of clang's passes, or estimated
// FAILS-DAG: local load acc
// RUN: env XDG_CACHE_HOME=%t/cache PATH=%S/../Inputs/nvcc:/usr/bin:/bin \
// RUN:   %gpu-estimate analyze %t/asked.cu --gpu nvidia-rtx-a6000 -- -DSIZE=19 2>&1 \
// RUN:   | FileCheck %s --check-prefix=QUIET
// QUIET-NOT: nvcc failed
// QUIET: registers per thread (estimate)

// Kernels for clang, and headers of gpu-estimate, have no nvcc.
// RUN: rm -f %t/log
// RUN: env FAKE_LOG=%t/log %gpu-estimate analyze %t/asked.cu --gpu nvidia-rtx-a6000 --compiler clang \
// RUN:   --nvcc %S/../Inputs/nvcc/nvcc --ptxas off -- -DSIZE=16
// RUN: env FAKE_LOG=%t/log %gpu-estimate analyze %t/asked.cu --gpu nvidia-rtx-a6000 --no-cuda-sdk \
// RUN:   --nvcc %S/../Inputs/nvcc/nvcc --ptxas off -- -DSIZE=16
// RUN: not ls %t/log

// gpu-estimate: grid=1024 block=256 param n=1024
__global__ void scattered(const float *a, float *c, const int *at, int n) {
  const int t = threadIdx.x + blockIdx.x * blockDim.x;
  float acc[SIZE];
  for (int i = 0; i < SIZE; ++i)
    acc[i] = 0;
  for (int k = 0; k < n; ++k)
    acc[at[k * 4096 + t] % SIZE] += a[k * 4096 + t];
  for (int i = 0; i < SIZE; ++i)
    c[i * 4096 + t] = acc[i];
}
