#include "ReuseTrace.h"

#include "Trace.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuestimate {

/// Uses of sectors, and reuses of loads, that a launch keeps: a second of this
/// machine, and 300 KB of a saved run before compression.
static constexpr size_t MaxUsesOfLaunch = 1 << 20, MaxReusesOfLaunch = 1 << 15,
                        MaxReusesOfLoad = 256;
static constexpr uint64_t LineBytes = 128;

//===----------------------------------------------------------------------===//
// LineStack
//===----------------------------------------------------------------------===//

void LineStack::count(uint32_t At, int By) {
  for (; At < Tree.size(); At += At & -At)
    Tree[At] += By;
}

uint32_t LineStack::usedUntil(uint32_t At) const {
  uint32_t Sum = 0;
  for (; At > 0; At -= At & -At)
    Sum += Tree[At];
  return Sum;
}

void LineStack::use(ArrayRef<uint64_t> Sectors,
                    SmallVectorImpl<uint32_t> &Distances,
                    SmallVectorImpl<bool> &NewLines) {
  Distances.clear();
  NewLines.clear();
  for (auto Next = Sectors.begin(); Next != Sectors.end();) {
    uint64_t Number = *Next / SectorsPerLine;
    Line &L = Lines[Number];
    bool IsNew = L.LastUse == 0;
    if (!IsNew) {
      uint32_t Distance = uint32_t(Lines.size()) - usedUntil(L.LastUse);
      count(L.LastUse, -1);
      for (uint32_t &Largest : L.Largest)
        if (Largest != Never)
          Largest = std::max(Largest, Distance);
    }
    count(L.LastUse = ++Time, 1);
    for (; Next != Sectors.end() && *Next / SectorsPerLine == Number; ++Next) {
      uint32_t &Largest = L.Largest[*Next % SectorsPerLine];
      Distances.push_back(Largest);
      NewLines.push_back(std::exchange(IsNew, false));
      Largest = 0;
    }
  }
}

//===----------------------------------------------------------------------===//
// ReuseTrace
//===----------------------------------------------------------------------===//

ReuseTrace::ReuseTrace(size_t Blocks, size_t Warps, size_t Loads)
    : MaxUses(MaxUsesOfLaunch / std::max<size_t>(1, Blocks)),
      MaxReuses(std::min(
          MaxReusesOfLoad,
          std::max<size_t>(16, MaxReusesOfLaunch /
                                   std::max<size_t>(1, Warps * Loads)))) {}

void ReuseTrace::Sum::add(uint32_t Lines, double Weight) {
  if (Lines == LineStack::Never) {
    Result.FirstUses += Weight;
    return;
  }
  auto &Class = Classes[bit_width(Lines)];
  Class.Lines += Weight * Lines;
  Class.Sectors += Weight;
}

RunTrace::Reuse ReuseTrace::Sum::result() const {
  RunTrace::Reuse R = Result;
  for (const auto &Class : Classes) {
    if (Class.Sectors <= 0)
      continue;
    R.Bytes.push_back(Class.Lines / Class.Sectors * LineBytes);
    R.Sectors.push_back(Class.Sectors);
  }
  return R;
}

