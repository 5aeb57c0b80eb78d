/// \file
/// The parts of the C library that device code may call: printf, malloc,
/// assert, and the trap behind a failed assertion.

#ifndef GPU_ESTIMATE_CUDA_DEVICE_STDLIB_H
#define GPU_ESTIMATE_CUDA_DEVICE_STDLIB_H

#include "qualifiers.h"

extern "C" {
/// clang turns device-side printf into a call of vprintf.
__device__ int vprintf(const char *format, const char *arguments);
__device__ int printf(const char *format, ...);
__device__ void *malloc(__SIZE_TYPE__ size) __attribute__((nothrow, malloc));
__device__ void free(void *pointer) __attribute__((nothrow));
__device__ void __assertfail(const char *message, const char *file,
                             unsigned int line, const char *function,
                             __SIZE_TYPE__ charSize);

// What glibc's assert macro calls. Not marked as non-returning: a device
// assertion is an ordinary call, followed by the rest of the kernel.
__device__ static inline void __assert_fail(const char *message,
                                            const char *file, unsigned int line,
                                            const char *function) {
  __assertfail(message, file, line, function, sizeof(char));
}
}

namespace std {
__device__ static inline void *malloc(__SIZE_TYPE__ size) {
  return ::malloc(size);
}
__device__ static inline void free(void *pointer) { ::free(pointer); }
} // namespace std

#endif
