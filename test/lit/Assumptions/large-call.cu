// A function that is too large to be inlined costs its instructions at each
// call: 2^13 times four multiply-adds.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --ptxas off --format json \
// RUN:   | FileCheck %s --check-prefix=JSON
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie --ptxas off | FileCheck %s
__device__ float step(float x, float a) {
  x = x * a + 1;
  x = x * a + 2;
  x = x * a + 3;
  return x * a + 4;
}
#define TWICE(NAME, OF)                                                        \
  __device__ float NAME(float x, float a) { return OF(OF(x, a), a); }
TWICE(twice, step)
TWICE(four, twice)
TWICE(eight, four)
TWICE(by16, eight)
TWICE(by32, by16)
TWICE(by64, by32)
TWICE(by128, by64)
TWICE(by256, by128)
TWICE(by512, by256)
TWICE(by1024, by512)
TWICE(by2048, by1024)
TWICE(by4096, by2048)
TWICE(by8192, by4096)

__global__ void large(float *y) { y[threadIdx.x] = by8192(y[threadIdx.x], 3); }

// Its accesses to memory are not known.
__device__ float load(float x, const float *y) {
  return x + y[(int)x & 1023];
}
#define LOAD_TWICE(NAME, OF)                                                   \
  __device__ float NAME(float x, const float *y) {                             \
    return OF(OF(x, y), y + 7);                                                \
  }
LOAD_TWICE(load2, load)
LOAD_TWICE(load4, load2)
LOAD_TWICE(load8, load4)
LOAD_TWICE(load16, load8)
LOAD_TWICE(load32, load16)
LOAD_TWICE(load64, load32)
LOAD_TWICE(load128, load64)
LOAD_TWICE(load256, load128)
LOAD_TWICE(load512, load256)
LOAD_TWICE(load1024, load512)
LOAD_TWICE(load2048, load1024)
LOAD_TWICE(load4096, load2048)
__global__ void loads(float *y) { y[threadIdx.x] = load4096(y[threadIdx.x], y); }

// JSON: "name": "large"
// JSON: "flop_fp32": 2097152

// CHECK-LABEL: 'large' takes
// CHECK: by512{{.*}} = 1: it is too large to inline; its instructions are counted (+0.0 %)

// CHECK-LABEL: 'loads' takes
// CHECK: the call of _Z{{[0-9]+}}load{{[0-9]+}}{{.*}} = 1: it is too large to inline; its instructions are counted, its accesses to memory are not

void host(float *y) {
  large<<<1, 32>>>(y);
  loads<<<1, 32>>>(y);
}
