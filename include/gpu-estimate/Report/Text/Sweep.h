/// \file
/// Surfaces of `gpu-estimate sweep`.
#ifndef GPU_ESTIMATE_REPORT_TEXT_SWEEP_H
#define GPU_ESTIMATE_REPORT_TEXT_SWEEP_H

#include "gpu-estimate/Report/Text/SpacePart.h"
#include "gpu-estimate/Scaling/Surface.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

/// Prints for each surface the best points, the Pareto front, and Top points
/// (0: all), or the times of a surface of two axes as a matrix.
void printSweepText(llvm::raw_ostream &OS, llvm::ArrayRef<Surface> Surfaces,
                    const SurfaceLimits &Limits, size_t Top);

/// Prints one row for each point that has a time: kernel, gpu, a column for
/// each axis with its unit, time_ms, power_w, energy_j, bottleneck. Power and
/// energy are empty where the GPU states no energies. The surfaces have the
/// same axes.
void printSweepCsv(llvm::raw_ostream &OS, llvm::ArrayRef<Surface> Surfaces);

/// Prints {"schema": "gpu-estimate-sweep/1", "surfaces": [...]}. A part has the
/// points that were tried, with their numbers, and the limits, but neither best
/// points nor a front, which are those of the whole.
void printSweepJson(llvm::raw_ostream &OS, llvm::ArrayRef<Surface> Surfaces,
                    const SurfaceLimits &Limits, llvm::StringRef ToolVersion,
                    const SpacePart &Part = {});

/// Prints a page with surface and contour plots.
void printSweepHtml(llvm::raw_ostream &OS, llvm::ArrayRef<Surface> Surfaces,
                    const SurfaceLimits &Limits, llvm::StringRef ToolVersion);

} // namespace gpuestimate

#endif
