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

/// Set by these headers only; the analysis can tell them from an SDK's.
#define __GPU_ESTIMATE_CUDA_HEADERS__ 1

#endif
