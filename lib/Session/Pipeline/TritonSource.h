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

/// Compiles the kernel that O.KernelRegex names into Folder. The result is the
/// file of the code; Triton's metadata lie beside it. The error is Triton's
/// own, with its line. Messages go to Diagnostics.
llvm::Expected<std::string>
compileTriton(const Options &O, llvm::StringRef File, const GpuModel &Gpu,
              llvm::StringRef Folder, std::string &Diagnostics);

} // namespace gpuestimate

#endif
