/// \file
/// The CPI stack of a prediction: cycles that a resident warp spends for each
/// instruction that it issues, by component of the breakdown,
///
///   CPI(component) = fraction(component) * WarpCyclesPerInstruction
///
/// Their sum is what Nsight Compute calls warp cycles per issued instruction,
/// and the table says which of its stall reasons a component stands for.
#ifndef GPU_ESTIMATE_ADVICE_CPISTACK_H
#define GPU_ESTIMATE_ADVICE_CPISTACK_H

#include "gpu-estimate/Model/Result/Prediction.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace gpuestimate {

/// One component that some model's breakdown has.
struct ComponentInfo {
  llvm::StringRef Name;
  /// Components of models that divide the time otherwise stand under the one
  /// that includes them: dram-queue under dram.
  llvm::StringRef Group;
  llvm::StringRef Meaning;
  llvm::StringRef StallReasons; ///< Nsight Compute's, "Long Scoreboard"
  llvm::StringRef Demand;       ///< what lines are charged by (LineCosts.h)
};
llvm::ArrayRef<ComponentInfo> componentTable();

/// The Group of a component; its own name where the table lacks it.
llvm::StringRef componentGroup(llvm::StringRef Component);

/// Component -> cycles per instruction, in the order of the breakdown. Empty
/// where no instruction was issued.
std::vector<std::pair<std::string, double>> cpiStack(const Prediction &P);

/// The page docs/cpi-stack.md.
std::string cpiStackReference();

} // namespace gpuestimate

#endif
