#include "gpu-estimate/Evaluate/Launch/BlockPhases.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

namespace {

/// Blocks that follow each other in launch order, as far as the sample tells
/// them apart.
struct Stretch {
  double Blocks = 0, Operations = 0;
  double Run = 0; ///< blocks that follow each other without another stretch's
  std::vector<unsigned> SampledBlocks;
  std::vector<double> UntilEnd; ///< as in BlockPhase

  void append(const Stretch &Next) {
    Blocks += Next.Blocks;
    Operations += Next.Operations;
    for (double &Distance : UntilEnd)
      Distance += Next.Run;
    Run += Next.Run;
    llvm::append_range(SampledBlocks, Next.SampledBlocks);
    llvm::append_range(UntilEnd, Next.UntilEnd);
  }
};

/// Difference in work per block up to which stretches are one phase.
constexpr double AlikeWork = 0.05;

bool areAlike(const Stretch &A, const Stretch &B) {
  double WorkA = A.Operations / A.Blocks, WorkB = B.Operations / B.Blocks;
  return std::abs(WorkA - WorkB) <= AlikeWork * std::max(WorkA, WorkB);
}

/// The first dimension in which neighbours do not run together: a whole row of
/// a grid (all blockIdx.x), or a plane, that fits the chip is one stretch.
unsigned dimensionOfStretches(const Launch &L, double BlocksAtOnce) {
  double Row = L.Grid[0], Plane = Row * L.Grid[1];
  return Row >= BlocksAtOnce ? 0 : Plane >= BlocksAtOnce ? 1 : 2;
}

/// The stretches in launch order, those of one row or plane in a list of their
/// own.
std::vector<std::vector<Stretch>>
stretches(const LaunchSample &Sample, const Launch &L, unsigned Dimension,
          llvm::ArrayRef<double> BlockOperations) {
  std::vector<unsigned> Order;
  for (unsigned I = 0; I < Sample.Blocks.size(); ++I)
    Order.push_back(I);
  auto Coordinate = [&](unsigned I, unsigned D) {
    return Sample.Blocks[I].Index[D];
  };
  llvm::stable_sort(Order, [&](unsigned A, unsigned B) {
    for (unsigned D : {2u, 1u, 0u})
      if (Coordinate(A, D) != Coordinate(B, D))
        return Coordinate(A, D) < Coordinate(B, D);
    return false;
  });
  auto Agree = [&](unsigned A, unsigned B, unsigned From) {
    for (unsigned D = From; D < 3; ++D)
      if (Coordinate(A, D) != Coordinate(B, D))
        return false;
    return true;
  };
  std::vector<std::vector<Stretch>> Groups;
  const unsigned *Last = nullptr;
  for (const unsigned &I : Order) {
    if (!Last || !Agree(*Last, I, Dimension + 1))
      Groups.emplace_back();
    if (Groups.back().empty() || !Agree(*Last, I, Dimension))
      Groups.back().emplace_back();
    Stretch &S = Groups.back().back();
    S.Blocks += Sample.Blocks[I].Weight;
    S.Operations += BlockOperations[I];
    S.SampledBlocks.push_back(I);
    Last = &I;
  }
  double GroupSize = 1; // blocks of one row or plane
  for (unsigned D = 0; D <= Dimension; ++D)
    GroupSize *= double(L.Grid[D]);
  for (std::vector<Stretch> &Group : Groups) {
    double Represented = 0;
    for (const Stretch &S : Group)
      Represented += S.Blocks;
    for (Stretch &S : Group) {
      S.Run = S.Blocks / Represented * GroupSize;
      S.UntilEnd.assign(S.SampledBlocks.size(), S.Run);
    }
  }
  return Groups;
}

/// Joins neighbours until each fills the chip.
std::vector<Stretch> fillTheChip(llvm::ArrayRef<Stretch> Group,
                                 double BlocksAtOnce) {
  std::vector<Stretch> Out;
  bool IsFull = true;
  for (const Stretch &S : Group) {
    if (IsFull)
      Out.push_back(S);
    else
      Out.back().append(S);
    IsFull = Out.back().Run >= BlocksAtOnce;
  }
  if (!IsFull && Out.size() > 1) {
    Stretch Rest = std::move(Out.back());
    Out.pop_back();
    Out.back().append(Rest);
  }
  return Out;
}

} // namespace

std::vector<BlockPhase> blockPhases(const LaunchSample &Sample, const Launch &L,
                                    double BlocksAtOnce,
                                    llvm::ArrayRef<double> PathOperations) {
  std::vector<double> BlockOperations(Sample.Blocks.size());
  for (auto [Path, Operations] : llvm::zip_equal(Sample.Paths, PathOperations))
    if (Path.SampledBlock < BlockOperations.size())
      BlockOperations[Path.SampledBlock] += Path.Weight * Operations;

  std::vector<Stretch> Joined;
  unsigned Dimension = dimensionOfStretches(L, BlocksAtOnce);
  for (const auto &Group : stretches(Sample, L, Dimension, BlockOperations))
    for (Stretch &S : fillTheChip(Group, BlocksAtOnce)) {
      if (!Joined.empty() && areAlike(Joined.back(), S))
        Joined.back().append(S);
      else
        Joined.push_back(std::move(S));
    }

  double Blocks = 0, Operations = 0;
  for (const Stretch &S : Joined) {
    Blocks += S.Blocks;
    Operations += S.Operations;
  }
  std::vector<BlockPhase> Phases;
  for (Stretch &S : Joined) {
    PhaseExtent Extent{S.Blocks / Blocks, S.Blocks / Blocks, S.Blocks / S.Run};
    if (Operations > 0)
      Extent.WorkShare = S.Operations / Operations;
    Phases.push_back(
        {Extent, std::move(S.SampledBlocks), std::move(S.UntilEnd)});
  }
  if (Phases.empty())
    Phases.emplace_back();
  return Phases;
}

} // namespace gpuestimate
