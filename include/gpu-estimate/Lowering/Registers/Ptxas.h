/// \file
/// What NVIDIA's assembler says of a kernel's resources. Optional: without it
/// registers are estimated.
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

/// One kernel of `ptxas -v`.
struct PtxasKernel {
  std::string Mangled;
  unsigned Registers = 0;
  unsigned StackBytes = 0; ///< private arrays and call frames, per thread
  unsigned SpillStoreBytes = 0, SpillLoadBytes = 0;
  uint64_t StaticSharedBytes = 0;
};

/// The kernels named in the output of `ptxas -v`; functions that are called
/// but are no kernels are left out. Lines of other kinds are skipped.
std::vector<PtxasKernel> parsePtxasOutput(llvm::StringRef Text);

/// Compiles a copy of M as an -O3 build would, hands the PTX to the program at
/// Path with -v for architecture Arch ("sm_80"), and reads what it says. M is a
/// device module as the front end made it, before prepareForAnalysis(). Library
/// functions that it only declares come from the libdevice of the toolkit that
/// Path belongs to. An error when there is no NVPTX target, the library is
/// missing, the program fails, or TimeoutSeconds pass.
llvm::Expected<std::vector<PtxasKernel>> runPtxas(const llvm::Module &M,
                                                  llvm::StringRef Arch,
                                                  llvm::StringRef Path,
                                                  unsigned TimeoutSeconds = 20);

} // namespace gpuestimate

#endif