void ReuseTrace::add(ArrayRef<const WarpTrace *> Traces,
                     MutableArrayRef<RunTrace::Warp> Warps, uint64_t Shared,
                     uint64_t SharedEnd) {
  // Requests to global memory in the order of execution, by warp.
  std::vector<std::vector<uint32_t>> Orders;
  double All = 0;
  uint32_t Rounds = 0;
  for (const WarpTrace *T : Traces) {
    std::vector<uint32_t> &Order = Orders.emplace_back();
    for (uint32_t R : T->order())
      if (T->isGlobal(R, Shared, SharedEnd))
        Order.push_back(R);
    All += double(Order.size()) + T->droppedRequests();
    Rounds = std::max<uint32_t>(Rounds, Order.size());
  }

  LineStack OfLoads(MaxUses), OfAll(MaxUses);
  std::vector<Use> Uses;
  std::vector<DenseMap<uint32_t, size_t>> ReuseOfLoad(Traces.size());
  SmallVector<uint64_t, 64> Sectors;
  SmallVector<uint32_t, 64> AmongAll, AmongLoads;
  SmallVector<bool, 64> NewLines, NewLinesOfLoads;
  uint32_t Recorded = 0;
  auto record = [&](unsigned W, uint32_t R) {
    const WarpTrace &T = *Traces[W];
    uint32_t Instruction = T.instruction(R);
    bool IsLoad = T.isLoad(R);
    OfAll.use(Sectors, AmongAll, NewLines);
    if (IsLoad)
      OfLoads.use(Sectors, AmongLoads, NewLinesOfLoads);
    int64_t Largest = 0;
    for (unsigned S = 0; S < Sectors.size(); ++S) {
      Use &U = Uses.emplace_back(
          Use{Instruction, Recorded, Warps[W].Weight, Sectors[S], IsLoad});
      U.AmongAll = AmongAll[S];
      U.NewLine = NewLines[S];
      if (!IsLoad)
        continue;
      U.AmongLoads = AmongLoads[S];
      U.NewLineOfLoads = NewLinesOfLoads[S];
      if (U.AmongLoads == LineStack::Never)
        Largest = -1;
      else if (Largest >= 0)
        Largest = std::max(Largest, int64_t(U.AmongLoads * LineBytes));
    }
    ++Recorded;
    if (!IsLoad)
      return;
    std::vector<RunTrace::LoadReuse> &Reuses = Warps[W].Reuses;
    auto [It, New] = ReuseOfLoad[W].insert({Instruction, Reuses.size()});
    if (New)
      Reuses.push_back({Instruction, {}});
    if (Reuses[It->second].Bytes.size() < MaxReuses)
      Reuses[It->second].Bytes.push_back(Largest);
  };
  bool IsFull = false;
  for (uint32_t Round = 0; Round < Rounds && !IsFull; ++Round)
    for (unsigned W = 0; W < Traces.size() && !IsFull; ++W) {
      if (Round >= Orders[W].size())
        continue;
      Traces[W]->sectors(Orders[W][Round], Sectors);
      IsFull = !OfAll.hasRoom(Sectors.size());
      if (!IsFull)
        record(W, Orders[W][Round]);
    }
  addUses(Uses, Recorded, All);
}

void ReuseTrace::Touched::add(Sum &To, uint64_t Sector, bool IsNewLine) {
  ++To.Result.Footprint;
  To.Result.Union += Sectors.insert(Sector).second;
  if (!IsNewLine)
    return;
  ++To.Result.FootprintLines;
  To.Result.UnionLines +=
      Lines.insert(Sector / LineStack::SectorsPerLine).second;
}

void ReuseTrace::addUses(ArrayRef<Use> Uses, uint32_t Recorded, double All) {
  uint32_t Half = Recorded / 2;
  double OfSecondHalf = Recorded ? 1 + (All - Recorded) / (Recorded - Half) : 1;
  for (const Use &U : Uses) {
    AccessSum &S = Sums[U.Instruction];
    double Weight = U.Weight * (U.Request >= Half ? OfSecondHalf : 1);
    S.AmongAll.add(U.AmongAll, Weight);
    if (U.AmongAll == LineStack::Never)
      ByAll.add(S.AmongAll, U.Sector, U.NewLine);
    if (!U.IsLoad)
      continue;
    S.AmongLoads.add(U.AmongLoads, Weight);
    if (U.AmongLoads == LineStack::Never)
      ByLoads.add(S.AmongLoads, U.Sector, U.NewLineOfLoads);
  }
}

void ReuseTrace::finish(std::vector<RunTrace::Access> &Accesses) const {
  for (RunTrace::Access &A : Accesses)
    if (auto It = Sums.find(A.Instruction); It != Sums.end()) {
      A.AmongLoads = It->second.AmongLoads.result();
      A.AmongAll = It->second.AmongAll.result();
    }
}

} // namespace gpuestimate
