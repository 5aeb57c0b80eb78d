/// \file
/// The expressions of a kernel with the parameters of one launch substituted.
///
/// What remains free are the coordinates of a thread, the loop counters and the
/// indirect indices (IndirectIndices.h). Example: with blocks of 256 threads
/// and n = 1000,
///
///   blockIdx.x * blockDim.x + threadIdx.x < n   becomes
///   256 * blockIdx.x + threadIdx.x < 1000
///
/// and a condition that always holds becomes null.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_ACCESS_LAUNCHEXPRESSIONS_H
#define GPU_ESTIMATE_LIB_EVALUATE_ACCESS_LAUNCHEXPRESSIONS_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Model/Kernel/Launch.h"
#include "gpu-estimate/Symbolic/Expr.h"
#include <memory>

namespace gpuestimate {

struct LaunchExpressions {
  /// All: values of all free parameters, as for sampleLaunch.
  LaunchExpressions(const KernelModel &Kernel, const Launch &L,
                    const Bindings &All);

  const KernelModel &Kernel;
  Bindings Values; ///< All, blockDim and gridDim
  /// Private to this object: the kernel's context is shared and must not grow
  /// with every launch that is bound.
  std::unique_ptr<ExprContext> Context;
  std::vector<Expr> BlockActive; ///< [block] null: always executed
  std::vector<Expr> LoopActive;  ///< [loop] null: always entered
  std::vector<Expr> Trips;       ///< [loop] null: unknown
  std::vector<Expr> Addresses;   ///< [access] null: unknown
  std::vector<Expr> WaitLengths; ///< [wait]
  std::vector<int> LoopOfBlock;  ///< [block] the innermost loop; -1: none
};

} // namespace gpuestimate

#endif
