// Attributes and comments say the same; constants of the file have their
// values.

// RUN: %analyze %s --gpu nvidia-h200 > %t.out 2> %t.err; test $? -eq 1
// RUN: FileCheck %s < %t.out
// RUN: count 0 < %t.err
// CHECK: 'attributes' takes {{.*}}(grid 2048, block 256 from annotation)
// CHECK: arguments {{.*}}n = 1048576
// CHECK: 'comments<float>' takes {{.*}}(grid 2048, block 256 from annotation)
// CHECK: arguments {{.*}}n = 1048576
// CHECK: 'declared' takes {{.*}}(grid 16, block 16x4 from annotation)
// CHECK: warning: 'attributes' takes {{.*}}over its budget of 1 us (from annotation)
// CHECK: warning: 'comments<float>' takes {{.*}}over its budget of 1 us (from annotation)

// The configuration and the command line go before.
// RUN: printf 'kernels: [{kernel: attributes, block: 64, budget: 1s}]\n' > %t.yaml
// RUN: %analyze %s --gpu nvidia-h200 --config %t.yaml --kernel attributes --param n=77 | FileCheck %s --check-prefix=CONFIG
// CONFIG: 'attributes' takes {{.*}}(grid 2048, block 64 from config)
// CONFIG: arguments {{.*}}n = 77
// CONFIG-NOT: over its budget

#include <cuda_runtime.h>

#define SIZE (1 << 20)
constexpr int Half = SIZE / 2;
namespace cfg {
enum { Threads = 256 };
}

[[gpu_estimate::assume(n = SIZE)]]
[[gpu_estimate::launch(grid = Half / cfg::Threads, block = cfg::Threads),
  gpu_estimate::budget("1us", "nvidia-h200")]]
__global__ void attributes(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = 1;
}

// Sets all elements.
// gpu-estimate: assume(n = SIZE)
// gpu-estimate: budget(1us, sm_90)
template <typename T>
// gpu-estimate: launch(grid = Half / cfg::Threads, block = cfg::Threads)
__global__ void comments(T *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = 1;
}
template __global__ void comments(float *p, int n);

// gpu-estimate: grid=16 block=16,4
__global__ void declared(float *p);
__global__ void declared(float *p) { p[threadIdx.x] = 1; }
