/// \file
/// Kernel models of a source file, for the benchmarks.
#ifndef GPU_ESTIMATE_BENCH_KERNELS_H
#define GPU_ESTIMATE_BENCH_KERNELS_H

#include "gpu-estimate/Frontend/Frontend.h"
#include "gpu-estimate/Lowering/LowerKernel.h"
#include "gpu-estimate/Model/Machine/Library.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include <ctime>

namespace gpuestimate {

/// Those that can be extracted; a file that does not compile is named on
/// standard error.
inline std::vector<KernelModel> kernelsOf(const std::string &File,
                                          std::vector<std::string> ClangArgs) {
  std::vector<KernelModel> Out;
  ParseRequest Request;
  Request.File = File;
  Request.ClangArgs = std::move(ClangArgs);
  Request.NoCudaSdk = true;
  std::string Diagnostics;
  auto Unit = parse(Request, Diagnostics);
  if (!Unit) {
    llvm::errs() << "left out: " << llvm::toString(Unit.takeError()) << "\n";
    return Out;
  }
  prepareForAnalysis(*Unit->Module);
  for (const KernelSource &K : Unit->Kernels)
    if (auto Model = lowerKernel(*Unit->Module->getFunction(K.Mangled), K))
      Out.push_back(std::move(*Model));
    else
      llvm::consumeError(Model.takeError());
  return Out;
}

/// The GPU of the benchmarks; nothing where it cannot be loaded, which is said.
inline std::optional<GpuModel> benchGpu() {
  auto Folder = findModelFolder();
  auto Gpu = Folder ? findGpuModel("nvidia-a100-40gb-pcie", *Folder)
                    : llvm::Expected<GpuModel>(Folder.takeError());
  if (Gpu)
    return std::move(*Gpu);
  llvm::errs() << llvm::toString(Gpu.takeError()) << "\n";
  return std::nullopt;
}

/// Of this process, milliseconds.
inline double processorMs() {
  return 1000 * double(std::clock()) / CLOCKS_PER_SEC;
}

} // namespace gpuestimate

#endif
