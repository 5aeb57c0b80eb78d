/// \file
/// What a call costs whose function is too large to be inlined.
#ifndef GPU_ESTIMATE_LIB_LOWERING_SELECTION_CALLSUMMARIES_H
#define GPU_ESTIMATE_LIB_LOWERING_SELECTION_CALLSUMMARIES_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "llvm/Support/Error.h"
#include <array>
#include <functional>
#include <map>
#include <optional>

namespace llvm {
class Function;
}

namespace gpuestimate {

/// The instructions of one thread in one call of a function, with those of the
/// functions that it calls. Accesses to memory, barriers and tensor operations
/// are not among them.
struct CallSummary {
  struct OfClass {
    /// Instructions, and those on the longest path of dependent ones: within
    /// each basic block, one block after the other.
    double Count = 0, Chain = 0;
    double FlopFp16 = 0, FlopFp32 = 0, FlopFp64 = 0;
  };
  std::array<OfClass, NumOpClasses> Classes = {};
  /// Something is left out that takes time beyond the thread's own registers.
  bool LeavesOut = false;
  /// The instructions depend on data or on the arguments.
  bool Assumes = false;
  /// The function calls itself, directly or through others: this is one level.
  bool IsRecursive = false;

  double instructions() const;
};

/// Lowers each function once, as if it were a kernel, and adds up the model.
/// The values of unknowns are their defaults; a trip count that the arguments
/// decide is taken as that of a loop without a known bound, and a condition as
/// true in half of the calls.
class CallSummaries {
public:
  using Lowering = std::function<llvm::Expected<KernelModel>(llvm::Function &)>;
  explicit CallSummaries(Lowering Lower) : Lower(std::move(Lower)) {}

  /// Null for a function that is being lowered, which calls itself, and for one
  /// that cannot be lowered.
  const CallSummary *of(llvm::Function &F);

private:
  Lowering Lower;
  struct Entry {
    std::optional<CallSummary> Summary; ///< none while it is lowered
    bool CallsItself = false;
  };
  std::map<const llvm::Function *, Entry> Known;
};

} // namespace gpuestimate

#endif
