/// \file
/// The analysis of a file whose program runs, without its host code.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_PARSE_DEVICECODECONSUMER_H
#define GPU_ESTIMATE_LIB_FRONTEND_PARSE_DEVICECODECONSUMER_H

#include "gpu-estimate/Frontend/Frontend.h"

namespace gpuestimate {

/// Like createAnalysisConsumer(), but of CUDA and HIP the unit has device code
/// and kernels only: a run sees its launches when they happen, and to find them
/// in host code can take minutes where that is large.
std::unique_ptr<clang::ASTConsumer>
createDeviceCodeConsumer(clang::CompilerInstance &Compiler,
                         AnalysisCallback Callback,
                         const std::atomic<bool> *Cancelled);

} // namespace gpuestimate

#endif
