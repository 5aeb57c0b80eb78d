/// \file
/// Kernel models written by hand.
#ifndef GPU_ESTIMATE_TEST_UNIT_HELPERS_TESTKERNEL_H
#define GPU_ESTIMATE_TEST_UNIT_HELPERS_TESTKERNEL_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Model/Kernel/Launch.h"
#include "gpu-estimate/Model/Machine/GpuModel.h"

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
  std::vector<RegionNode> &body(int Parent) {
    return Parent < 0 ? Model.Body : Model.Loops[Parent].Body;
  }
  unsigned block(int Parent, Expr Active = Expr()) {
    unsigned Index = Model.Blocks.size();
    BasicBlock B;
    B.FirstOp = B.EndOp = Model.Operations.size();
    B.Active = Active ? Active : number(1);
    Model.Blocks.push_back(B);
    body(Parent).push_back({RegionNode::IsBlock, Index});
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
    body(Parent).push_back({RegionNode::IsLoop, Index});
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

} // namespace gpuestimate::test

#endif
