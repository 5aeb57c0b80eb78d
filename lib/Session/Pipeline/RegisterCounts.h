/// \file
/// Registers of the kernels of one translation unit, from the user, from a
/// compiler (ptxas; LLVM's back end for AMD) or as estimated.
#ifndef GPU_ESTIMATE_LIB_SESSION_PIPELINE_REGISTERCOUNTS_H
#define GPU_ESTIMATE_LIB_SESSION_PIPELINE_REGISTERCOUNTS_H

#include "gpu-estimate/Frontend/Frontend.h"
#include "gpu-estimate/Lowering/Registers/Ptxas.h"
#include "gpu-estimate/Session/Settings/Options.h"

namespace gpuestimate {

/// --ptxas of validate: each case with the ptxas on PATH, and without.
inline constexpr llvm::StringLiteral ComparePtxas = "both";

class RegisterCounts {
public:
  /// Runs the ptxas of the options, or on AMD the back end, on the kernels that
  /// the options select in the module, which prepareForAnalysis() must not have
  /// changed yet. A ptxas that the user named and that fails leaves a notice;
  /// one that was found on PATH may be too new or too old for the architecture,
  /// and the back end lacks the functions of ROCm's device library.
  RegisterCounts(const TranslationUnit &Unit, const Options &O);

  /// Sets the registers of the kernel Mangled, by the compiler if it was run
  /// and is not only compared with (--ptxas both). Given: the user's number for
  /// it, stated by the authority Source. Returns a remark on a result of ptxas
  /// that is not used, or "".
  std::string set(Resources &Res, llvm::StringRef Mangled,
                  std::optional<unsigned> Given = std::nullopt,
                  llvm::StringRef Source = "") const;
  /// The estimated Res of the kernel Mangled, as the compiler says; nothing
  /// where it says nothing that can be used.
  std::optional<Resources> assembled(const Resources &Res,
                                     llvm::StringRef Mangled) const;
  const std::string &notice() const { return Notice; }

private:
  void askPtxas(const TranslationUnit &Unit, const Options &O);
  void askBackEnd(const TranslationUnit &Unit, const Options &O);
  const CompiledKernel *find(llvm::StringRef Mangled) const;

  unsigned Limit = 0; ///< of the compile command
  bool Compared = false;
  bool OfUsersCode =
      false; ///< Compiled is of PTX as the user's compiler wrote it
  std::vector<CompiledKernel> Compiled;
  std::string Compiler; ///< as in Resources::RegistersSource
  std::string Notice;
};

} // namespace gpuestimate

#endif
