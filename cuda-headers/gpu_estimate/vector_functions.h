/// \file
/// Constructors `make_<type><n>` of the short vector types.

#ifndef GPU_ESTIMATE_CUDA_VECTOR_FUNCTIONS_H
#define GPU_ESTIMATE_CUDA_VECTOR_FUNCTIONS_H

#include "vector_types.h"

#if defined(__CUDA__)
#define GPU_ESTIMATE_MAKE GPU_ESTIMATE_HOST_DEVICE
#else
#define GPU_ESTIMATE_MAKE static __inline__
#endif

#define GPU_ESTIMATE_MAKE_FAMILY(Name, Element)                                \
  GPU_ESTIMATE_MAKE Name##1 make_##Name##1(Element x) {                        \
    Name##1 r;                                                                 \
    r.x = x;                                                                   \
    return r;                                                                  \
  }                                                                            \
  GPU_ESTIMATE_MAKE Name##2 make_##Name##2(Element x, Element y) {             \
    Name##2 r;                                                                 \
    r.x = x;                                                                   \
    r.y = y;                                                                   \
    return r;                                                                  \
  }                                                                            \
  GPU_ESTIMATE_MAKE Name##3 make_##Name##3(Element x, Element y, Element z) {  \
    Name##3 r;                                                                 \
    r.x = x;                                                                   \
    r.y = y;                                                                   \
    r.z = z;                                                                   \
    return r;                                                                  \
  }                                                                            \
  GPU_ESTIMATE_MAKE Name##4 make_##Name##4(Element x, Element y, Element z,    \
                                           Element w) {                        \
    Name##4 r;                                                                 \
    r.x = x;                                                                   \
    r.y = y;                                                                   \
    r.z = z;                                                                   \
    r.w = w;                                                                   \
    return r;                                                                  \
  }

GPU_ESTIMATE_MAKE_FAMILY(char, signed char)
GPU_ESTIMATE_MAKE_FAMILY(uchar, unsigned char)
GPU_ESTIMATE_MAKE_FAMILY(short, short)
GPU_ESTIMATE_MAKE_FAMILY(ushort, unsigned short)
GPU_ESTIMATE_MAKE_FAMILY(int, int)
GPU_ESTIMATE_MAKE_FAMILY(uint, unsigned int)
GPU_ESTIMATE_MAKE_FAMILY(long, long)
GPU_ESTIMATE_MAKE_FAMILY(ulong, unsigned long)
GPU_ESTIMATE_MAKE_FAMILY(longlong, long long)
GPU_ESTIMATE_MAKE_FAMILY(ulonglong, unsigned long long)
GPU_ESTIMATE_MAKE_FAMILY(float, float)
GPU_ESTIMATE_MAKE_FAMILY(double, double)

#undef GPU_ESTIMATE_MAKE_FAMILY
#undef GPU_ESTIMATE_MAKE

#endif
