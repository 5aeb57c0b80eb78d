/// \file
/// Kernel models written by hand, and their execution thread by thread: the
/// oracle that sampling and traffic estimation are held against.
#ifndef GPU_ESTIMATE_TEST_UNIT_HELPERS_TESTKERNEL_H
#define GPU_ESTIMATE_TEST_UNIT_HELPERS_TESTKERNEL_H

#include "gpu-estimate/GpuModel/GpuModel.h"
#include "gpu-estimate/KernelModel/KernelModel.h"
#include "gpu-estimate/KernelModel/Launch.h"
#include "gpu-estimate/Symbolic/CompiledExprs.h"
#include <algorithm>
#include <cmath>
#include <functional>

namespace gpuestimate::test {

struct TestKernel {
  KernelModel Model;

  TestKernel() { Model.Context = std::make_shared<ExprContext>(); }
  ExprContext &context() { return *Model.Context; }
  Expr number(double V) { return context().constant(V); }
  Expr parameter(llvm::StringRef Name) { return context().parameter(Name); }
  Expr tid(char D = 'x') { return parameter(std::string("threadIdx.") + D); }
  Expr bid(char D = 'x') { return parameter(std::string("blockIdx.") + D); }
  Expr dim(char D = 'x') { return parameter(std::string("blockDim.") + D); }
  /// blockIdx * blockDim + threadIdx
  Expr id(char D = 'x') { return bid(D) * dim(D) + tid(D); }
  Expr counter(int Loop) { return parameter(Model.Loops[Loop].Counter); }

  /// Parent: loop or -1 for the kernel's body.
  std::vector<Item> &body(int Parent) {
    return Parent < 0 ? Model.Body : Model.Loops[Parent].Body;
  }
  unsigned block(int Parent, Expr Active = Expr()) {
    unsigned Index = Model.Blocks.size();
    Block B;
    B.FirstOp = B.EndOp = Model.Operations.size();
    B.Active = Active ? Active : number(1);
    Model.Blocks.push_back(B);
    body(Parent).push_back({Item::IsBlock, Index});
    return Index;
  }
  int loop(int Parent, Expr Trips, Expr Active = Expr()) {
    unsigned Index = Model.Loops.size();
    Loop L;
    L.Counter = "i" + std::to_string(Index);
    L.TripCount = Trips;
    L.Active = Active ? Active : number(1);
    L.Parent = Parent;
    Model.Loops.push_back(L);
    body(Parent).push_back({Item::IsLoop, Index});
    return Index;
  }
  unsigned access(unsigned Block, llvm::StringRef Base, Expr Address,
                  AccessKind Kind = AccessKind::Load, unsigned Bytes = 4,
                  MemorySpace Space = MemorySpace::Global) {
    MemoryAccess A;
    A.Space = Space;
    A.Kind = Kind;
    A.BytesPerThread = Bytes;
    A.Address = Address;
    A.Base = Base.str();
    A.Block = Block;
    Model.Accesses.push_back(A);
    return Model.Accesses.size() - 1;
  }
};

/// A GPU with round numbers: 32 lanes, 128-byte lines of 32-byte sectors.
inline GpuModel testGpu() {
  GpuModel G;
  G.ComputeCapability = "8.0";
  G.SmCount = 4;
  G.L1 = {Bytes(128 * 1024), Bytes(128), Bytes(32), Cycles(33)};
  G.L2 = {Bytes(4096 * 1024), Bytes(128), Bytes(32), Cycles(200)};
  G.SharedBanks = 32;
  G.SharedBankWidth = Bytes(4);
  return G;
}

inline Launch launch(std::array<uint64_t, 3> Grid,
                     std::array<uint64_t, 3> Block) {
  Launch L;
  L.Grid = Grid;
  L.Block = Block;
  return L;
}

/// One request of one warp: NaN for the lanes that take no part.
struct Request {
  unsigned Access;
  std::vector<double> Lanes;
};

/// Runs every thread of one warp; all conditions must be 0 or 1.
class WarpRunner {
public:
  WarpRunner(const KernelModel &K, const Launch &L, const Bindings &Values,
             unsigned Lanes = 32)
      : K(K), L(L), Lanes(Lanes) {
    for (const char *Prefix :
         {"threadIdx.", "blockIdx.", "blockDim.", "gridDim."})
      for (const char *D : {"x", "y", "z"})
        Names.push_back(std::string(Prefix) + D);
    for (const Loop &Each : K.Loops)
      Names.push_back(Each.Counter);
    for (const auto &V : Values)
      Names.push_back(V.getKey().str());
    Inputs.resize(Names.size() * Lanes);
    unsigned Slot = 12 + K.Loops.size();
    for (const auto &V : Values)
      fill(Slot++, V.getValue());
    for (unsigned D = 0; D < 3; ++D) {
      fill(6 + D, L.Block[D]);
      fill(9 + D, L.Grid[D]);
    }
    for (const Block &B : K.Blocks)
      Active.emplace_back(B.Active, Names);
    for (const Loop &Each : K.Loops) {
      LoopActive.emplace_back(Each.Active, Names);
      Trips.emplace_back(Each.TripCount, Names);
    }
    for (const MemoryAccess &A : K.Accesses)
      Addresses.emplace_back(A.Address, Names);
  }

