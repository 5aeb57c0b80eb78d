/// \file
/// Thread by thread through the region tree.
#include "WarpRunner.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate::test {

static constexpr unsigned FirstCounter = 12; ///< after the coordinates

WarpRunner::WarpRunner(const KernelModel &K, const Launch &L,
                       const Bindings &Values, unsigned Lanes,
                       ArrayContents Contents)
    : K(K), L(L), Lanes(Lanes), Contents(std::move(Contents)),
      Loads(K.Accesses.size(), -1) {
  for (const char *Prefix :
       {"threadIdx.", "blockIdx.", "blockDim.", "gridDim."})
    for (const char *D : {"x", "y", "z"})
      Names.push_back(std::string(Prefix) + D);
  for (const Loop &Nested : K.Loops)
    Names.push_back(Nested.Counter);
  for (const auto &V : Values)
    Names.push_back(V.getKey().str());
  // What a load at this place of the source brings.
  for (const Unknown &U : K.Unknowns) {
    if (U.Kind != Unknown::LoadedValue || U.Name.empty() ||
        Values.count(U.Name))
      continue;
    for (unsigned A = 0; A < K.Accesses.size(); ++A)
      if (K.Accesses[A].Kind == AccessKind::Load &&
          K.Accesses[A].Location.Line == U.Location.Line &&
          K.Accesses[A].Location.Column == U.Location.Column)
        Loads[A] = Names.size();
    Names.push_back(U.Name);
  }
  Inputs.resize(Names.size() * Lanes);
  unsigned Slot = FirstCounter + K.Loops.size();
  for (const auto &V : Values)
    fill(Slot++, V.getValue());
  for (unsigned D = 0; D < 3; ++D) {
    fill(6 + D, L.Block[D]);
    fill(9 + D, L.Grid[D]);
  }
  for (const BasicBlock &B : K.Blocks)
    Active.emplace_back(B.Active, Names);
  for (const Loop &Nested : K.Loops) {
    LoopActive.emplace_back(Nested.Active, Names);
    Trips.emplace_back(Nested.TripCount, Names);
  }
  for (const MemoryAccess &A : K.Accesses)
    Addresses.emplace_back(A.Address, Names);
}

void WarpRunner::run(std::array<uint64_t, 3> BlockIndex, unsigned Warp) {
  BlockWarps.resize(K.Blocks.size());
  BlockThreads.resize(K.Blocks.size());
  LoopEntries.resize(K.Loops.size());
  LoopIterations.resize(K.Loops.size());
  Mask In(Lanes);
  for (unsigned Lane = 0; Lane < Lanes; ++Lane) {
    uint64_t T = uint64_t(Warp) * Lanes + Lane;
    In[Lane] = T < L.threadsPerBlock();
    Inputs[0 * Lanes + Lane] = T % L.Block[0];
    Inputs[1 * Lanes + Lane] = T / L.Block[0] % L.Block[1];
    Inputs[2 * Lanes + Lane] = T / (L.Block[0] * L.Block[1]);
  }
  for (unsigned D = 0; D < 3; ++D)
    fill(3 + D, BlockIndex[D]);
  runBody(K.Body, In);
}

void WarpRunner::fill(unsigned Slot, double V) {
  std::fill_n(Inputs.begin() + Slot * Lanes, Lanes, V);
}

std::vector<double> WarpRunner::values(CompiledExprs &E) {
  std::vector<double> Out(Lanes);
  E.evaluateMany(Inputs, Out, Lanes);
  return Out;
}

static unsigned count(const std::vector<bool> &In) {
  return std::count(In.begin(), In.end(), true);
}

WarpRunner::Mask WarpRunner::where(Mask In, CompiledExprs &Condition) {
  std::vector<double> V = values(Condition);
  for (unsigned Lane = 0; Lane < Lanes; ++Lane)
    In[Lane] = In[Lane] && V[Lane] != 0;
  return In;
}

void WarpRunner::runBody(const std::vector<RegionNode> &Body, const Mask &In) {
  for (const RegionNode &I : Body) {
    Mask Entering = where(In, I.Kind == RegionNode::IsLoop ? LoopActive[I.Index]
                                                           : Active[I.Index]);
    if (!count(Entering))
      continue;
    if (I.Kind == RegionNode::IsBlock) {
      runBlock(I.Index, Entering);
      continue;
    }
    ++LoopEntries[I.Index];
    std::vector<double> N = values(Trips[I.Index]);
    for (double Iteration = 0;; ++Iteration) {
      Mask Still = Entering;
      for (unsigned Lane = 0; Lane < Lanes; ++Lane)
        Still[Lane] = Entering[Lane] && Iteration < N[Lane];
      if (!count(Still))
        break;
      ++LoopIterations[I.Index];
      fill(FirstCounter + I.Index, Iteration);
      runBody(K.Loops[I.Index].Body, Still);
    }
  }
}

void WarpRunner::runBlock(unsigned Index, const Mask &In) {
  ++BlockWarps[Index];
  BlockThreads[Index] += count(In);
  const BasicBlock &B = K.Blocks[Index];
  // Models written by hand have accesses without operations.
  if (B.FirstOp == B.EndOp)
    for (unsigned A = 0; A < K.Accesses.size(); ++A)
      if (K.Accesses[A].Block == Index)
        request(A, In);
  for (unsigned I : B.operations()) {
    if (std::optional<unsigned> Access = K.Operations[I].access())
      request(*Access, In);
    if (K.Operations[I].Class == OpClass::Barrier)
      OnBarrier();
  }
}

void WarpRunner::request(unsigned Access, const Mask &In) {
  Request R{Access, values(Addresses[Access])};
  if (Loads[Access] >= 0 && Contents)
    for (unsigned Lane = 0; Lane < Lanes; ++Lane)
      Inputs[Loads[Access] * Lanes + Lane] =
          Contents(R.Lanes[Lane] / K.Accesses[Access].BytesPerThread);
  for (unsigned Lane = 0; Lane < Lanes; ++Lane)
    if (!In[Lane])
      R.Lanes[Lane] = NAN;
  OnRequest(R);
}

} // namespace gpuestimate::test
