/// \file
/// Finds the data files of the program: GPU models, CUDA headers.
#ifndef GPU_ESTIMATE_SUPPORT_INSTALLATION_H
#define GPU_ESTIMATE_SUPPORT_INSTALLATION_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpuestimate {

/// Returns the part of a path before its last folder bin, lib, lib64 or
/// libexec, or an empty text if it has none: "/opt/x/lib/gpu-estimate/a.so"
/// gives "/opt/x".
std::string prefixOf(llvm::StringRef Path);

/// Returns the data folder Name, such as "hwmodels": share/gpu-estimate/NAME of
/// the installation of the running program (or of the loaded plugin), even if
/// it was moved; else the folder of the source tree that it was built from. The
/// error names both places.
llvm::Expected<std::string> findDataFolder(llvm::StringRef Name);

/// Returns the path of a shared library of the product: in lib/gpu-estimate of
/// the installation, or lib of a build folder. The error names both places.
llvm::Expected<std::string> findInstalledLibrary(llvm::StringRef Name);

/// Returns the path of a program of the product that users do not call: in
/// libexec of the installation or of the build folder.
llvm::Expected<std::string> findInstalledProgram(llvm::StringRef Name);

} // namespace gpuestimate

#endif
