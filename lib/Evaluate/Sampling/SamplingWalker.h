/// \file
/// The walk of sampled warps through the region tree.
///
/// A warp carries a mask: the probability that the warp comes by at all
/// (Uniform) and, given that, the probability of each lane, taken as
/// independent. Known conditions make probabilities of 0 and 1, so that the
/// walk is exact where nothing is data-dependent.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_SAMPLING_SAMPLINGWALKER_H
#define GPU_ESTIMATE_LIB_EVALUATE_SAMPLING_SAMPLINGWALKER_H

#include "DrawnRequests.h"
#include "RememberedRequests.h"
#include "SamplingPlan.h"
#include "gpu-estimate/Evaluate/Sampling/Sampling.h"
#include "llvm/ADT/bit.h"

namespace gpuestimate {

struct LaneMask {
  double Uniform = 1;
  double Warp =
      0; ///< expected executions by the warp: Uniform * (1 - prod(1 - p))
  double Threads = 0; ///< ... by threads: Uniform * sum(p)
  /// No lane has a probability between 0 and 1: bit l of Bits is that of lane
  /// l, and Lane is not set.
  bool Certain = true;
  uint64_t Bits = 0;
  std::array<double, MaxLanes> Lane;

  LaneMask() {}
  LaneMask(const LaneMask &Other) { *this = Other; }
  LaneMask &operator=(const LaneMask &Other) {
    Uniform = Other.Uniform;
    Warp = Other.Warp;
    Threads = Other.Threads;
    Certain = Other.Certain;
    Bits = Other.Bits;
    if (!Certain)
      Lane = Other.Lane;
    return *this;
  }
  double chance(unsigned L) const { return Certain ? Bits >> L & 1 : Lane[L]; }

  void setBits(uint64_t On) {
    Certain = true;
    Bits = On;
    Warp = On ? Uniform : 0;
    Threads = Uniform * llvm::popcount(On);
  }
  /// Derives the rest from Uniform and the first Lanes of Lane.
  void countLanes(unsigned Lanes) {
    double None = 1, Sum = 0;
    uint64_t On = 0;
    Certain = true;
    for (unsigned L = 0; L < Lanes; ++L) {
      None *= 1 - Lane[L];
      Sum += Lane[L];
      Certain &= Lane[L] == 0 || Lane[L] == 1;
      On |= uint64_t(Lane[L] == 1) << L;
    }
    if (Certain)
      return setBits(On);
    Warp = Uniform * (1 - None);
    Threads = Uniform * Sum;
  }
  bool empty() const { return Threads <= 0; }
};

class WarpWalker {
public:
  using Seen = std::vector<std::optional<SeenRequests>>;
  /// SeenHere: [access] what is known of its requests, or empty. Shapes: null
  /// where it does not matter what requests cost.
  WarpWalker(BoundKernel &Bound, const GpuModel &Gpu, LaunchSample &Sample,
             const Seen &SeenHere, RequestShapes *Shapes);
  /// Adds one warp of the given weight; Budget in lane evaluations.
  void walk(const WarpPosition &P, double Weight, double Budget);

private:
  void walkScope(int Loop, const LaneMask &M, double Share, double Budget,
                 uint64_t Salt);
  void walkLoop(unsigned Loop, const LaneMask &M, double Share, double Budget,
                uint64_t Salt);
  void walkRound(unsigned Loop, const LaneMask &M, const SamplePoint &P,
                 double Iterations, double Budget, uint64_t Salt);
  void countAccess(unsigned Access, const LaneMask &M, double Share,
                   uint64_t Salt);
  LaneMask restrict(const LaneMask &M, uint64_t On) const;
  LaneMask restrict(const LaneMask &M, llvm::ArrayRef<double> Active,
                    bool WarpUniform) const;
  /// False when the budget of work is exhausted.
  bool spend(double LaneEvaluations);
  /// Of lanes with Least to Most iterations.
  std::vector<SamplePoint> iterations(unsigned Loop, uint64_t Least,
                                      uint64_t Most, double Budget,
                                      uint64_t Salt) const;

  BoundKernel &Bound;
  const KernelModel &Kernel;
  LaunchSample &Sample;
  const Seen &SeenHere;
  std::optional<RememberedRequests> Requests;
  std::optional<DrawnRequests> Drawn; ///< where values are
  unsigned Lanes;
  std::vector<double> Cost; ///< [loop] of one pass through its subtree
  std::vector<unsigned>
      Depth;           ///< [loop] loops that vary, on the longest way down
  double Unspent = 0;  ///< lane evaluations not yet spent from the budget
  bool Ended = false;  ///< the budget of work is exhausted
  unsigned Splits = 0; ///< loops around the walk that took one point per part
  double Weight = 0;   ///< of the current warp
  std::vector<double> BlockRuns, LoopEntries, LoopRuns; ///< of the current warp
  WarpPath Path;                                        ///< likewise
};

} // namespace gpuestimate

#endif
