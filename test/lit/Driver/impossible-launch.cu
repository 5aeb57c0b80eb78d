// An impossible launch in host code leaves the kernel unresolved, status 3; the
// same from the command line is wrong usage, status 2, unless another kernel
// can be launched in this way.

// RUN: %analyze %s --gpu nvidia-h200 --kernel 'fine|tooWide|empty' \
// RUN:   --format json > %t.json; test $? -eq 3
// RUN: %check_json %t.json --estimates 1 --unresolved 2
// RUN: FileCheck %s < %t.json
// CHECK: "unresolved": [
// CHECK: "name": "{{tooWide|empty}}"
// CHECK: "reason": "nvidia-h200: {{.*}}(launch at impossible-launch.cu:{{[0-9]+}})"

// RUN: %analyze %s --gpu nvidia-h200 --kernel fine --block 2048 > %t.out 2> %t.err; test $? -eq 2
// RUN: FileCheck %s --check-prefix=BLOCK < %t.err
// RUN: not test -s %t.out
// BLOCK: error: 'fine' on nvidia-h200: {{.*}}2048{{.*}}1024

// RUN: %analyze %s --gpu nvidia-h200 --kernel fine --dynamic-smem 1000000 2> %t.err; test $? -eq 2
// RUN: FileCheck %s --check-prefix=SHARED < %t.err
// SHARED: error: 'fine' on nvidia-h200: {{.*}}shared memory

// RUN: %analyze %s --gpu nvidia-h200 --kernel 'fine|atMost64' --block 128 \
// RUN:   --format json > %t.json; test $? -eq 0
// RUN: %check_json %t.json --estimates 1 --unresolved 1
// RUN: FileCheck %s --check-prefix=BOUNDS < %t.json
// BOUNDS: "name": "atMost64
// BOUNDS: "reason": "nvidia-h200: a block of 128 threads contradicts __launch_bounds__(64)"

#include <cuda_runtime.h>

__global__ void fine(float *p) { p[threadIdx.x] = 1.0f; }
__global__ void tooWide(float *p) { p[threadIdx.x] = 1.0f; }
__global__ void empty(float *p) { p[threadIdx.x] = 1.0f; }
__global__ void __launch_bounds__(64) atMost64(float *p) {
  p[threadIdx.x] = 1.0f;
}

void host(float *p) {
  fine<<<10, 128>>>(p);
  tooWide<<<10, 2048>>>(p);
  empty<<<0, 128>>>(p);
}
