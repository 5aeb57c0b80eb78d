/// \file
/// Which loops of a nest become thread coordinates.
#ifndef GPU_ESTIMATE_LIB_OFFLOAD_MAPPING_H
#define GPU_ESTIMATE_LIB_OFFLOAD_MAPPING_H

#include "Outline.h"
#include "gpu-estimate/Offload/Dependences.h"

namespace gpuestimate {

struct NestMapping {
  std::vector<unsigned> Loops; ///< indices into HostNest::Loops, x first
  std::string Refusal;         ///< why there is none; a whole clause
  SourceLocation RefusedAt;
  /// What was not proven: texts for assumptions.
  std::vector<std::string> Assumed;
};

/// Vouched: the user says that the loops are independent.
NestMapping chooseMapping(const NestCode &Code,
                          const LoopDependences &Dependences, bool Vouched);

} // namespace gpuestimate

#endif
