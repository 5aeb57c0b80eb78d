#include "gpu-estimate/Session/Pipeline/ParseRequests.h"

using namespace llvm;

namespace gpuestimate {

std::string targetArch(const Options &O, const GpuModel &Gpu) {
  if (!O.GpuArch.empty() || Gpu.ComputeCapability.empty())
    return O.GpuArch.empty() ? Gpu.GfxTarget : O.GpuArch;
  std::string Arch = "sm_" + Gpu.ComputeCapability;
  erase(Arch, '.');
  return supportedArch(Arch);
}

ParseRequest parseRequest(const Options &O, StringRef File, StringRef Arch) {
  ParseRequest Request;
  Request.File = File.str();
  Request.Text = O.SourceText;
  Request.Headers = O.Headers.get();
  Request.Cancelled = O.Cancelled.get();
  Request.ClangArgs = O.ClangArguments;
  Request.BuildPath = O.CompilationDatabase;
  Request.NoCudaSdk = O.NoCudaSdk;
  Request.CudaPath = O.CudaPath;
  Request.Offload = O.Offload;
  Request.ForAmd = Arch.starts_with("gfx");
  Request.Linked = O.Linked;
  Request.Compiler = O.Compiler;
  if (!Arch.empty())
    (Request.ForAmd ? Request.HipArch : Request.GpuArch) = Arch.str();
  return Request;
}

} // namespace gpuestimate
