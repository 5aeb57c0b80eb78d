/// \file
/// Registers of the kernels of one translation unit, from the user, from a
/// compiler (nvcc with ptxas; ptxas behind clang's passes; LLVM's back end for
/// AMD) or as estimated.
#ifndef GPU_ESTIMATE_SESSION_PIPELINE_REGISTERCOUNTS_H
#define GPU_ESTIMATE_SESSION_PIPELINE_REGISTERCOUNTS_H

#include "gpu-estimate/Frontend/Frontend.h"
#include "gpu-estimate/Session/Pipeline/CompilerAnswers.h"
#include "gpu-estimate/Session/Settings/Options.h"

namespace gpuestimate {

/// --ptxas of validate: each case with the ptxas on PATH, and without.
inline constexpr llvm::StringLiteral ComparePtxas = "both";

class RegisterCounts {
public:
  /// Starts the nvcc of the options on the source, or runs their ptxas, or on
  /// AMD the back end, on the kernels that the options select in the module,
  /// which prepareForAnalysis() must not have changed yet. A program that the
  /// user named and that fails leaves a notice; one that was found on PATH may
  /// be too new or too old for the architecture, and the back end lacks the
  /// functions of ROCm's device library. Arch: that of the GPUs; "" = that of
  /// Unit, which clang knows.
  RegisterCounts(const TranslationUnit &Unit, const Options &O,
                 llvm::StringRef Arch = "");
  ~RegisterCounts();

  /// Waits for nvcc. ptxas stands in for it where it fails. Before the
  /// functions below, after other work that needs no answer.
  void finish();

  /// Bytes of the arrays of a kernel in local memory, where nvcc was asked.
  std::optional<uint64_t> localBytes(llvm::StringRef Mangled) const;
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
  bool startNvcc(const TranslationUnit &Unit, llvm::StringRef Arch);
  void askPtxas(const llvm::Module &M, llvm::StringRef PtxText);
  void askBackEnd(const TranslationUnit &Unit);
  void take(CompilerAnswer Answer);
  bool isSelected(llvm::StringRef Mangled) const;
  const CompiledKernel *find(llvm::StringRef Mangled) const;

  const Options &O;
  std::vector<std::string> Selected; ///< mangled names
  std::string Arch;                  ///< of Unit
  unsigned Limit = 0;                ///< of the compile command
  bool Compared = false;
  bool OfUsersCode =
      false; ///< Compiled is of PTX as the user's compiler wrote it
  std::vector<CompiledKernel> Compiled;
  std::string Compiler; ///< as in Resources::RegistersSource
  std::string Notice;

  // While nvcc runs.
  std::optional<NvccRun> Run;
  std::string Key; ///< of its answer
  std::unique_ptr<llvm::Module> Unchanged;
};

} // namespace gpuestimate

#endif
