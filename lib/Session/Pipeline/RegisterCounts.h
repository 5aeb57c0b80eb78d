/// \file
/// Registers of the kernels of one translation unit, from the user, from ptxas
/// or as estimated.
#ifndef GPU_ESTIMATE_LIB_SESSION_PIPELINE_REGISTERCOUNTS_H
#define GPU_ESTIMATE_LIB_SESSION_PIPELINE_REGISTERCOUNTS_H

#include "gpu-estimate/Frontend/Frontend.h"
#include "gpu-estimate/Lowering/Registers/Ptxas.h"
#include "gpu-estimate/Session/Settings/Options.h"

namespace gpuestimate {

class RegisterCounts {
public:
  /// Runs the ptxas of the options on the module, which prepareForAnalysis()
  /// must not have changed yet. A ptxas that the user named and that fails
  /// leaves a notice; one that was found on PATH may be too new or too old for
  /// the architecture.
  RegisterCounts(const TranslationUnit &Unit, const Options &O);

  /// Sets the registers of the kernel Mangled. Given: the user's number for it,
  /// stated by the authority Source.
  void set(Resources &Res, llvm::StringRef Mangled,
           std::optional<unsigned> Given = std::nullopt,
           llvm::StringRef Source = "") const;
  const std::string &notice() const { return Notice; }

private:
  void askPtxas(const TranslationUnit &Unit, const std::string &Given);

  unsigned Limit = 0; ///< of the compile command
  std::vector<PtxasKernel> Assembled;
  std::string Notice;
};

} // namespace gpuestimate

#endif
