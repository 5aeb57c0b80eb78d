/// \file
/// Detects sources whose code depends on the GPU architecture and which must be
/// parsed for each architecture.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_PARSE_ARCHMACROS_H
#define GPU_ESTIMATE_LIB_FRONTEND_PARSE_ARCHMACROS_H

#include "clang/Lex/Preprocessor.h"

namespace gpuestimate {

/// Sets Depends when a file expands or tests a macro of the architecture
/// (__CUDA_ARCH__, __gfx906__). Headers of clang and of gpu-estimate are
/// ignored, because they only declare more for newer architectures; the
/// exceptions are those that implement asynchronous copies in two ways. Depends
/// must outlive the preprocessor.
void watchArchMacros(clang::Preprocessor &Preprocessor, bool &Depends);

} // namespace gpuestimate

#endif
