/// \file
/// A kernel's resources as ptxas, NVIDIA's assembler, reports them. Optional:
/// without ptxas, registers are estimated.
#ifndef GPU_ESTIMATE_LOWERING_REGISTERS_PTXAS_H
#define GPU_ESTIMATE_LOWERING_REGISTERS_PTXAS_H

#include "gpu-estimate/Lowering/Registers/CompiledKernel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace gpuestimate {

/// The kernels in the output of `ptxas -v`, without device functions. Lines of
/// other kinds are skipped.
std::vector<CompiledKernel> parsePtxasOutput(llvm::StringRef Text);

/// Adds the code sizes of Kernels, each that of the section .text.NAME in the
/// ELF file that ptxas wrote. Nothing for another file.
void readCubin(llvm::MemoryBufferRef Cubin,
               llvm::MutableArrayRef<CompiledKernel> Kernels);

/// How a user's compiler would call ptxas.
struct PtxasRequest {
  std::string Path;          ///< of ptxas
  std::string Arch;          ///< "sm_80"
  unsigned MaxRegisters = 0; ///< -maxrregcount; 0 = no limit
  unsigned TimeoutSeconds = 5;
};

/// Compiles the kernels of a copy of M that IsWanted accepts (by their mangled
/// names) as clang would at the level of the module's flag "gpu-estimate.level"
/// (-O3 without it: an analysis is always that of optimised code), runs ptxas
/// on the PTX with -v, and parses the output. M is a device module as the front
/// end made it, before prepareForAnalysis(). Library functions that it only
/// declares come from the libdevice of the toolkit of ptxas; kernels that call
/// any other function without a body are left out. Fails when there is no NVPTX
/// target, no kernel is left, the library is missing, ptxas fails, or
/// TimeoutSeconds pass.
llvm::Expected<std::vector<CompiledKernel>> runPtxas(
    const llvm::Module &M, const PtxasRequest &Request,
    llvm::function_ref<bool(llvm::StringRef)> IsWanted = [](llvm::StringRef) {
      return true;
    });

/// Runs ptxas on PTX that a user's compiler wrote, as it is. The architecture
/// is that of Request, or of its family that the `.target` of Text demands
/// (sm_90a). Fails when ptxas does, or TimeoutSeconds pass.
llvm::Expected<std::vector<CompiledKernel>>
runPtxasOnText(llvm::StringRef Text, const PtxasRequest &Request);

} // namespace gpuestimate

#endif
