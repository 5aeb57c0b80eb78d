/// \file
/// Loads and stores with a cache operator (`__ldcg`, `__stcs`, ...).
///
/// The operator only steers which cache keeps the line; the access itself is an
/// ordinary one, marked non-temporal where the operator says that the data is
/// used once. `__ldg` comes from clang's resource headers as an NVVM intrinsic.

#ifndef GPU_ESTIMATE_CUDA_MEMORY_H
#define GPU_ESTIMATE_CUDA_MEMORY_H

// The SDK's types where an SDK is used.
#ifndef GPU_ESTIMATE_COMPAT_SDK_H
#include "vector_types.h"
#endif

#define GPU_ESTIMATE_NATIVE(Type, count)                                       \
  Type __attribute__((ext_vector_type(count)))

/// Non-temporal access of a scalar, and of a vector through the native vector
/// of the same layout, so that it stays one access.
#define GPU_ESTIMATE_STREAM_SCALAR(Type)                                       \
  GPU_ESTIMATE_DEVICE Type __ldcs(const Type *p) {                             \
    return __builtin_nontemporal_load(p);                                      \
  }                                                                            \
  GPU_ESTIMATE_DEVICE void __stcs(Type *p, Type v) {                           \
    __builtin_nontemporal_store(v, p);                                         \
  }
#define GPU_ESTIMATE_STREAM_VECTOR(Type, Element, count)                       \
  GPU_ESTIMATE_DEVICE Type __ldcs(const Type *p) {                             \
    typedef GPU_ESTIMATE_NATIVE(Element, count) Native;                        \
    Native v =                                                                 \
        __builtin_nontemporal_load(reinterpret_cast<const Native *>(p));       \
    return __builtin_bit_cast(Type, v);                                        \
  }                                                                            \
  GPU_ESTIMATE_DEVICE void __stcs(Type *p, Type v) {                           \
    typedef GPU_ESTIMATE_NATIVE(Element, count) Native;                        \
    __builtin_nontemporal_store(__builtin_bit_cast(Native, v),                 \
                                reinterpret_cast<Native *>(p));                \
  }

/// Cached accesses keep their width through the native vector too.
#define GPU_ESTIMATE_LOAD_SCALAR(name, Type)                                   \
  GPU_ESTIMATE_DEVICE Type name(const Type *p) { return *p; }
#define GPU_ESTIMATE_STORE_SCALAR(name, Type)                                  \
  GPU_ESTIMATE_DEVICE void name(Type *p, Type v) { *p = v; }
#define GPU_ESTIMATE_LOAD_VECTOR(name, Type, Element, count)                   \
  GPU_ESTIMATE_DEVICE Type name(const Type *p) {                               \
    typedef GPU_ESTIMATE_NATIVE(Element, count) Native;                        \
    return __builtin_bit_cast(Type, *reinterpret_cast<const Native *>(p));     \
  }
#define GPU_ESTIMATE_STORE_VECTOR(name, Type, Element, count)                  \
  GPU_ESTIMATE_DEVICE void name(Type *p, Type v) {                             \
    typedef GPU_ESTIMATE_NATIVE(Element, count) Native;                        \
    *reinterpret_cast<Native *>(p) = __builtin_bit_cast(Native, v);            \
  }

#define GPU_ESTIMATE_SCALAR(Type)                                              \
  GPU_ESTIMATE_LOAD_SCALAR(__ldca, Type)                                       \
  GPU_ESTIMATE_LOAD_SCALAR(__ldcg, Type)                                       \
  GPU_ESTIMATE_LOAD_SCALAR(__ldlu, Type)                                       \
  GPU_ESTIMATE_LOAD_SCALAR(__ldcv, Type)                                       \
  GPU_ESTIMATE_STORE_SCALAR(__stwb, Type)                                      \
  GPU_ESTIMATE_STORE_SCALAR(__stcg, Type)                                      \
  GPU_ESTIMATE_STORE_SCALAR(__stwt, Type)                                      \
  GPU_ESTIMATE_STREAM_SCALAR(Type)
#define GPU_ESTIMATE_VECTOR(Type, Element, count)                              \
  GPU_ESTIMATE_LOAD_VECTOR(__ldca, Type, Element, count)                       \
  GPU_ESTIMATE_LOAD_VECTOR(__ldcg, Type, Element, count)                       \
  GPU_ESTIMATE_LOAD_VECTOR(__ldlu, Type, Element, count)                       \
  GPU_ESTIMATE_LOAD_VECTOR(__ldcv, Type, Element, count)                       \
  GPU_ESTIMATE_STORE_VECTOR(__stwb, Type, Element, count)                      \
  GPU_ESTIMATE_STORE_VECTOR(__stcg, Type, Element, count)                      \
  GPU_ESTIMATE_STORE_VECTOR(__stwt, Type, Element, count)                      \
  GPU_ESTIMATE_STREAM_VECTOR(Type, Element, count)

GPU_ESTIMATE_SCALAR(char)
GPU_ESTIMATE_SCALAR(signed char)
GPU_ESTIMATE_SCALAR(unsigned char)
GPU_ESTIMATE_SCALAR(short)
GPU_ESTIMATE_SCALAR(unsigned short)
GPU_ESTIMATE_SCALAR(int)
GPU_ESTIMATE_SCALAR(unsigned int)
GPU_ESTIMATE_SCALAR(long)
GPU_ESTIMATE_SCALAR(unsigned long)
GPU_ESTIMATE_SCALAR(long long)
GPU_ESTIMATE_SCALAR(unsigned long long)
GPU_ESTIMATE_SCALAR(float)
GPU_ESTIMATE_SCALAR(double)
GPU_ESTIMATE_VECTOR(char2, signed char, 2)
GPU_ESTIMATE_VECTOR(char4, signed char, 4)
GPU_ESTIMATE_VECTOR(uchar2, unsigned char, 2)
GPU_ESTIMATE_VECTOR(uchar4, unsigned char, 4)
GPU_ESTIMATE_VECTOR(short2, short, 2)
GPU_ESTIMATE_VECTOR(short4, short, 4)
GPU_ESTIMATE_VECTOR(ushort2, unsigned short, 2)
GPU_ESTIMATE_VECTOR(ushort4, unsigned short, 4)
GPU_ESTIMATE_VECTOR(int2, int, 2)
GPU_ESTIMATE_VECTOR(int4, int, 4)
GPU_ESTIMATE_VECTOR(uint2, unsigned int, 2)
GPU_ESTIMATE_VECTOR(uint4, unsigned int, 4)
GPU_ESTIMATE_VECTOR(longlong2, long long, 2)
GPU_ESTIMATE_VECTOR(ulonglong2, unsigned long long, 2)
GPU_ESTIMATE_VECTOR(float2, float, 2)
GPU_ESTIMATE_VECTOR(float4, float, 4)
GPU_ESTIMATE_VECTOR(double2, double, 2)

#undef GPU_ESTIMATE_SCALAR
#undef GPU_ESTIMATE_VECTOR
#undef GPU_ESTIMATE_LOAD_SCALAR
#undef GPU_ESTIMATE_STORE_SCALAR
#undef GPU_ESTIMATE_LOAD_VECTOR
#undef GPU_ESTIMATE_STORE_VECTOR
#undef GPU_ESTIMATE_STREAM_SCALAR
#undef GPU_ESTIMATE_STREAM_VECTOR
#undef GPU_ESTIMATE_NATIVE

#endif
