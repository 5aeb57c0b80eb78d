/// \file
/// The timing walk without any extrapolation: every iteration of every loop
/// is executed. Shares must be 0 or 1 and trip counts whole numbers.
#ifndef GPU_ESTIMATE_TEST_UNIT_HELPERS_EVALUATEBRUTEFORCE_H
#define GPU_ESTIMATE_TEST_UNIT_HELPERS_EVALUATEBRUTEFORCE_H

#include "gpu-estimate/Evaluate/Warp/Timing.h"
#include <cmath>
#include <map>

namespace gpuestimate::test {

class BruteForceWalk {
public:
  BruteForceWalk(const KernelModel &K, const OperationCosts &Costs,
                 const std::vector<BlockSchedule> &Schedule,
                 unsigned WarpsPerBlock)
      : K(K), Costs(Costs), Schedule(Schedule), Warps(WarpsPerBlock),
        Latest(K.Operations.size()), AtStart(K.Loops.size()),
        BlockOf(K.Operations.size()), LoopOf(K.Blocks.size(), -1) {
    for (unsigned B = 0; B < K.Blocks.size(); ++B)
      for (unsigned I : K.Blocks[B].operations())
        BlockOf[I] = B;
    for (unsigned L = 0; L < K.Loops.size(); ++L)
      for (const RegionNode &I : K.Loops[L].Body)
        if (I.Kind == RegionNode::IsBlock)
          LoopOf[I.Index] = L;
    for (auto &Values : AtStart)
      Values.resize(K.Operations.size());
  }

  double run(const WarpPath &P) {
    Path = &P;
    body(K.Body);
    return SegmentBegin > 0 ? lastArrival(Cycle) : Cycle;
  }

private:
  void body(const std::vector<RegionNode> &Body) {
    for (const RegionNode &I : Body)
      if (I.Kind == RegionNode::IsLoop)
        loop(I.Index);
      else if (Schedule[I.Index].Hyperblock == I.Index)
        block(I.Index, Schedule[I.Index].Copies);
  }

  void loop(unsigned Index) {
    const Loop &L = K.Loops[Index];
    if (Path->LoopShare[Index] == 0)
      return;
    bool Single = llvm::all_of(L.Body, [&](const RegionNode &I) {
      return I.Kind == RegionNode::IsBlock &&
             Schedule[I.Index].Hyperblock == L.Body[0].Index;
    });
    unsigned Copies = Single ? Schedule[L.Body[0].Index].Copies : 1;
    for (unsigned Remaining = std::lround(Path->LoopTrips[Index]);
         Remaining > 0;) {
      AtStart[Index] = Latest;
      unsigned Iterations = std::min(Remaining, Copies);
      if (Single)
        block(L.Body[0].Index, Iterations);
      else
        body(L.Body);
      Remaining -= Iterations;
    }
  }

  /// The innermost loop that contains both blocks.
  int carrier(unsigned A, unsigned B) const {
    for (int L = LoopOf[A]; L >= 0; L = K.Loops[L].Parent)
      for (int M = LoopOf[B]; M >= 0; M = K.Loops[M].Parent)
        if (L == M)
          return L;
    return -1;
  }

  /// The hyperblock that begins with block Index.
  void block(unsigned Index, unsigned Executed) {
    if (Path->BlockShare[Index] == 0)
      return;
    unsigned LastCopy = Schedule[Index].Copies - 1;
    std::map<std::pair<unsigned, unsigned>, double> Made;
    for (const Slot &S : Schedule[Index].Slots) {
      const Operation &Op = K.Operations[S.Op];
      if (!Op.LoopOverhead && S.Copy >= Executed)
        continue;
      unsigned Iteration = Op.LoopOverhead ? Executed - 1 : S.Copy;
      double Start = Cycle;
      for (const Operand &O : Op.Operands) {
        unsigned P = O.Producer;
        bool Here = Schedule[BlockOf[P]].Hyperblock == Index,
             Counting = K.Operations[P].LoopOverhead;
        double Time = Latest[P];
        if (O.Carried) {
          int L = carrier(BlockOf[P], Index);
          Time = Here && !Counting && Iteration > 0
                     ? Made.at({P, Iteration - 1})
                     : AtStart[L][P];
        } else if (Here && Counting) {
          Time = S.Copy == LastCopy ? Made.at({P, LastCopy})
                                    : AtStart[LoopOf[Index]][P];
        } else if (Here) {
          Time = Made.at({P, Iteration});
        }
        Start = std::max(Start, Time);
      }
      double Done = issue(Op, Start, Path->BlockShare[BlockOf[S.Op]] > 0);
      Made[{S.Op, S.Copy}] = Done;
    }
    for (auto [Key, Time] : Made) {
      bool Counting = K.Operations[Key.first].LoopOverhead;
      if (Key.second == (Counting ? LastCopy : Executed - 1))
        Latest[Key.first] = Time;
    }
  }

  /// When the last warp of the block has issued the segment, not before Own.
  double lastArrival(double Own) const {
    for (auto &[P, Sum] : Segment)
      Own = std::max(Own, SegmentBegin + Sum);
    for (auto &[OfShared, Sum] : Passes)
      Own = std::max(Own, SegmentBegin + Sum);
    return Own;
  }

  /// IsTrue: the predicate of the operation.
  double issue(const Operation &Op, double Start, bool IsTrue) {
    double Schedulers = Costs.gpu().SchedulersPerSm;
    double PerScheduler = std::ceil(Warps / Schedulers);
    if (Op.Class == OpClass::Barrier) {
      double Arrival = lastArrival(Start);
      Segment.clear();
      Passes.clear();
      return Cycle = SegmentBegin = Arrival + Costs.latency(Op, Conditions);
    }
    Pipe P = Costs.pipe(Op);
    Cycle = std::max(Start, Free[P]);
    Segment[Pipe::Issue] += Costs.slot() * Op.Count * PerScheduler;
    double Hold = Costs.issue(Op);
    Free[P] = Cycle + Hold * Op.Count;
    Segment[P] += Op.access() ? Costs.pipeCycles(Op) * Op.Count * Warps
                              : Hold * Op.Count * PerScheduler;
    if (!IsTrue) {
      Cycle += Costs.slot() * Op.Count;
      return Cycle - Costs.slot() * Op.Count;
    }
    if (Op.access())
      Passes[Costs.gpu().L1UnifiedWithShared ||
             K.Accesses[*Op.access()].Space == MemorySpace::Shared] +=
          Costs.dataStageCycles(Op) * Warps;
    double Done =
        Cycle + Hold * (Op.Count - Op.Chain) + Costs.latency(Op, Conditions);
    Cycle += Costs.slot() * Op.Count;
    return Done;
  }

  const KernelModel &K;
  const OperationCosts &Costs;
  const WarpConditions Conditions =
      Costs.conditions(MemoryLatencies::unloaded(Costs.gpu()));
  const std::vector<BlockSchedule> &Schedule;
  unsigned Warps;
  const WarpPath *Path = nullptr;
  double Cycle = 0, SegmentBegin = 0;
  std::map<Pipe, double> Free, Segment;
  std::map<bool, double> Passes; ///< of shared memory, or of L1 apart from it
  std::vector<double> Latest;
  std::vector<std::vector<double>> AtStart; ///< [loop][operation]
  std::vector<unsigned> BlockOf;
  std::vector<int> LoopOf;
};

} // namespace gpuestimate::test

#endif
