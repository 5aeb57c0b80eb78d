/// \file
/// Interpolation of what a launch demands between two launches of a line
/// (LaunchSweep.h).
#ifndef GPU_ESTIMATE_LIB_EVALUATE_EVALUATOR_DEMANDINTERPOLATOR_H
#define GPU_ESTIMATE_LIB_EVALUATE_EVALUATOR_DEMANDINTERPOLATOR_H

#include "gpu-estimate/Evaluate/Launch/LaunchCycles.h"
#include <vector>

namespace gpuestimate {

/// A launch that has been evaluated.
struct EvaluatedLaunch {
  EvaluatedLaunch(double At, const Launch &L, LaunchDemand Evaluated);

  double At;     ///< the number that the line follows
  double Blocks; ///< of the grid
  LaunchDemand Demand;
  std::vector<double> Plain, Logarithm; ///< of the demand's numbers
};

/// The ends stay owned by the caller and have equally many phases.
class DemandInterpolator {
public:
  DemandInterpolator(const EvaluatedLaunch &First, const EvaluatedLaunch &Last)
      : First(First), Last(Last) {}

  /// Numbers that follow the grid, by what was evaluated between the ends: they
  /// are interpolated per block, the others per launch.
  std::vector<bool>
  findOfGrid(llvm::ArrayRef<const EvaluatedLaunch *> Checks) const;
  LaunchDemand demand(double At, double Blocks,
                      const std::vector<bool> &OfGrid) const;

private:
  double number(unsigned N, double At, double Blocks, bool OfGrid) const;

  const EvaluatedLaunch &First, &Last;
};

} // namespace gpuestimate

#endif
