/// \file
/// Requests to the front end, made from the options.
#ifndef GPU_ESTIMATE_SESSION_PIPELINE_PARSEREQUESTS_H
#define GPU_ESTIMATE_SESSION_PIPELINE_PARSEREQUESTS_H

#include "gpu-estimate/Frontend/Frontend.h"
#include "gpu-estimate/Model/Machine/GpuModel.h"
#include "gpu-estimate/Session/Settings/Options.h"

namespace gpuestimate {

/// The architecture to compile for: --gpu-arch, or else "sm_80" for compute
/// capability 8.0 and the LLVM target of an AMD GPU.
std::string targetArch(const Options &O, const GpuModel &Gpu);

/// The request to parse File for Arch; "": the front end's default.
ParseRequest parseRequest(const Options &O, llvm::StringRef File,
                          llvm::StringRef Arch);

/// How nvcc is asked for PTX of a CUDA file for Gpu (--via-ptx); nothing: it is
/// not to be asked.
std::optional<PtxByNvcc> ptxByNvcc(const Options &O, const GpuModel &Gpu);

} // namespace gpuestimate

#endif
