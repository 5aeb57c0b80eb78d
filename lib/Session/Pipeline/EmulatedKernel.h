/// \file
/// A kernel whose unknowns are settled by emulating some of its warps.
#ifndef GPU_ESTIMATE_LIB_SESSION_PIPELINE_EMULATEDKERNEL_H
#define GPU_ESTIMATE_LIB_SESSION_PIPELINE_EMULATEDKERNEL_H

#include "Session/Plan/LaunchPlan.h"
#include "gpu-estimate/Emulate/Arguments.h"
#include "gpu-estimate/Lowering/Values/IrPlaces.h"
#include "gpu-estimate/Model/Kernel/ExecutedLaunch.h"
#include "gpu-estimate/Model/Result/Analysis.h"

namespace gpuestimate {

/// The files and rules of --buffer; UsageErrors.
llvm::Expected<std::vector<GivenBuffer>>
readBuffers(llvm::ArrayRef<std::pair<std::string, std::string>> Buffers);

/// What an emulation makes of a model: the values that it settles are defaults
/// of the unknowns, so that what a user gave is above them, and the reasons say
/// how they were found.
struct SettledKernel {
  KernelModel Model;
  ExecutedLaunch Executed;
  std::vector<Notice> Notices;
};

class EmulatedKernel {
public:
  /// F: of a module that stays as it is. All stay owned by the caller.
  EmulatedKernel(llvm::Function &F, const KernelSource &Source,
                 const KernelModel &Model, const IrPlaces &Places,
                 llvm::ArrayRef<GivenBuffer> Given)
      : Places(Places), Model(Model), Given(Given), Names(F, Model, Source) {}

  /// The pointers of the kernel, as --buffer names them.
  std::vector<std::string> bufferNames() const { return Names.all(); }
  /// Elements of the buffers that files give, by name.
  Bindings elements() const;

  /// Lanes: of a warp. A UsageError where a buffer does not fit its parameter;
  /// a kernel that cannot be emulated is a notice.
  llvm::Expected<SettledKernel> run(const Launch &L, const Bindings &Values,
                                    unsigned Lanes) const;

private:
  const IrPlaces &Places;
  const KernelModel &Model;
  llvm::ArrayRef<GivenBuffer> Given;
  BufferNames Names;
};

} // namespace gpuestimate

#endif
