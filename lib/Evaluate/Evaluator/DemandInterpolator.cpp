#include "DemandInterpolator.h"

#include <cmath>

namespace gpuestimate {

/// Calls Do with every number of the demand that a time or a report follows,
/// those of its phases first.
template <typename Demand, typename Function>
static void forEachNumber(Demand &D, Function Do) {
  for (auto &P : D.Phases)
    for (auto *Number :
         {&P.Extent.BlockShare, &P.Extent.WorkShare, &P.Extent.Repeats,
          &P.MeanWarp, &P.SlowestWarp, &P.LastWarp})
      Do(*Number);
  Do(D.ColdCycles);
  auto &W = D.Work;
  for (auto &Pipe : W.PipeCycles)
    Do(Pipe);
  for (auto *Number :
       {&W.IssueCycles,    &W.RegisterCycles,     &W.SharedCycles,
        &W.L1Cycles,       &W.L2ReadBytes,        &W.L2WriteBytes,
        &W.L2ReadPackets,  &W.L2WritePackets,     &W.L3Bytes,
        &W.DramReadBytes,  &W.DramWriteBytes,     &W.DramActivationSeconds,
        &W.DramCodeBytes,  &W.LinkReadBytes,      &W.LinkWriteBytes,
        &W.MigratedBytes,  &W.SharedAtomicCycles, &W.GlobalAtomicCycles,
        &W.Count.Barriers, &W.Count.L2Bytes,      &W.Count.DramBytes})
    Do(*Number);
}
static constexpr unsigned NumbersOfPhase = 6, SharesOfPhase = 3;

EvaluatedLaunch::EvaluatedLaunch(double At, const Launch &L,
                                 LaunchDemand Evaluated)
    : At(At), Blocks(L.blocks()), Demand(std::move(Evaluated)) {
  forEachNumber(Demand, [&](double Number) {
    Plain.push_back(Number);
    Logarithm.push_back(std::log(Number));
  });
}

double DemandInterpolator::number(unsigned N, double At, double Blocks,
                                  bool OfGrid) const {
  double A = First.Plain[N], B = Last.Plain[N], Scale = OfGrid ? Blocks : 1;
  if (OfGrid) {
    A /= First.Blocks;
    B /= Last.Blocks;
  }
  if (A == B || Last.At <= First.At)
    return A * Scale;
  // The share of the blocks at an edge grows evenly.
  bool IsShare = N < NumbersOfPhase * First.Demand.Phases.size() &&
                 N % NumbersOfPhase < SharesOfPhase;
  if (IsShare || A <= 0 || B <= 0 || First.At <= 0) {
    double U = (At - First.At) / (Last.At - First.At);
    return (A * (1 - U) + B * U) * Scale;
  }
  double U = std::log(At / First.At) / std::log(Last.At / First.At);
  double OfA = OfGrid ? std::log(A) : First.Logarithm[N];
  double OfB = OfGrid ? std::log(B) : Last.Logarithm[N];
  return std::exp(OfA * (1 - U) + OfB * U) * Scale;
}

std::vector<bool> DemandInterpolator::findOfGrid(
    llvm::ArrayRef<const EvaluatedLaunch *> Checks) const {
  std::vector<bool> OfGrid(First.Plain.size());
  // Shares, and the time of a warp, are no sums over blocks.
  for (unsigned N = NumbersOfPhase * First.Demand.Phases.size();
       N < OfGrid.size(); ++N) {
    std::array<double, 2> Miss = {0, 0};
    for (const EvaluatedLaunch *Check : Checks)
      for (bool PerBlock : {false, true})
        Miss[PerBlock] =
            std::max(Miss[PerBlock],
                     std::abs(number(N, Check->At, Check->Blocks, PerBlock) -
                              Check->Plain[N]));
    OfGrid[N] = Miss[1] < Miss[0];
  }
  return OfGrid;
}

LaunchDemand DemandInterpolator::demand(double At, double Blocks,
                                        const std::vector<bool> &OfGrid) const {
  LaunchDemand Out;
  Out.Phases.resize(First.Demand.Phases.size());
  unsigned N = 0;
  forEachNumber(Out, [&](double &Number) {
    Number = number(N, At, Blocks, OfGrid[N]);
    ++N;
  });
  return Out;
}

} // namespace gpuestimate
