/// \file
/// Puts the parts of a space together that `tune` or `sweep` has tried apart,
/// with `--shard I/N --format json`.
#ifndef GPU_ESTIMATE_REPORT_RECORDS_SPACEPARTS_H
#define GPU_ESTIMATE_REPORT_RECORDS_SPACEPARTS_H

#include "gpu-estimate/Advice/Tuning.h"
#include "gpu-estimate/Scaling/Surface.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace gpuestimate {

/// Is File a result of `tune`, or of `sweep`, in JSON?
bool isTuningResult(llvm::StringRef File);
bool isSweepResult(llvm::StringRef File);

/// The tunings of all files, one for each GPU, ranked anew. Errors name the
/// file: it is no such result, is of another space, repeats a part, or a part
/// is missing.
llvm::Expected<std::vector<Tuning>>
mergeTunings(llvm::ArrayRef<std::string> Files);

struct MergedSweep {
  std::vector<Surface> Surfaces;
  SurfaceLimits Limits;
};

/// The surfaces of all parts, one for each kernel and GPU. Errors: as those of
/// mergeTunings().
llvm::Expected<MergedSweep> mergeSweeps(llvm::ArrayRef<std::string> Files);

} // namespace gpuestimate

#endif
