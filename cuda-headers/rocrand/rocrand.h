/// \file
/// rocRAND's host interface, as far as it is cuRAND's by other names. The
/// numbers are those of cuRAND, which AMD's library draws in another order.

#ifndef GPU_ESTIMATE_ROCRAND_H
#define GPU_ESTIMATE_ROCRAND_H

#include <hip/hip_runtime_api.h>

#include "../gpu_estimate/random_host.h"

typedef curandGenerator_t rocrand_generator;
typedef curandStatus_t rocrand_status;
typedef curandRngType_t rocrand_rng_type;
typedef curandOrdering_t rocrand_ordering;

#define GPU_ESTIMATE_ROCRAND(Roc, Cuda)                                        \
  static constexpr auto ROCRAND_##Roc = CURAND_##Cuda;
GPU_ESTIMATE_ROCRAND(STATUS_SUCCESS, STATUS_SUCCESS)
GPU_ESTIMATE_ROCRAND(STATUS_NOT_CREATED, STATUS_NOT_INITIALIZED)
GPU_ESTIMATE_ROCRAND(STATUS_ALLOCATION_FAILED, STATUS_ALLOCATION_FAILED)
GPU_ESTIMATE_ROCRAND(STATUS_TYPE_ERROR, STATUS_TYPE_ERROR)
GPU_ESTIMATE_ROCRAND(STATUS_OUT_OF_RANGE, STATUS_OUT_OF_RANGE)
GPU_ESTIMATE_ROCRAND(STATUS_LENGTH_NOT_MULTIPLE, STATUS_LENGTH_NOT_MULTIPLE)
GPU_ESTIMATE_ROCRAND(STATUS_LAUNCH_FAILURE, STATUS_LAUNCH_FAILURE)
GPU_ESTIMATE_ROCRAND(STATUS_INTERNAL_ERROR, STATUS_INTERNAL_ERROR)
GPU_ESTIMATE_ROCRAND(RNG_PSEUDO_DEFAULT, RNG_PSEUDO_DEFAULT)
GPU_ESTIMATE_ROCRAND(RNG_PSEUDO_XORWOW, RNG_PSEUDO_XORWOW)
GPU_ESTIMATE_ROCRAND(RNG_PSEUDO_MRG32K3A, RNG_PSEUDO_MRG32K3A)
GPU_ESTIMATE_ROCRAND(RNG_PSEUDO_MTGP32, RNG_PSEUDO_MTGP32)
GPU_ESTIMATE_ROCRAND(RNG_PSEUDO_PHILOX4_32_10, RNG_PSEUDO_PHILOX4_32_10)
GPU_ESTIMATE_ROCRAND(RNG_QUASI_DEFAULT, RNG_QUASI_DEFAULT)
GPU_ESTIMATE_ROCRAND(RNG_QUASI_SOBOL32, RNG_QUASI_SOBOL32)
#undef GPU_ESTIMATE_ROCRAND

#define GPU_ESTIMATE_ROCRAND(Roc, Cuda)                                        \
  extern "C" decltype(curand##Cuda) rocrand_##Roc __asm__("curand" #Cuda);
GPU_ESTIMATE_ROCRAND(create_generator, CreateGenerator)
GPU_ESTIMATE_ROCRAND(destroy_generator, DestroyGenerator)
GPU_ESTIMATE_ROCRAND(set_stream, SetStream)
GPU_ESTIMATE_ROCRAND(set_seed, SetPseudoRandomGeneratorSeed)
GPU_ESTIMATE_ROCRAND(set_offset, SetGeneratorOffset)
GPU_ESTIMATE_ROCRAND(set_quasi_random_generator_dimensions,
                     SetQuasiRandomGeneratorDimensions)
GPU_ESTIMATE_ROCRAND(initialize_generator, GenerateSeeds)
GPU_ESTIMATE_ROCRAND(generate, Generate)
GPU_ESTIMATE_ROCRAND(generate_uniform, GenerateUniform)
GPU_ESTIMATE_ROCRAND(generate_uniform_double, GenerateUniformDouble)
GPU_ESTIMATE_ROCRAND(generate_normal, GenerateNormal)
GPU_ESTIMATE_ROCRAND(generate_normal_double, GenerateNormalDouble)
GPU_ESTIMATE_ROCRAND(generate_log_normal, GenerateLogNormal)
GPU_ESTIMATE_ROCRAND(generate_log_normal_double, GenerateLogNormalDouble)
GPU_ESTIMATE_ROCRAND(generate_poisson, GeneratePoisson)
#undef GPU_ESTIMATE_ROCRAND

#endif
