#include "WarpPaths.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

static double sumOverBody(const KernelModel &Kernel,
                          const std::vector<RegionNode> &Body,
                          const WarpPath &P,
                          llvm::function_ref<double(unsigned)> Value) {
  double Sum = 0;
  for (const RegionNode &I : Body)
    if (I.Kind == RegionNode::IsBlock)
      Sum += P.BlockShare[I.Index] * Value(I.Index);
    else
      Sum += P.LoopShare[I.Index] * P.LoopTrips[I.Index] *
             sumOverBody(Kernel, Kernel.Loops[I.Index].Body, P, Value);
  return Sum;
}

double sumOverPath(const KernelModel &Kernel, const WarpPath &Path,
                   llvm::function_ref<double(unsigned)> Value) {
  return sumOverBody(Kernel, Kernel.Body, Path, Value);
}

/// Operations on a path; a cycle of waiting counts as one.
static double pathOperations(const KernelModel &Kernel, const WarpPath &P) {
  return sumOverPath(Kernel, P, [&](unsigned Block) {
    const BasicBlock &B = Kernel.Blocks[Block];
    double Length = B.EndOp - B.FirstOp;
    for (unsigned W = 0; W < Kernel.Waits.size(); ++W)
      if (Kernel.Waits[W].Block == Block)
        Length += P.WaitCycles[W];
    return Length;
  });
}

PathClasses classifyPaths(const KernelModel &Kernel,
                          llvm::ArrayRef<WarpPath> Paths, unsigned MaxClasses) {
  std::vector<std::pair<double, unsigned>> ByLength;
  for (unsigned I = 0; I < Paths.size(); ++I)
    ByLength.push_back({pathOperations(Kernel, Paths[I]), I});
  std::stable_sort(ByLength.begin(), ByLength.end(),
                   [](auto &A, auto &B) { return A.first < B.first; });
  PathClasses Result;
  Result.Operations.resize(Paths.size());
  for (auto [Length, I] : ByLength)
    Result.Operations[I] = Length;
  Result.Class.resize(Paths.size());
  std::vector<unsigned> Unique;
  for (auto [Length, I] : ByLength) {
    const WarpPath &P = Paths[I];
    auto Same = [&](unsigned Other) {
      const WarpPath &Q = Paths[Other];
      return P.BlockShare == Q.BlockShare && P.LoopShare == Q.LoopShare &&
             P.LoopTrips == Q.LoopTrips && P.WaitCycles == Q.WaitCycles &&
             P.Participation == Q.Participation;
    };
    if (Unique.empty() || !Same(Unique.back()))
      Unique.push_back(I);
    Result.Class[I] = Unique.size() - 1;
  }
  unsigned Kept = std::min<unsigned>(Unique.size(), MaxClasses);
  double Last = Unique.size() - 1.0;
  for (unsigned K = 0; K < Kept; ++K)
    Result.Paths.push_back(
        Unique[Kept == 1 ? 0 : std::lround(K * Last / (Kept - 1))]);
  for (unsigned &Class : Result.Class)
    Class = Last > 0 ? std::lround(Class * (Kept - 1) / Last) : 0;
  return Result;
}

} // namespace gpuestimate
