/// \file
/// cuda::std as a view of std. What is constexpr there (traits, limits, move,
/// array, ...) works in device code too.

#ifndef GPU_ESTIMATE_CUDA_STD_ALIAS_H
#define GPU_ESTIMATE_CUDA_STD_ALIAS_H

namespace cuda {
namespace std {
using namespace ::std;
} // namespace std
} // namespace cuda

#endif
