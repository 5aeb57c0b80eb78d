// A structure that a kernel takes by value is copied to local memory where its
// address goes to a function that stays a call, and with clang also through a
// pointer that a loop advances; where it is read at offsets, it is read in place.
// Elements of its arrays have names. A tensor map is __grid_constant__ and never
// copied.

// RUN: %gpu-estimate analyze %s --gpu nvidia-rtx-3080 --no-cuda-sdk --compiler clang --grid 512 --block 128 --format json -o %t.json
// RUN: %gpu-estimate analyze %s --gpu nvidia-rtx-3080 --no-cuda-sdk --compiler nvcc --grid 512 --block 128 --format json -o %t.nvcc.json
// RUN: for file in %t.json %t.nvcc.json; do python3 -c "import json, sys; \
// RUN:     [print(E['name'], E['counts']['by_class'].get('store_local', 0) * 32 // (512 * 128), E.get('unknown', {}).get('name')) for E in json.load(open(sys.argv[1]))['estimates']]" $file > $file.txt; done
// RUN: FileCheck %s --check-prefixes=CHECK,CLANG < %t.json.txt
// RUN: FileCheck %s --check-prefixes=CHECK,NVCC < %t.nvcc.json.txt

#include <cuda_runtime.h>

struct Table {
  float values[64];
  int limits[4];
};

// CLANG-DAG: advanced 68
// NVCC-DAG: advanced 0
__global__ void advanced(Table t, float *out) {
  float sum = 0;
  const float *p = t.values + threadIdx.x % 4;
  for (const float *end = t.values + t.limits[0]; p < end; p += 4)
    sum += *p;
  out[threadIdx.x] = sum;
}

struct CUtensorMap_st {
  char bytes[128];
};

// CHECK-DAG: tensorMap 0
__global__ void tensorMap(const __grid_constant__ CUtensorMap_st map, int *out) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
  out[threadIdx.x] = 0;
}

__attribute__((noinline)) __device__ float look(const Table &t, int i) {
  return t.values[i % 64];
}

// CHECK-DAG: called 68
__global__ void called(Table t, float *out) {
  out[threadIdx.x] = look(t, threadIdx.x);
}

// CHECK-DAG: inPlace 0 {{.*}}t.limits[2]
__global__ void inPlace(Table t, float *out) {
  float sum = 0;
  for (int i = 0; i < t.limits[2]; ++i)
    sum += t.values[(threadIdx.x + i) % 64];
  out[threadIdx.x] = sum;
}
