/// \file
/// Compiles a kernel of Triton in a file of Python: Triton's own compiler makes
/// PTX or LLVM IR in a child process, as `python3 -m gpu_estimate.triton`.
#ifndef GPU_ESTIMATE_LIB_SESSION_PIPELINE_TRITONSOURCE_H
#define GPU_ESTIMATE_LIB_SESSION_PIPELINE_TRITONSOURCE_H

#include "gpu-estimate/Model/Machine/GpuModel.h"
#include "gpu-estimate/Session/Settings/Options.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpuestimate {

/// The interpreter for programs in Python: that of the environment variable
/// GPU_ESTIMATE_PYTHON, else python3 on PATH.
llvm::Expected<std::string> findPython();

/// PYTHONPATH with which the interpreter finds the package that belongs to this
/// program, in front of what the user has in it.
std::string pythonPath();

/// Compiles the kernel that O.KernelRegex names into Folder. The result is the
/// file of the code; Triton's metadata lie beside it. The error is Triton's
/// own, with its line. Messages go to Diagnostics.
llvm::Expected<std::string>
compileTriton(const Options &O, llvm::StringRef File, const GpuModel &Gpu,
              llvm::StringRef Folder, std::string &Diagnostics);

} // namespace gpuestimate

#endif
