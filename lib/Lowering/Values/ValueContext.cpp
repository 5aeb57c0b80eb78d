#include "ValueContext.h"

#include "gpu-estimate/Support/WorkBudget.h"

namespace gpuestimate {

ValueContext::ValueContext(KernelAnalyses &A, const KernelSource &Source,
                           KernelModel &Model, Unknowns &Names)
    : A(A), Source(Source), Names(Names), Ctx(*Model.Context) {
  constexpr double MaxGrid = 2147483647;
  for (const char *Axis : {"x", "y", "z"}) {
    Ctx.assumeRange(std::string("threadIdx.") + Axis, {0, 1023});
    Ctx.assumeRange(std::string("blockIdx.") + Axis, {0, MaxGrid - 1});
    Ctx.assumeRange(std::string("blockDim.") + Axis, {1, 1024});
    Ctx.assumeRange(std::string("gridDim.") + Axis, {1, MaxGrid});
  }
}

Expr ValueContext::counter(const llvm::Loop *L) {
  return Ctx.parameter(Counters.lookup(L));
}

bool ValueContext::isInvariant(Expr E, const llvm::Loop *L) {
  for (const llvm::Loop *Inner : L->getLoopsInPreorder())
    if (!spendWork() || E.dependsOn(Counters.lookup(Inner)))
      return false;
  llvm::SmallVector<const llvm::Value *> Sources;
  Names.sources(E, Sources);
  return llvm::none_of(Sources, [&](const llvm::Value *V) {
    const auto *I = llvm::dyn_cast<llvm::Instruction>(V);
    return I && L->contains(I);
  });
}

unsigned ValueContext::nodeCount(Expr E) {
  auto [Entry, IsNew] = NodeCounts.try_emplace(E.node(), 1);
  if (!IsNew)
    return Entry->second;
  unsigned Count = 1;
  for (Expr Operand : E.operands())
    Count = std::min(Count + nodeCount(Operand), 2 * MaxNodes);
  return NodeCounts[E.node()] = Count;
}

} // namespace gpuestimate
