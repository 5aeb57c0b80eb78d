// Code for the type of a tensor. Where PyTorch makes an instance for each type
// of a list, one is made here: float, and at::Half where float is not listed.
#ifndef GPU_ESTIMATE_PYTORCH_DISPATCH_H
#define GPU_ESTIMATE_PYTORCH_DISPATCH_H

#include "scalar_types.h"

#define GPU_ESTIMATE_PYTORCH_DISPATCH(SCALAR, ...)                             \
  [&] {                                                                        \
    using scalar_t = SCALAR;                                                   \
    return __VA_ARGS__();                                                      \
  }()
// A list that the source writes itself has an instance for each of its types.
#define AT_DISPATCH_CASE(NAME, ...)                                            \
  case NAME: {                                                                 \
    using scalar_t [[maybe_unused]] =                                          \
        typename c10::impl::ScalarTypeToCPPType<NAME>::type;                   \
    return __VA_ARGS__();                                                      \
  }
#define AT_DISPATCH_SWITCH(TYPE, NAME, ...)                                    \
  [&] {                                                                        \
    switch (static_cast<c10::ScalarType>(TYPE)) {                              \
      __VA_ARGS__                                                              \
    default:                                                                   \
      break;                                                                   \
    }                                                                          \
  }()

#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...)                            \
  GPU_ESTIMATE_PYTORCH_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(TYPE, NAME, ...)                   \
  GPU_ESTIMATE_PYTORCH_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_REDUCED_FLOATING_TYPES(TYPE, NAME, ...)                    \
  GPU_ESTIMATE_PYTORCH_DISPATCH(at::Half, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND(A, TYPE, NAME, ...)                     \
  GPU_ESTIMATE_PYTORCH_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND2(A, B, TYPE, NAME, ...)                 \
  GPU_ESTIMATE_PYTORCH_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND3(A, B, C, TYPE, NAME, ...)              \
  GPU_ESTIMATE_PYTORCH_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(TYPE, NAME, ...)                \
  GPU_ESTIMATE_PYTORCH_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND2(A, B, TYPE, NAME, ...)     \
  GPU_ESTIMATE_PYTORCH_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES(TYPE, NAME, ...)                                 \
  GPU_ESTIMATE_PYTORCH_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND(A, TYPE, NAME, ...)                          \
  GPU_ESTIMATE_PYTORCH_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND2(A, B, TYPE, NAME, ...)                      \
  GPU_ESTIMATE_PYTORCH_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND3(A, B, C, TYPE, NAME, ...)                   \
  GPU_ESTIMATE_PYTORCH_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX(TYPE, NAME, ...)                     \
  GPU_ESTIMATE_PYTORCH_DISPATCH(float, __VA_ARGS__)
#define AT_DISPATCH_INTEGRAL_TYPES(TYPE, NAME, ...)                            \
  GPU_ESTIMATE_PYTORCH_DISPATCH(int, __VA_ARGS__)
#define AT_DISPATCH_INDEX_TYPES(TYPE, NAME, ...)                               \
  [&] {                                                                        \
    using index_t = int;                                                       \
    return __VA_ARGS__();                                                      \
  }()

#endif
