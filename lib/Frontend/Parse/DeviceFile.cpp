#include "DeviceFile.h"

#include "LaunchFiles.h"
#include "gpu-estimate/ForeignIr/ReadIr.h"
#include "gpu-estimate/Ptx/ReadPtx.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"

namespace gpuestimate {

DeviceFileKind deviceFileKind(llvm::StringRef File) {
  if (File.ends_with(".ptx"))
    return DeviceFileKind::Ptx;
  if (File.ends_with(".ll") || File.ends_with(".bc") ||
      File.ends_with(".llir")) // Triton's cache
    return DeviceFileKind::LlvmIr;
  return DeviceFileKind::None;
}

/// The target of the file cannot run on what the code is estimated for.
static bool isForOther(const std::string &Target, const std::string &Arch) {
  if (Target.empty())
    return false;
  if (llvm::StringRef(Arch).starts_with("gfx"))
    return Target != Arch;
  // The newest architecture of this LLVM stands for all that are newer.
  return ptxCapability(supportedArch(Target)) > ptxCapability(Arch);
}

/// Moves what the readers of PTX and of LLVM IR have in common.
template <typename UnitType>
static void take(UnitType &&Read, TranslationUnit &Unit) {
  Unit.Context = std::move(Read.Context);
  Unit.Module = std::move(Read.Module);
  Unit.Kernels = std::move(Read.Kernels);
}

llvm::Expected<TranslationUnit> readDeviceFile(const ParseRequest &Request,
                                               std::string &Diagnostics) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> Text =
      Request.Text
          ? llvm::MemoryBuffer::getMemBuffer(*Request.Text, Request.File)
          : llvm::MemoryBuffer::getFile(Request.File);
  if (!Text)
    return llvm::createStringError(Request.File + ": " +
                                   Text.getError().message());
  TranslationUnit Unit;
  std::string Target;
  Unit.Arch = Request.GpuArch;
  if (deviceFileKind(Request.File) == DeviceFileKind::Ptx) {
    llvm::Expected<PtxUnit> Read =
        readPtx((*Text)->getBuffer(), Request.File, Request.GpuArch);
    if (!Read)
      return Read.takeError();
    Target = Read->Target;
    Unit.PtxText = std::move(Read->Text);
    take(std::move(*Read), Unit);
  } else {
    llvm::Expected<IrUnit> Read =
        readIr((*Text)->getMemBufferRef(), {Request.GpuArch, Request.HipArch});
    if (!Read)
      return Read.takeError();
    Target = Read->Target;
    Unit.Hip = Read->IsAmd;
    if (Unit.Hip)
      Unit.Arch = Request.HipArch;
    take(std::move(*Read), Unit);
  }
  for (KernelSource &Kernel : Unit.Kernels)
    Kernel.IsCompiled = true;
  Unit.MainFile = Request.File;
  Unit.Files = {Request.File};
  // A text without a file has nothing beside it.
  if (!Request.Text)
    addStatedLaunches(Unit, Target, Diagnostics);
  if (isForOther(Target, Unit.Arch))
    Diagnostics += Request.File + ": warning: its target is " + Target +
                   ", but the code is estimated for " + Unit.Arch + "\n";
  Unit.DependsOnArch = false;
  return std::move(Unit);
}

} // namespace gpuestimate