  unsigned warpsPerBlock() const {
    return (L.threadsPerBlock() + Lanes - 1) / Lanes;
  }

  std::function<void(const Request &)> OnRequest = [](const Request &) {};
  std::vector<double> BlockWarps, BlockThreads, LoopEntries, LoopIterations;

  void run(std::array<uint64_t, 3> BlockIndex, unsigned Warp) {
    BlockWarps.resize(K.Blocks.size());
    BlockThreads.resize(K.Blocks.size());
    LoopEntries.resize(K.Loops.size());
    LoopIterations.resize(K.Loops.size());
    std::vector<bool> In(Lanes);
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

private:
  void fill(unsigned Slot, double V) {
    std::fill_n(Inputs.begin() + Slot * Lanes, Lanes, V);
  }
  std::vector<double> values(CompiledExprs &E) {
    std::vector<double> Out(Lanes);
    E.evaluateMany(Inputs, Out, Lanes);
    return Out;
  }
  static unsigned count(const std::vector<bool> &In) {
    return std::count(In.begin(), In.end(), true);
  }
  std::vector<bool> where(std::vector<bool> In, CompiledExprs &Condition) {
    std::vector<double> V = values(Condition);
    for (unsigned Lane = 0; Lane < Lanes; ++Lane)
      In[Lane] = In[Lane] && V[Lane] != 0;
    return In;
  }
  void runBody(const std::vector<Item> &Body, const std::vector<bool> &In) {
    for (const Item &I : Body) {
      std::vector<bool> Now = where(
          In, I.Kind == Item::IsLoop ? LoopActive[I.Index] : Active[I.Index]);
      if (!count(Now))
        continue;
      if (I.Kind == Item::IsBlock) {
        runBlock(I.Index, Now);
        continue;
      }
      ++LoopEntries[I.Index];
      std::vector<double> N = values(Trips[I.Index]);
      for (double Iteration = 0;; ++Iteration) {
        std::vector<bool> Still = Now;
        for (unsigned Lane = 0; Lane < Lanes; ++Lane)
          Still[Lane] = Now[Lane] && Iteration < N[Lane];
        if (!count(Still))
          break;
        ++LoopIterations[I.Index];
        fill(12 + I.Index, Iteration);
        runBody(K.Loops[I.Index].Body, Still);
      }
    }
  }
  void runBlock(unsigned Index, const std::vector<bool> &In) {
    ++BlockWarps[Index];
    BlockThreads[Index] += count(In);
    for (unsigned A = 0; A < K.Accesses.size(); ++A) {
      if (K.Accesses[A].Block != Index)
        continue;
      Request R{A, values(Addresses[A])};
      for (unsigned Lane = 0; Lane < Lanes; ++Lane)
        if (!In[Lane])
          R.Lanes[Lane] = NAN;
      OnRequest(R);
    }
  }

  const KernelModel &K;
  const Launch &L;
  unsigned Lanes;
  std::vector<std::string> Names;
  std::vector<double> Inputs;
  std::vector<CompiledExprs> Active, LoopActive, Trips, Addresses;
};

} // namespace gpuestimate::test

#endif
