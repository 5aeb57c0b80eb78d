/// \file
/// Which loops of a nest become thread coordinates.
#ifndef GPU_ESTIMATE_LIB_OFFLOAD_MAPPING_MAPPING_H
#define GPU_ESTIMATE_LIB_OFFLOAD_MAPPING_MAPPING_H

#include "Offload/Dependence/Dependences.h"
#include "Offload/Outline/Outline.h"

namespace gpuestimate {

struct NestMapping {
  std::vector<unsigned> Loops; ///< indices into HostNest::Loops, x first
  std::string Refusal;         ///< why there is none; a whole clause
  SourceLocation RefusedAt;
  /// Through which iterations of these loops meet, and are combined.
  std::vector<LoopUpdate> Updates;
  /// The one loop is a scan: each iteration applies this to what came before.
  std::optional<LoopUpdate> Scan;
  /// What was not proven, and what becomes of updates: texts for assumptions.
  std::vector<std::string> Assumed;
};

/// Vouched: the user says that the loops are independent.
NestMapping chooseMapping(const NestCode &Code,
                          const LoopDependences &Dependences, bool Vouched);

} // namespace gpuestimate

#endif
