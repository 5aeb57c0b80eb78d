/// \file
/// time(th, lat) of Kleimenov & Popova 2021 as a formula: the walk of
/// WalkRule::Published (Timing.h) with symbols in place of numbers.
///
///   clock        = max( clock, operands ready )
///   ready(op)    = clock + (Count - Chain) * del.X + Chain * lat.X
///   clock       += Count * del.X
///   loop         = trip count * time of two iterations / 2      (figure 3)
///   block, loop that a share s enters:
///                  s * time if entered
///
/// Example, figure 3 of the paper: the loop `temp = temp * 1.3 + 8.0 + p` gives
///   trip*(2*lat.fp64_mul + 2*lat.fp64_add + ... + max(lat.fp64_add, ...))/2
#ifndef GPU_ESTIMATE_LIB_EVALUATE_MODELS_TIMEFORMULA_H
#define GPU_ESTIMATE_LIB_EVALUATE_MODELS_TIMEFORMULA_H

#include "FormulaTerms.h"
#include "gpu-estimate/Evaluate/Warp/Costs.h"

namespace gpuestimate {

struct TimeFormula {
  Expr Cycles;
  double Value = 0;      ///< of Cycles on the path that was walked
  unsigned Blocks = 0;   ///< basic blocks that it holds; the first ones
  bool HasMaxima = true; ///< false: each maximum is the operand that was
                         ///< larger on the path
};

/// Printed nodes up to which a formula with maxima is readable.
inline constexpr size_t ReadableNodes = 400;

/// Cycles of a thread alone. Path: the warp whose values decide maxima where
/// the formula with all of them would have more nodes.
TimeFormula buildTimeFormula(const KernelModel &Kernel,
                             const OperationCosts &Costs,
                             const WarpConditions &Conditions,
                             const WarpPath &Path, FormulaTerms &Terms,
                             size_t MaxNodesWithMaxima = ReadableNodes);

} // namespace gpuestimate

#endif
