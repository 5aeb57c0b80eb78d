#include "gpu-estimate/Model/Kernel/ExecutedConsistency.h"

#include "gpu-estimate/Support/Invariants.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

static constexpr double MaxLanes = 64;

static void checkWarp(InvariantList &Rules, const ExecutedWarp &W,
                      const ExecutedLaunch &Executed) {
  Rules.require(W.Weight > 0, "a warp stands for no warp");
  Rules.require(W.BlockShare.size() == Executed.Blocks &&
                    W.LoopShare.size() == Executed.Loops &&
                    W.LoopTrips.size() == Executed.Loops,
                "a warp is of another kernel");
  for (double Share : W.BlockShare)
    Rules.fraction("the share of a block", Share);
  for (double Share : W.LoopShare)
    Rules.fraction("the share of a loop", Share);
  for (double Trips : W.LoopTrips)
    Rules.amount("a trip count", Trips);
}

static void checkReuse(InvariantList &Rules, const SectorReuse &R) {
  double Bytes = 0;
  for (const SectorReuse::Class &C : R.Classes) {
    Rules.amount("a number of reused sectors", C.Sectors);
    Rules.within("a reuse distance", Bytes, C.Bytes);
    Bytes = C.Bytes;
  }
  Rules.amount("the number of first uses", R.FirstUses);
  Rules.within("the sectors that no other block used", R.Union, R.Footprint);
  Rules.within("the lines that no other block used", R.UnionLines,
               R.FootprintLines);
  Rules.within("the lines of sectors", R.FootprintLines, R.Footprint);
}

std::string checkExecuted(const ExecutedLaunch &Executed,
                          const KernelModel &Kernel) {
  InvariantList Rules;
  Rules.require(Executed.isAbout(Kernel), "it is about another kernel");
  for (const ExecutedWarp &W : Executed.Warps)
    checkWarp(Rules, W, Executed);
  for (double Lanes : Executed.BlockLanes) {
    Rules.amount("a number of lanes", Lanes);
    Rules.within("a number of lanes", Lanes, MaxLanes);
  }
  for (const ExecutedCounts &C : Executed.Counts) {
    Rules.amount("a number of requests", C.Requests);
    Rules.amount("a number of sectors", C.Sectors);
    Rules.within("the lanes of requests", C.Lanes, C.Requests * MaxLanes);
  }
  for (const ExecutedReuse &R : Executed.Reuse) {
    checkReuse(Rules, R.AmongLoads);
    checkReuse(Rules, R.AmongAll);
  }
  Rules.within("the number of traced warps", Executed.TracedWarps,
               Executed.RepresentedWarps);
  return Rules.take();
}

} // namespace gpuestimate
