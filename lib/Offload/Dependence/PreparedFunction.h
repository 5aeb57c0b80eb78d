/// \file
/// The form of a function in which its loops are analyzed.
#ifndef GPU_ESTIMATE_LIB_OFFLOAD_DEPENDENCE_PREPAREDFUNCTION_H
#define GPU_ESTIMATE_LIB_OFFLOAD_DEPENDENCE_PREPAREDFUNCTION_H

#include "gpu-estimate/Support/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include <memory>
#include <string>
#include <vector>

namespace gpuestimate {

/// A clone of one function with its callees inlined and its loops in canonical
/// form, and the analyses of it.
class PreparedFunction {
public:
  /// F must have a body. Queried: locations of the loops that will be analyzed,
  /// which saves work on others; none: any loop.
  PreparedFunction(const llvm::Function &F,
                   llvm::ArrayRef<SourceLocation> Queried);
  /// Widens induction variables to the size of pointers, so that subscripts can
  /// be compared. It is the more expensive half of the preparation, which large
  /// functions often do without. Invalidates all loops and analyses that were
  /// handed out.
  void widenCounters();
  bool hasWideCounters() const { return Wide; }

  llvm::Function &function() { return *F; }
  llvm::FunctionAnalysisManager &analyses() { return FAM; }
  template <typename Pass> typename Pass::Result &get() {
    return FAM.getResult<Pass>(*F);
  }
  /// Start locations of all loops before the canonicalization.
  const std::vector<SourceLocation> &originalLoopLocations() const {
    return LoopLocations;
  }

  /// Why the function cannot be analyzed; "" if it can.
  const std::string &refusal() const { return Refusal; }
  /// Was unsigned arithmetic assumed not to wrap around?
  bool assumesNoWrapping() const { return NoWrapping; }

private:
  std::unique_ptr<llvm::Module> M;
  llvm::Function *F;
  llvm::LoopAnalysisManager LAM;
  llvm::FunctionAnalysisManager FAM;
  llvm::CGSCCAnalysisManager CGAM;
  llvm::ModuleAnalysisManager MAM;
  std::vector<SourceLocation> Queried, LoopLocations;
  std::string Refusal;
  bool NoWrapping = false, Wide = false;
};

/// Does a queried location name the location of a loop? Column 0 and an empty
/// file match any; files are compared by their last component.
bool isSameLocation(const SourceLocation &Queried, const SourceLocation &Loop);
/// Does L, a loop around it or a loop in it start at one of the locations? True
/// if there are no locations.
bool isRelatedTo(const llvm::Loop &L, llvm::ArrayRef<SourceLocation> Locations);
/// Start locations of all loops, from the llvm.loop metadata of their latches.
std::vector<SourceLocation> loopLocations(const llvm::Function &F);

} // namespace gpuestimate

#endif
