#include "LaunchExpressions.h"

#include "gpu-estimate/Model/Kernel/LoopTree.h"
#include "gpu-estimate/Symbolic/Binder.h"

namespace gpuestimate {

LaunchExpressions::LaunchExpressions(const KernelModel &Kernel, const Launch &L,
                                     const Bindings &All)
    : Kernel(Kernel), Values(All), Context(std::make_unique<ExprContext>()),
      LoopOfBlock(loopsOfBlocks(Kernel)) {
  for (unsigned D = 0; D < 3; ++D) {
    Values[std::string("blockDim.") + "xyz"[D]] = L.Block[D];
    Values[std::string("gridDim.") + "xyz"[D]] = L.Grid[D];
  }
  Binder Numbers(*Context, Values);
  auto bind = [&](Expr E) { return E ? Numbers(E) : E; };
  auto condition = [&](Expr E) {
    E = bind(E);
    return E && E.isConstant(1) ? Expr() : E;
  };
  for (const BasicBlock &B : Kernel.Blocks)
    BlockActive.push_back(condition(B.Active));
  for (const Loop &Nested : Kernel.Loops) {
    LoopActive.push_back(condition(Nested.Active));
    Trips.push_back(bind(Nested.TripCount));
  }
  for (const MemoryAccess &A : Kernel.Accesses)
    Addresses.push_back(bind(A.Address));
  for (const Wait &W : Kernel.Waits)
    WaitLengths.push_back(bind(W.Length));
}

} // namespace gpuestimate
