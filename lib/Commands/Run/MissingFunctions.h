/// \file
/// Functions of GPU libraries that a program names and nothing defines.
///
/// A program often has calls of libraries on paths that it does not take, so
/// that a link which insists on them stops programs that would run. Such
/// functions are defined at link time: each calls
/// `gpu_estimate_missing_function("its name")` of the runtime library, which
/// notes the call and returns the library's own "not supported"
/// (gpu-estimate/Run/GpuLibraries.h).
#ifndef GPU_ESTIMATE_LIB_COMMANDS_RUN_MISSINGFUNCTIONS_H
#define GPU_ESTIMATE_LIB_COMMANDS_RUN_MISSINGFUNCTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace gpuestimate {

/// The functions of GPU libraries among the undefined references in what a
/// linker says without demangling (GNU ld, gold, lld or mold), sorted.
std::vector<std::string> missingFunctions(llvm::StringRef LinkerMessages);

/// Writes LLVM bitcode that defines the functions.
void writeMissingFunctions(llvm::ArrayRef<std::string> Functions,
                           llvm::raw_ostream &OS);

} // namespace gpuestimate

#endif
