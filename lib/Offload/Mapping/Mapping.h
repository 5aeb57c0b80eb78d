/// \file
/// Chooses the loops of a nest that become thread coordinates.
#ifndef GPU_ESTIMATE_LIB_OFFLOAD_MAPPING_MAPPING_H
#define GPU_ESTIMATE_LIB_OFFLOAD_MAPPING_MAPPING_H

#include "Offload/Dependence/LoopDependences.h"
#include "Offload/Outline/OutlinedKernel.h"

namespace gpuestimate {

struct NestMapping {
  std::vector<unsigned> Loops; ///< indices into HostLoopNest::Loops, x first
  std::string Refusal;         ///< why there is no mapping; a whole clause
  SourceLocation RefusedAt;
  /// Reductions over these loops.
  std::vector<ReductionUpdate> Updates;
  /// The only loop is a scan: this update uses the previous result.
  std::optional<ReductionUpdate> Scan;
  /// Assumptions for the report: unproven independence, reductions.
  std::vector<std::string> Assumed;
};

/// AssertIndependent: the user asserts that the loops are independent.
NestMapping chooseMapping(const IrLoopNest &Code,
                          const LoopDependences &Dependences,
                          bool AssertIndependent);

} // namespace gpuestimate

#endif
