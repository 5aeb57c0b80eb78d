#include "PtxFile.h"

#include "gpu-estimate/Ptx/ReadPtx.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"

namespace gpuestimate {

/// 90 of "sm_90a".
static unsigned capabilityOf(llvm::StringRef Arch) {
  unsigned Number = 0;
  Arch.consume_front("sm_");
  return Arch.consumeInteger(10, Number) ? 0 : Number;
}

llvm::Expected<TranslationUnit> readPtxFile(const ParseRequest &Request,
                                            std::string &Diagnostics) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> Text =
      Request.Text
          ? llvm::MemoryBuffer::getMemBuffer(*Request.Text, Request.File)
          : llvm::MemoryBuffer::getFile(Request.File);
  if (!Text)
    return llvm::createStringError(Request.File + ": " +
                                   Text.getError().message());
  llvm::Expected<PtxUnit> Read =
      readPtx((*Text)->getBuffer(), Request.File, Request.GpuArch);
  if (!Read)
    return Read.takeError();
  // The newest architecture of this LLVM stands for all that are newer.
  std::string Newest = supportedArch(Read->Target);
  if (capabilityOf(Newest) > capabilityOf(Request.GpuArch))
    Diagnostics += Request.File + ": warning: its target is " + Read->Target +
                   ", but the code is estimated for " + Request.GpuArch + "\n";
  TranslationUnit Unit;
  Unit.Context = std::move(Read->Context);
  Unit.Module = std::move(Read->Module);
  Unit.Kernels = std::move(Read->Kernels);
  Unit.MainFile = Request.File;
  Unit.Files = {Request.File};
  Unit.Arch = Request.GpuArch;
  Unit.DependsOnArch = false;
  return std::move(Unit);
}

} // namespace gpuestimate
