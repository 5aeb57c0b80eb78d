/// \file
/// `__match_any_sync` and `__match_all_sync` for every type that they accept.
///
/// clang's resource headers ask for this part under the SDK's file name
/// `crt/sm_70_rt.hpp`, after they have declared the 32- and 64-bit forms.

#ifndef GPU_ESTIMATE_CUDA_WARP_MATCH_H
#define GPU_ESTIMATE_CUDA_WARP_MATCH_H

#include "qualifiers.h"

#define GPU_ESTIMATE_MATCH(Type, Bits, Integer)                                \
  GPU_ESTIMATE_DEVICE unsigned int __match_any_sync(unsigned int mask,         \
                                                    Type value) {              \
    return __match##Bits##_any_sync(mask, __builtin_bit_cast(Integer, value)); \
  }                                                                            \
  GPU_ESTIMATE_DEVICE unsigned int __match_all_sync(unsigned int mask,         \
                                                    Type value, int *pred) {   \
    return __match##Bits##_all_sync(mask, __builtin_bit_cast(Integer, value),  \
                                    pred);                                     \
  }

GPU_ESTIMATE_MATCH(int, 32, unsigned int)
GPU_ESTIMATE_MATCH(unsigned int, 32, unsigned int)
GPU_ESTIMATE_MATCH(float, 32, unsigned int)
GPU_ESTIMATE_MATCH(long, 64, unsigned long long)
GPU_ESTIMATE_MATCH(unsigned long, 64, unsigned long long)
GPU_ESTIMATE_MATCH(long long, 64, unsigned long long)
GPU_ESTIMATE_MATCH(unsigned long long, 64, unsigned long long)
GPU_ESTIMATE_MATCH(double, 64, unsigned long long)

#undef GPU_ESTIMATE_MATCH

#endif
