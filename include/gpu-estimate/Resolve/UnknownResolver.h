/// \file
/// Replaces the defaults of a kernel model's data-dependent unknowns by what
/// some executed warps of a launch show.
#ifndef GPU_ESTIMATE_RESOLVE_UNKNOWNRESOLVER_H
#define GPU_ESTIMATE_RESOLVE_UNKNOWNRESOLVER_H

#include "gpu-estimate/Lowering/Values/IrOrigins.h"
#include "gpu-estimate/Model/Kernel/ExecutedLaunch.h"
#include "gpu-estimate/Model/Kernel/Launch.h"
#include "gpu-estimate/Model/Result/Analysis.h"
#include "gpu-estimate/Resolve/BufferNames.h"
#include "gpu-estimate/Resolve/TracedLaunch.h"

namespace gpuestimate {

/// A kernel model with measured unknowns. The measured values are defaults of
/// the unknowns, so that a value that the user states still has precedence;
/// Unknown::Why names the executed warps and the buffers.
struct ResolvedKernel {
  KernelModel Model;
  ExecutedLaunch Executed;
  std::vector<Notice> Notices;
};

/// Limits of the execution of one launch.
struct SampleLimits {
  double Seconds = 5;
  uint64_t MemoryBytes = UINT64_MAX;
};

/// Maps the counts of executed warps to the unknowns of a kernel's model: the
/// trip count of a loop is iterations per entry, a branch probability is the
/// share of lanes for which the condition held, and data-dependent accesses get
/// up to 256 recorded warp requests.
class UnknownResolver {
public:
  /// F belongs to a module that stays unchanged. The caller keeps ownership of
  /// every argument.
  UnknownResolver(llvm::Function &F, const KernelSource &Source,
                  const KernelModel &Model, const IrOrigins &Origins,
                  llvm::ArrayRef<BufferInput> Inputs)
      : Origins(Origins), Model(Model), Inputs(Inputs),
        Names(F, Model, Source) {}

  /// The kernel's pointers by the names that --buffer uses.
  std::vector<std::string> bufferNames() const { return Names.all(); }
  /// Element counts of the buffers that files initialise, by buffer name.
  Bindings elementCounts() const;

  /// Executes some warps of launch L, which have Lanes lanes, in a process of
  /// their own. Stated holds the values that the user gave: unknowns among them
  /// stay as they are. Parameters holds a value for every parameter of the
  /// model. An error means that a buffer does not fit its parameter; a kernel
  /// that cannot be executed yields a notice.
  llvm::Expected<ResolvedKernel>
  resolve(const Launch &L, const Bindings &Stated, const Bindings &Parameters,
          unsigned Lanes, const SampleLimits &Limits) const;

  /// Resolves the unknowns of a launch whose warps were traced while the
  /// program ran, on the contents that the program gave its buffers. Traced is
  /// about the kernel's function.
  ResolvedKernel resolve(const TracedLaunch &Traced,
                         const Bindings &Stated) const;

  /// Nothing in the model depends on data but the cost of divisions.
  bool isClosedForm() const;
  /// Shares of the divisions by what the traced warps have divided, in eighths:
  /// launches of nearly equal shares are alike.
  SpecialDivisions specialDivisions(const TracedLaunch &Traced) const;

private:
  const IrOrigins &Origins;
  const KernelModel &Model;
  llvm::ArrayRef<BufferInput> Inputs;
  BufferNames Names;
};

} // namespace gpuestimate

#endif
