/// \file
/// The toolkit version that these headers stand in for.
///
/// 12.3 is the newest that clang 19 supports in full; what older and newer
/// toolkits declare differently is offered beside it as overloads.

#ifndef GPU_ESTIMATE_CUDA_VERSION_H
#define GPU_ESTIMATE_CUDA_VERSION_H

#define CUDA_VERSION 12030
#define CUDART_VERSION 12030
#define __CUDART_API_VERSION CUDART_VERSION
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 3
#define __CUDACC_VER_BUILD__ 0

// Include guards of the SDK that programs test to learn what is declared.
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_FUNCTIONS_H__

/// Set by these headers only; the analysis can tell them from an SDK's.
#define __GPU_ESTIMATE_CUDA_HEADERS__ 1

#endif
