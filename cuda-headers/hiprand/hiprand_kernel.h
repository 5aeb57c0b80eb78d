/// \file
/// hipRAND's device functions: those of cuRAND by other names.

#ifndef GPU_ESTIMATE_HIPRAND_KERNEL_H
#define GPU_ESTIMATE_HIPRAND_KERNEL_H

#include <hip/hip_runtime.h>

#include "hiprand.h"

#include "../gpu_estimate/random_device.h"

#if defined(__HIP__)
typedef curandState_t hiprandState_t;
typedef curandState hiprandState;
typedef curandStateXORWOW_t hiprandStateXORWOW_t;
typedef curandStatePhilox4_32_10_t hiprandStatePhilox4_32_10_t;
typedef curandStateSobol32_t hiprandStateSobol32_t;
#define hiprand_init curand_init
#define hiprand curand
#define hiprand4 curand4
#define hiprand_uniform curand_uniform
#define hiprand_uniform4 curand_uniform4
#define hiprand_uniform_double curand_uniform_double
#define hiprand_uniform2_double curand_uniform2_double
#define hiprand_normal curand_normal
#define hiprand_normal2 curand_normal2
#define hiprand_normal4 curand_normal4
#define hiprand_normal_double curand_normal_double
#define hiprand_normal2_double curand_normal2_double
#define hiprand_log_normal curand_log_normal
#define hiprand_log_normal_double curand_log_normal_double
#define hiprand_poisson curand_poisson
#endif

#endif
