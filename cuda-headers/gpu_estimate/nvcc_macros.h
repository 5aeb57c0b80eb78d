/// \file
/// Macros by which sources tell nvcc from other compilers.
///
/// GPU_ESTIMATE_NVCC is defined where the device's compiler is nvcc;
/// GPU_ESTIMATE_EXTENDED_LAMBDA, GPU_ESTIMATE_RELAXED_CONSTEXPR and
/// GPU_ESTIMATE_RDC where its command line has the option, and the first two
/// where there is no command line, since clang accepts both without one.

#ifndef GPU_ESTIMATE_CUDA_NVCC_MACROS_H
#define GPU_ESTIMATE_CUDA_NVCC_MACROS_H

#ifndef __NVCC__
#define __NVCC__ 1
#endif
#ifdef GPU_ESTIMATE_EXTENDED_LAMBDA
#define __CUDACC_EXTENDED_LAMBDA__ 1
// nvcc's traits of closures with qualifiers; clang's are ordinary closures.
#define __nv_is_extended_device_lambda_closure_type(type) false
#define __nv_is_extended_host_device_lambda_closure_type(type) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(type) false
#include <functional>
#endif
#ifdef GPU_ESTIMATE_RELAXED_CONSTEXPR
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#endif
#ifdef GPU_ESTIMATE_RDC
#define __CUDACC_RDC__ 1
#endif

#endif
