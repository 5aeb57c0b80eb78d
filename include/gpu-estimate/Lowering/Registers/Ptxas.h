/// \file
/// A kernel's resources as ptxas, NVIDIA's assembler, reports them. Optional:
/// without ptxas, registers are estimated.
#ifndef GPU_ESTIMATE_LOWERING_REGISTERS_PTXAS_H
#define GPU_ESTIMATE_LOWERING_REGISTERS_PTXAS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace gpuestimate {

/// The resources of one kernel in the output of `ptxas -v`.
struct PtxasKernel {
  std::string Mangled;
  unsigned Registers = 0;
  unsigned StackBytes = 0; ///< private arrays and call frames, per thread
  unsigned SpillStoreBytes = 0, SpillLoadBytes = 0;
  uint64_t StaticSharedBytes = 0;
};

/// The kernels in the output of `ptxas -v`, without device functions. Lines of
/// other kinds are skipped.
std::vector<PtxasKernel> parsePtxasOutput(llvm::StringRef Text);

/// Compiles a copy of M at -O3, runs the ptxas at Path on the PTX with -v for
/// architecture Arch ("sm_80"), and parses the output. M is a device module as
/// the front end made it, before prepareForAnalysis(). Library functions that
/// it only declares come from the libdevice of the toolkit of Path. Fails when
/// there is no NVPTX target, the library is missing, ptxas fails, or
/// TimeoutSeconds pass.
llvm::Expected<std::vector<PtxasKernel>> runPtxas(const llvm::Module &M,
                                                  llvm::StringRef Arch,
                                                  llvm::StringRef Path,
                                                  unsigned TimeoutSeconds = 20);

} // namespace gpuestimate

#endif
