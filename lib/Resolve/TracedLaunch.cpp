#include "gpu-estimate/Resolve/TracedLaunch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

static SectorReuse reuse(const RunTrace::Reuse &R) {
  SectorReuse Result;
  for (auto [Bytes, Sectors] : zip_equal(R.Bytes, R.Sectors))
    Result.Classes.push_back({Bytes, Sectors});
  Result.FirstUses = R.FirstUses;
  Result.Footprint = R.Footprint;
  Result.Union = R.Union;
  Result.FootprintLines = R.FootprintLines;
  Result.UnionLines = R.UnionLines;
  return Result;
}

Expected<TracedLaunch> readTrace(const RunTrace &Trace,
                                 const Function &Kernel) {
  TracedLaunch E;
  for (const llvm::BasicBlock &Block : Kernel)
    E.Blocks.push_back(&Block);
  std::vector<const Instruction *> Instructions;
  for (const Instruction &I : instructions(Kernel))
    Instructions.push_back(&I);
  auto Mismatch = [&] {
    return createStringError("the trace of " + Kernel.getName() +
                             " is about other code; build the program again");
  };
  if (Trace.Runs.size() != E.Blocks.size() ||
      Trace.Lanes.size() != E.Blocks.size() ||
      Trace.Entries.size() != Trace.Loops.size())
    return Mismatch();
  E.Runs = Trace.Runs;
  E.Lanes = Trace.Lanes;
  E.Entries = Trace.Entries;
  for (uint64_t Header : Trace.Loops) {
    if (Header >= E.Blocks.size())
      return Mismatch();
    E.Loops.push_back(E.Blocks[Header]);
  }
  for (const RunTrace::Warp &W : Trace.Warps) {
    if (W.Runs.size() != E.Blocks.size() || W.Entries.size() != E.Loops.size())
      return Mismatch();
    TracedWarp Warp;
    Warp.Block = W.Block;
    Warp.Warp = unsigned(W.Index);
    Warp.Weight = W.Weight;
    Warp.Sampled = unsigned(W.Sampled);
    Warp.Runs = W.Runs;
    Warp.Entries = W.Entries;
    for (const RunTrace::LoadReuse &Of : W.Reuses) {
      if (Of.Instruction >= Instructions.size())
        return Mismatch();
      std::vector<double> &Bytes =
          Warp.ReuseBytes[Instructions[Of.Instruction]];
      for (int64_t Distance : Of.Bytes)
        Bytes.push_back(Distance < 0 ? INFINITY : double(Distance));
    }
    E.Warps.push_back(std::move(Warp));
  }
  for (const RunTrace::Condition &C : Trace.Conditions) {
    if (C.Instruction >= Instructions.size())
      return Mismatch();
    E.Conditions[Instructions[C.Instruction]] = {C.Lanes, C.True};
  }
  for (const RunTrace::Branch &B : Trace.Branches) {
    if (B.Instruction >= Instructions.size() ||
        !Instructions[B.Instruction]->isTerminator() ||
        B.Lanes.size() != Instructions[B.Instruction]->getNumSuccessors())
      return Mismatch();
    E.Branches[Instructions[B.Instruction]] = {B.Warps, B.Divergent, B.Lanes};
  }
  for (const RunTrace::Access &A : Trace.Accesses) {
    if (A.Instruction >= Instructions.size())
      return Mismatch();
    AccessCounts &Counts = E.Accesses[Instructions[A.Instruction]];
    Counts.Requests = A.Requests;
    Counts.Lanes = A.Lanes;
    Counts.Sectors = A.Sectors;
    Counts.Weights = A.Weights;
    if (A.Weights.size() != A.Samples.size() ||
        A.AmongLoads.Bytes.size() != A.AmongLoads.Sectors.size() ||
        A.AmongAll.Bytes.size() != A.AmongAll.Sectors.size())
      return Mismatch();
    Counts.Reuse = {reuse(A.AmongLoads), reuse(A.AmongAll)};
    for (const std::vector<int64_t> &Sample : A.Samples) {
      std::vector<double> &Lanes = Counts.Samples.emplace_back();
      for (int64_t Offset : Sample)
        Lanes.push_back(Offset < 0 ? std::nan("") : double(Offset));
    }
  }
  E.WantedWarps = Trace.WantedWarps;
  E.Stop = Trace.Stop;
  return E;
}

} // namespace gpuestimate
