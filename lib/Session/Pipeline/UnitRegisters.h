/// \file
/// Registers of the kernels of one translation unit, from the user, from ptxas
/// or as estimated.
#ifndef GPU_ESTIMATE_LIB_SESSION_PIPELINE_UNITREGISTERS_H
#define GPU_ESTIMATE_LIB_SESSION_PIPELINE_UNITREGISTERS_H

#include "gpu-estimate/Frontend/Frontend.h"
#include "gpu-estimate/Lowering/Registers/Ptxas.h"
#include "gpu-estimate/Session/Settings/Options.h"

namespace gpuestimate {

class UnitRegisters {
public:
  /// Asks the ptxas that O tells, before prepareForAnalysis() changes the
  /// module. A ptxas that the user named and that fails leaves a notice; one
  /// that merely lies on PATH may well be too new or too old for the
  /// architecture.
  UnitRegisters(const TranslationUnit &Unit, const Options &O);

  /// Given: by the user for this kernel, with the authority.
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
