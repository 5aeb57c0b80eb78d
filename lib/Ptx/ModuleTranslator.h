/// \file
/// A syntax tree of PTX as an LLVM module: variables, declarations, the
/// metadata of kernels, and the functions one after the other.
#ifndef GPU_ESTIMATE_LIB_PTX_MODULETRANSLATOR_H
#define GPU_ESTIMATE_LIB_PTX_MODULETRANSLATOR_H

#include "DebugPlaces.h"
#include "FunctionTranslator.h"
#include "gpu-estimate/Ptx/ReadPtx.h"

namespace gpuestimate {

class PtxModuleTranslator {
public:
  PtxModuleTranslator(const PtxFile &File, const std::string &Name,
                      const std::string &Arch, llvm::Module &M)
      : File(File), Arch(Arch), M(M), Places(M, File, Name) {}

  /// Fills the module and returns its kernels.
  llvm::Expected<std::vector<KernelSource>> run();

private:
  void declareVariables();
  void initialize();
  llvm::Constant *initialValue(const PtxVariable &V, llvm::Type *Type);
  void declare(const PtxFunction &Source);
  PtxSignature signatureOf(const PtxFunction &Source);
  void setAttributes(llvm::Function &F, const PtxFunction &Source);
  KernelSource kernelSource(const llvm::Function &F, const PtxFunction &Source,
                            SourceLocation Place);

  const PtxFile &File;
  const std::string &Arch;
  llvm::Module &M;
  PtxDebugPlaces Places;
  PtxSymbols Symbols;
  PtxSignatures Signatures;
};

} // namespace gpuestimate

#endif
