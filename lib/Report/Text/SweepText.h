/// \file
/// Words and cells of a surface that text and page share.
#ifndef GPU_ESTIMATE_LIB_REPORT_TEXT_SWEEPTEXT_H
#define GPU_ESTIMATE_LIB_REPORT_TEXT_SWEEPTEXT_H

#include "gpu-estimate/Scaling/Surface.h"

namespace gpuestimate {

/// "'saxpy' (a.cu:3) on NVIDIA A100: 448 points"
std::string sweepTitle(const Surface &S);
/// Heads of the axes, then time, power, energy, bound.
std::vector<std::string> sweepHeads(const Surface &S);
std::vector<std::string> sweepCells(const Surface &S, size_t Point);
/// Everything that is worth a sentence: extrapolations, assumptions, points
/// that cannot run.
std::vector<std::string> sweepRemarks(const Surface &S);
/// "212 W", "87 mJ"; "-" where it is not known.
std::string formatPower(double Watts);
std::string formatEnergy(double Joules);

} // namespace gpuestimate

#endif
