/// \file
/// Puts the parts of a space together that `sweep --shard I/N --format json`
/// has predicted apart.
#ifndef GPU_ESTIMATE_REPORT_RECORDS_SWEEPPARTS_H
#define GPU_ESTIMATE_REPORT_RECORDS_SWEEPPARTS_H

#include "gpu-estimate/Scaling/Surface.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace gpuestimate {

/// Is File a result of `sweep` in JSON?
bool isSweepResult(llvm::StringRef File);

struct MergedSweep {
  std::vector<Surface> Surfaces;
  SurfaceLimits Limits;
};

/// The surfaces of all parts. Errors name the file: it is no part of a sweep,
/// is of another space, repeats a part, or a part is missing.
llvm::Expected<MergedSweep> mergeSweeps(llvm::ArrayRef<std::string> Files);

} // namespace gpuestimate

#endif
