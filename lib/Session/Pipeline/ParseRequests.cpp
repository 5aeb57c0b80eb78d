#include "gpu-estimate/Session/Pipeline/ParseRequests.h"

#include "gpu-estimate/Session/Pipeline/AnalysisLimits.h"
#include "llvm/Support/Program.h"
#include <algorithm>
#include <cmath>

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

/// The architecture with all instructions that a card has: the family of 9.0 is
/// the first whose own ones are not those of its successors.
static std::string fullArch(StringRef Capability) {
  std::string Arch = ("sm_" + Capability).str();
  erase(Arch, '.');
  unsigned Major = 0;
  bool HasOwn = !Capability.consumeInteger(10, Major) && Major >= 9;
  return HasOwn ? Arch + "a" : Arch;
}

/// Seconds that nvcc may take where nothing else gives the code. Instances of
/// FlashAttention take it two minutes.
static unsigned ptxSeconds(const Options &O) {
  constexpr double PerDeadline = 60, Day = 86'400;
  double Seconds = PerDeadline * O.Deadline.value_or(DefaultDeadline);
  return Seconds <= 0 ? Day : std::clamp(std::ceil(Seconds), 1.0, Day);
}

std::optional<PtxByNvcc> ptxByNvcc(const Options &O, const GpuModel &Gpu) {
  bool IsAsked = O.ViaPtx.empty() ? O.AsksNvcc : O.ViaPtx != "never";
  if (!IsAsked || O.Nvcc == "off" || Gpu.ComputeCapability.empty())
    return std::nullopt;
  PtxByNvcc Way;
  Way.Path = O.Nvcc;
  if (Way.Path.empty())
    if (ErrorOr<std::string> Found = sys::findProgramByName("nvcc"))
      Way.Path = *Found;
  Way.Arch = O.GpuArch.empty() ? fullArch(Gpu.ComputeCapability) : O.GpuArch;
  Way.TimeoutSeconds = ptxSeconds(O);
  Way.IsAlways = O.ViaPtx == "always";
  return Way;
}

} // namespace gpuestimate
