/// \file
/// rocRAND's device functions: those of cuRAND by other names.

#ifndef GPU_ESTIMATE_ROCRAND_KERNEL_H
#define GPU_ESTIMATE_ROCRAND_KERNEL_H

#include <hip/hip_runtime.h>

#include "rocrand.h"

#include "../gpu_estimate/random_device.h"

#if defined(__HIP__)
typedef curandStateXORWOW_t rocrand_state_xorwow;
typedef curandStatePhilox4_32_10_t rocrand_state_philox4x32_10;
#define rocrand_init curand_init
#define rocrand curand
#define rocrand4 curand4
#define rocrand_uniform curand_uniform
#define rocrand_uniform4 curand_uniform4
#define rocrand_uniform_double curand_uniform_double
#define rocrand_normal curand_normal
#define rocrand_normal2 curand_normal2
#define rocrand_normal_double curand_normal_double
#endif

#endif
