/// \file
/// Where the files lie that the program reads: GPU models, CUDA headers.
#ifndef GPU_ESTIMATE_SUPPORT_INSTALLATION_H
#define GPU_ESTIMATE_SUPPORT_INSTALLATION_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpuestimate {

/// What stands before the last folder bin, lib, lib64 or libexec of a path;
/// empty where it has none: "/opt/x/lib/gpu-estimate/a.so" gives "/opt/x".
std::string prefixOf(llvm::StringRef Path);

/// The folder of this name, "hwmodels": share/gpu-estimate/NAME of the
/// installation that the running program (or the plugin that a compiler has
/// loaded) is a part of, wherever it was moved to; else that of the source tree
/// that it was built from. The error names both places.
llvm::Expected<std::string> findDataFolder(llvm::StringRef Name);

} // namespace gpuestimate

#endif
