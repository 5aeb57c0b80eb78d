/// \file
/// How a kernel moves from one card to another, by what bounds it.
///
/// Work is the same on both cards, so a kernel that a resource bounds on both
/// takes
///
///   time on B / time on A = rate of A / rate of B
///
/// for throughputs, and latency of B / latency of A for latencies, both in
/// seconds. Example: V100 reads DRAM at 866 GB/s, T4 at 240: 3.6 times as long.
/// A kernel whose bound changes on the way lies between the ratios of the two.
#ifndef GPU_ESTIMATE_SCALING_CARDRATIO_H
#define GPU_ESTIMATE_SCALING_CARDRATIO_H

#include "gpu-estimate/Model/Machine/GpuModel.h"

namespace gpuestimate {

/// One resource of both cards.
struct CardRatio {
  std::string Bound; ///< as Prediction::Bottleneck calls it, or "latency of L2"
  double OfA = 0, OfB = 0;
  std::string Unit; ///< of both: "GB/s", "ns"
  /// Time on B over time on A of a kernel that it bounds on both.
  double Time = 0;
};

/// Resources that both cards have.
std::vector<CardRatio> cardRatios(const GpuModel &A, const GpuModel &B);

} // namespace gpuestimate

#endif
