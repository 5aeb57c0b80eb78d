/// \file
/// Phis at the end of an if/else or of two cases of a switch.
#ifndef GPU_ESTIMATE_LIB_LOWERING_VALUES_JOINS_H
#define GPU_ESTIMATE_LIB_LOWERING_VALUES_JOINS_H

#include "Likelihood.h"
#include "Lowering/Pipeline/Analyses.h"
#include "llvm/IR/Instructions.h"

namespace gpuestimate {

/// A two-way choice: the phi is IfTrue where Condition holds, else IfFalse.
struct Join {
  const llvm::Value *Condition = nullptr, *IfTrue = nullptr, *IfFalse = nullptr;
  /// Set: IfTrue is chosen where Condition equals this case of a switch.
  const llvm::ConstantInt *Case = nullptr;
};

/// The branch or case of a switch that selects the value of Phi. Condition is
/// null where no single one does.
Join findJoin(const llvm::PHINode &Phi, const KernelAnalyses &A);

/// How likely the condition of a join is, where it depends on data.
Likelihood likelihood(const Join &J);

} // namespace gpuestimate

#endif
