/// \file
/// A call in the user's source to a function of a library.
#ifndef GPU_ESTIMATE_MODEL_KERNEL_LIBRARYCALL_H
#define GPU_ESTIMATE_MODEL_KERNEL_LIBRARYCALL_H

#include "gpu-estimate/Support/SourceLocation.h"
#include <string>

namespace gpuestimate {

struct LibraryCall {
  std::string Function; ///< as the user knows it: "thrust::sort", "cublasSgemm"
  SourceLocation Location; ///< of the call, in a file of the user
};

} // namespace gpuestimate

#endif
