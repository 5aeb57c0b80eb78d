/// \file
/// A file of PTX as a translation unit.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_PARSE_PTXFILE_H
#define GPU_ESTIMATE_LIB_FRONTEND_PARSE_PTXFILE_H

#include "gpu-estimate/Frontend/Frontend.h"

namespace gpuestimate {

/// The kernels of Request's file, or of its text, which is PTX, for its GPU
/// architecture. Appends a warning to Diagnostics if the file is for a newer
/// one. Fails for a file that cannot be read or is no PTX.
llvm::Expected<TranslationUnit> readPtxFile(const ParseRequest &Request,
                                            std::string &Diagnostics);

} // namespace gpuestimate

#endif
