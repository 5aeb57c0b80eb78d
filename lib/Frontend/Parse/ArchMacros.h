/// \file
/// Whether the code of a source depends on the architecture that it is
/// compiled for: then each architecture needs a parse of its own.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_PARSE_ARCHMACROS_H
#define GPU_ESTIMATE_LIB_FRONTEND_PARSE_ARCHMACROS_H

#include "clang/Lex/Preprocessor.h"

namespace gpuestimate {

/// Sets Asked when a file expands or tests a macro of the architecture
/// (__CUDA_ARCH__ and its kind, __gfx906__). The headers of clang and our own
/// do not count: they declare more for newer architectures and nothing
/// differently, but for those of ours that implement asynchronous copies, old
/// ways and new. Asked outlives the preprocessor.
void watchArchMacros(clang::Preprocessor &Preprocessor, bool &Asked);

} // namespace gpuestimate

#endif
