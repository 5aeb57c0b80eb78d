/// \file
/// The time that a kernel may take, as a user states it:
///
///   1.5ms   20us@nvidia-h200   matmul.*=1.5ms@sm_90
///
/// The highest authority that states a budget for a kernel on a GPU is
/// believed; among its budgets one that names the GPU goes before one that does
/// not, and a later one before an earlier one.
#ifndef GPU_ESTIMATE_SESSION_SETTINGS_BUDGET_H
#define GPU_ESTIMATE_SESSION_SETTINGS_BUDGET_H

#include "gpu-estimate/Model/Result/Analysis.h"
#include "gpu-estimate/Support/Units.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuestimate {

struct Budget {
  std::string KernelRegex;         ///< of the whole name; empty: every kernel
  std::string Gpu;                 ///< as written; empty: every GPU
  std::vector<std::string> GpuIds; ///< what Gpu means, by resolveBudgets()
  Seconds Limit;

  bool isFor(llvm::StringRef GpuId) const;
};

/// "[KERNEL=]TIME[@GPU]". Errors are UsageErrors.
llvm::Expected<Budget> parseBudget(llvm::StringRef Text);

/// Does a regular expression match one of the kernel's names as a whole?
bool matchesKernel(llvm::StringRef WholeRegex, llvm::StringRef Mangled,
                   llvm::StringRef Name);

/// Fills GpuIds; a GPU without a model is a UsageError.
llvm::Error resolveBudgets(std::vector<Budget> &Budgets,
                           llvm::StringRef ModelFolder);

/// A budget with the authority that states it: "command-line", "config",
/// "annotation".
struct ClaimedBudget {
  Budget Claim;
  std::string Source;
};

/// The one that counts on a GPU, or null. Budgets are those of one kernel, of
/// the highest authority first.
const ClaimedBudget *budgetOn(llvm::ArrayRef<ClaimedBudget> Budgets,
                              llvm::StringRef GpuId);

/// P compared with its budget, if it has one.
std::optional<BudgetCheck> checkBudget(llvm::ArrayRef<ClaimedBudget> Budgets,
                                       VerdictRule Rule, const Prediction &P);

} // namespace gpuestimate

#endif
