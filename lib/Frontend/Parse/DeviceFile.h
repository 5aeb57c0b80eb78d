/// \file
/// A file of PTX or LLVM IR as a translation unit: device code that another
/// compiler has made, without source.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_PARSE_DEVICEFILE_H
#define GPU_ESTIMATE_LIB_FRONTEND_PARSE_DEVICEFILE_H

#include "gpu-estimate/Frontend/Frontend.h"

namespace gpuestimate {

/// The kernels of Request's file, or of its text, for its GPU architecture.
/// Appends a warning to Diagnostics if the file is for a newer one. Fails for a
/// file that cannot be read or is no device code.
llvm::Expected<TranslationUnit> readDeviceFile(const ParseRequest &Request,
                                               std::string &Diagnostics);

} // namespace gpuestimate

#endif
