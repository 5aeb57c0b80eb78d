// Vector types have CUDA's sizes and alignments; make_* fills their fields.
// RUN: %clang_cuda_device %s | FileCheck-19 %s
// RUN: %clang_cuda_host %s

#define LAYOUT(T, size, align)                                                 \
  static_assert(sizeof(T) == size && alignof(T) == align, #T)
LAYOUT(char1, 1, 1);
LAYOUT(char2, 2, 2);
LAYOUT(char3, 3, 1);
LAYOUT(uchar4, 4, 4);
LAYOUT(short2, 4, 4);
LAYOUT(short3, 6, 2);
LAYOUT(ushort4, 8, 8);
LAYOUT(int2, 8, 8);
LAYOUT(int3, 12, 4);
LAYOUT(uint4, 16, 16);
LAYOUT(long1, 8, 8);
LAYOUT(ulong2, 16, 16);
LAYOUT(longlong3, 24, 8);
LAYOUT(ulonglong4, 32, 16);
LAYOUT(float2, 8, 8);
LAYOUT(float3, 12, 4);
LAYOUT(float4, 16, 16);
LAYOUT(double2, 16, 16);
LAYOUT(double3, 24, 8);
LAYOUT(double4, 32, 16);
LAYOUT(double4_32a, 32, 32);
LAYOUT(dim3, 12, 4);
static_assert(dim3(5).y == 1 && dim3(5, 6, 7).z == 7, "missing extents are 1");

// CHECK-LABEL: @fill(
extern "C" __global__ void fill(float4 *a, uchar3 *b, float x) {
  // CHECK: load float, ptr {{.*}}, align 8
  float4 v = a[threadIdx.x];
  // CHECK: store float {{.*}}, align 16
  a[threadIdx.x] = make_float4(v.w, v.z, x, 1.0f);
  // CHECK: store i8 7
  b[0] = make_uchar3(7, 8, 9);
}
