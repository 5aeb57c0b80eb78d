/// \file
/// The CPI stack of a prediction: cycles that a resident warp spends for each
/// instruction that it issues, by component of the breakdown,
///
///   CPI(component) = fraction(component) * WarpCyclesPerInstruction
///
/// Their sum is Nsight Compute's "warp cycles per issued instruction";
/// componentTable() maps each component to its stall reasons.
#ifndef GPU_ESTIMATE_ADVICE_CPISTACK_H
#define GPU_ESTIMATE_ADVICE_CPISTACK_H

#include "gpu-estimate/Model/Result/Prediction.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace gpuestimate {

/// One component of the breakdown of some performance model.
struct ComponentInfo {
  llvm::StringRef Name;
  /// Component that includes this one, for models that divide the time further:
  /// dram for dram-queue.
  llvm::StringRef Group;
  llvm::StringRef Meaning;
  llvm::StringRef StallReasons; ///< Nsight Compute's, "Long Scoreboard"
  llvm::StringRef Demand; ///< demand that charges source lines (LineCosts.h)
};
llvm::ArrayRef<ComponentInfo> componentTable();

/// Returns the group of a component, or its own name if the table lacks it.
llvm::StringRef componentGroup(llvm::StringRef Component);

/// Returns cycles per instruction by component, in the order of the breakdown.
/// Empty if no instruction was issued.
std::vector<std::pair<std::string, double>> cpiStack(const Prediction &P);

/// The page docs/cpi-stack.md.
std::string cpiStackReference();

} // namespace gpuestimate

#endif
