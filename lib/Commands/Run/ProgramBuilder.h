/// \file
/// Builds a CUDA or HIP program that carries its device code as bitcode and
/// calls the runtime library of gpu-estimate.
#ifndef GPU_ESTIMATE_LIB_COMMANDS_RUN_PROGRAMBUILDER_H
#define GPU_ESTIMATE_LIB_COMMANDS_RUN_PROGRAMBUILDER_H

#include "gpu-estimate/Session/Settings/Options.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace gpuestimate {

/// Compiles and links O.Files, with O.ClangArguments in each step, into the
/// program Output. Intermediate files go to Folder. Arch: of the device code.
/// Messages of clang, warnings included, go to Diagnostics.
llvm::Error buildProgram(const Options &O, llvm::StringRef Arch,
                         llvm::StringRef Folder, llvm::StringRef Output,
                         std::string &Diagnostics);

} // namespace gpuestimate

#endif
