/// \file
/// The short vector types `char1` ... `double4` and `dim3`.
///
/// Alignments are part of CUDA's ABI and decide the width of a memory access:
/// two- and four-element vectors are aligned to their size up to 16 bytes,
/// three-element vectors to one element.

#ifndef GPU_ESTIMATE_CUDA_VECTOR_TYPES_H
#define GPU_ESTIMATE_CUDA_VECTOR_TYPES_H

#include "qualifiers.h"

#define GPU_ESTIMATE_VECTOR_FAMILY(Name, Element, Align2, Align4)              \
  struct Name##1 { Element x; };                                               \
  struct __align__(Align2) Name##2 { Element x, y; };                          \
  struct Name##3 { Element x, y, z; };                                         \
  struct __align__(Align4) Name##4 { Element x, y, z, w; };                    \
  typedef struct Name##1 Name##1;                                              \
  typedef struct Name##2 Name##2;                                              \
  typedef struct Name##3 Name##3;                                              \
  typedef struct Name##4 Name##4;

GPU_ESTIMATE_VECTOR_FAMILY(char, signed char, 2, 4)
GPU_ESTIMATE_VECTOR_FAMILY(uchar, unsigned char, 2, 4)
GPU_ESTIMATE_VECTOR_FAMILY(short, short, 4, 8)
GPU_ESTIMATE_VECTOR_FAMILY(ushort, unsigned short, 4, 8)
GPU_ESTIMATE_VECTOR_FAMILY(int, int, 8, 16)
GPU_ESTIMATE_VECTOR_FAMILY(uint, unsigned int, 8, 16)
GPU_ESTIMATE_VECTOR_FAMILY(long, long, 16, 16)
GPU_ESTIMATE_VECTOR_FAMILY(ulong, unsigned long, 16, 16)
GPU_ESTIMATE_VECTOR_FAMILY(longlong, long long, 16, 16)
GPU_ESTIMATE_VECTOR_FAMILY(ulonglong, unsigned long long, 16, 16)
GPU_ESTIMATE_VECTOR_FAMILY(float, float, 8, 16)
GPU_ESTIMATE_VECTOR_FAMILY(double, double, 16, 16)

#undef GPU_ESTIMATE_VECTOR_FAMILY

/// Four 8-byte elements with the alignment in the name (CUDA 13).
#define GPU_ESTIMATE_ALIGNED_VECTOR4(Name, Element)                            \
  struct __align__(16) Name##4_16a { Element x, y, z, w; };                    \
  struct __align__(32) Name##4_32a { Element x, y, z, w; };                    \
  typedef struct Name##4_16a Name##4_16a;                                      \
  typedef struct Name##4_32a Name##4_32a;

GPU_ESTIMATE_ALIGNED_VECTOR4(long, long)
GPU_ESTIMATE_ALIGNED_VECTOR4(ulong, unsigned long)
GPU_ESTIMATE_ALIGNED_VECTOR4(longlong, long long)
GPU_ESTIMATE_ALIGNED_VECTOR4(ulonglong, unsigned long long)
GPU_ESTIMATE_ALIGNED_VECTOR4(double, double)

#undef GPU_ESTIMATE_ALIGNED_VECTOR4

/// Extents of a grid or a block, in blocks or threads; missing ones are 1.
struct dim3 {
  unsigned int x, y, z;
#if defined(__cplusplus)
#if __cplusplus >= 201103L
#define GPU_ESTIMATE_DIM3_CONSTEXPR constexpr
#else
#define GPU_ESTIMATE_DIM3_CONSTEXPR
#endif
  __host__ __device__ GPU_ESTIMATE_DIM3_CONSTEXPR dim3(unsigned int vx = 1,
                                                       unsigned int vy = 1,
                                                       unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  __host__ __device__ GPU_ESTIMATE_DIM3_CONSTEXPR dim3(uint3 v)
      : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ GPU_ESTIMATE_DIM3_CONSTEXPR operator uint3() const {
    return uint3{x, y, z};
  }
#undef GPU_ESTIMATE_DIM3_CONSTEXPR
#endif
};
typedef struct dim3 dim3;

#endif
