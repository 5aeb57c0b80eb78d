/// \file
/// Abstract execution of sampled warps over the region tree of a kernel.
///
/// A warp has an active mask with probabilities: that of the whole warp
/// (Uniform) and, given that, of each lane, assumed to be independent. Known
/// conditions have probabilities 0 and 1, so that the result is exact if no
/// condition is data-dependent.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_SAMPLING_WARPSAMPLER_H
#define GPU_ESTIMATE_LIB_EVALUATE_SAMPLING_WARPSAMPLER_H

#include "ExecutedFlow.h"
#include "IndirectRequestCosts.h"
#include "RequestCostCache.h"
#include "SamplingPlan.h"
#include "gpu-estimate/Evaluate/Sampling/Sampling.h"
#include "llvm/ADT/bit.h"

namespace gpuestimate {

/// Active mask of a warp, with probabilities.
struct LaneMask {
  /// Probability that the warp executes the region at all.
  double Uniform = 1;
  double Warp =
      0; ///< expected executions by the warp: Uniform * (1 - prod(1 - p))
  double Threads = 0; ///< ... by threads: Uniform * sum(p)
  /// All lanes have probability 0 or 1: bit l of Bits is that of lane l, and
  /// Lane is not set.
  bool Certain = true;
  uint64_t Bits = 0;
  std::array<double, MaxLanes> Lane; ///< probability of each lane

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
  double probability(unsigned L) const {
    return Certain ? Bits >> L & 1 : Lane[L];
  }

  void setBits(uint64_t ActiveLanes) {
    Certain = true;
    Bits = ActiveLanes;
    Warp = ActiveLanes ? Uniform : 0;
    Threads = Uniform * llvm::popcount(ActiveLanes);
  }
  /// Derives the other fields from Uniform and the first Lanes elements of
  /// Lane.
  void countLanes(unsigned Lanes) {
    double None = 1, Sum = 0;
    uint64_t ActiveLanes = 0;
    Certain = true;
    for (unsigned L = 0; L < Lanes; ++L) {
      None *= 1 - Lane[L];
      Sum += Lane[L];
      Certain &= Lane[L] == 0 || Lane[L] == 1;
      ActiveLanes |= uint64_t(Lane[L] == 1) << L;
    }
    if (Certain)
      return setBits(ActiveLanes);
    Warp = Uniform * (1 - None);
    Threads = Uniform * Sum;
  }
  bool empty() const { return Threads <= 0; }
};

/// Whether both take the same branches, and every loop equally often.
bool haveEqualControlFlow(const WarpPath &A, const WarpPath &B);
/// Appends the path, or adds its weight to the last one if that belongs to the
/// same thread block and has equal control flow.
void appendPath(std::vector<WarpPath> &Paths, const WarpPath &Path);

/// Executes sampled warps and adds their counts to a LaunchSample.
class WarpSampler {
public:
  using ExecutedCosts = std::vector<std::optional<ExecutedRequests>>;
  /// Executed: [access] its executed requests, or empty. Flow: how many lanes
  /// execute blocks together. Tables: null if only the number of requests is
  /// wanted, not their cost.
  WarpSampler(LaneState &State, const GpuModel &Gpu, LaunchSample &Sample,
              const ExecutedCosts &Executed, const ExecutedFlow &Flow,
              RequestCostTables *Tables);
  /// Adds one warp of the sampled block Block with the given weight; Budget in
  /// lane evaluations.
  void sample(const WarpPosition &P, unsigned Block, double Weight,
              double Budget);

private:
  void sampleScope(int Loop, const LaneMask &M, double Share, double Budget,
                   uint64_t Salt);
  void sampleLoop(unsigned Loop, const LaneMask &M, double Share, double Budget,
                  uint64_t Salt);
  void sampleIteration(unsigned Loop, const LaneMask &M, const SamplePoint &P,
                       double Iterations, double Budget, uint64_t Salt);
  void countAccess(unsigned Access, const LaneMask &M, double Share,
                   uint64_t Salt);
  void countWait(unsigned Wait, const LaneMask &M, double Share);
  LaneMask restrict(const LaneMask &M, uint64_t ActiveLanes) const;
  LaneMask restrict(const LaneMask &M, llvm::ArrayRef<double> Active,
                    bool WarpUniform) const;
  /// The mask with Mean active lanes at a time, by as many warps.
  LaneMask withMeanLanes(const LaneMask &M, double Mean) const;
  /// Charges the work budget; false when it is exhausted.
  bool spend(double LaneEvaluations);
  /// Samples the iterations of a loop whose lanes have MinTrips to MaxTrips.
  std::vector<SamplePoint> sampleIterations(unsigned Loop, uint64_t MinTrips,
                                            uint64_t MaxTrips, double Budget,
                                            uint64_t Salt) const;

  LaneState &State;
  const LaunchProgram &Program;
  const KernelModel &Kernel;
  const GpuModel &Gpu;
  LaunchSample &Sample;
  const ExecutedCosts &Executed;
  const ExecutedFlow &Flow;
  std::optional<RequestCostCache> Requests;
  std::optional<IndirectRequestCosts> IndirectRequests;
  unsigned Lanes;
  std::vector<double> Cost; ///< [loop] of one iteration, with inner loops
  std::vector<unsigned>
      Depth; ///< [loop] deepest nest of loops that vary, itself included
  double Unspent = 0;  ///< lane evaluations not yet charged
  bool Ended = false;  ///< the work budget is exhausted
  unsigned Splits = 0; ///< current loops sampled in two parts
  double Weight = 0;   ///< of the current warp
  /// Executions by the current warp, [block], [loop], [loop]; cycles, [wait].
  std::vector<double> BlockRuns, LoopEntries, LoopRuns, WaitCycles;
  WarpPath Path; ///< of the current warp
};

} // namespace gpuestimate

#endif
