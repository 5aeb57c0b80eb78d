#include "LaunchUniformity.h"

#include "llvm/ADT/STLExtras.h"

namespace gpuestimate {

static constexpr const char *Dimensions[] = {"x", "y", "z"};

LaunchUniformity::LaunchUniformity(const LaunchExpressions &Expressions,
                                   const Launch &L,
                                   llvm::ArrayRef<IndirectIndex> Indices,
                                   const ParameterSet &IndexNames,
                                   const std::vector<bool> &CostIsFixed)
    : Expressions(Expressions) {
  markVarying(IndexNames, Indices, CostIsFixed);
  markBlockDependent(L);
  markCommon(IndexNames, L);
}

bool LaunchUniformity::hasVaryingLoop() const {
  return llvm::is_contained(Varies, char(true));
}

void LaunchUniformity::markVarying(const ParameterSet &IndexNames,
                                   llvm::ArrayRef<IndirectIndex> Indices,
                                   const std::vector<bool> &CostIsFixed) {
  const KernelModel &Kernel = Expressions.Kernel;
  const std::vector<int> &LoopOfBlock = Expressions.LoopOfBlock;
  Varies.assign(Kernel.Loops.size(), 0);
  auto check = [&](Expr E, int Scope, bool ValueIndependent = false) {
    if (!E)
      return;
    // An expression varies with each enclosing loop whose counter it contains;
    // an indirect index varies with its defining loop and all loops around it.
    for (int Loop = Scope; Loop >= 0; Loop = Kernel.Loops[Loop].Parent)
      Varies[Loop] |= E.dependsOn(Kernel.Loops[Loop].Counter);
    if (ValueIndependent)
      return;
    UsesIndexValues |= dependsOn(E, IndexNames);
    for (const IndirectIndex &V : Indices)
      if (E.dependsOn(V.Name))
        for (int Loop = V.DefiningLoop.value_or(Scope); Loop >= 0;
             Loop = Kernel.Loops[Loop].Parent)
          Varies[Loop] = true;
  };
  for (auto [Active, Loop] :
       llvm::zip_equal(Expressions.BlockActive, LoopOfBlock))
    check(Active, Loop);
  for (auto [I, Nested] : llvm::enumerate(Kernel.Loops)) {
    check(Expressions.LoopActive[I], Nested.Parent);
    check(Expressions.Trips[I], Nested.Parent);
  }
  for (auto [I, A] : llvm::enumerate(Kernel.Accesses))
    check(Expressions.Addresses[I], LoopOfBlock[A.Block], CostIsFixed[I]);
  for (auto [I, W] : llvm::enumerate(Kernel.Waits))
    check(Expressions.WaitLengths[I], LoopOfBlock[W.Block]);
}

void LaunchUniformity::markBlockDependent(const Launch &L) {
  for (unsigned D = 0; D < 3; ++D) {
    std::string Name = std::string("blockIdx.") + Dimensions[D];
    for (const std::vector<Expr> *List :
         {&Expressions.BlockActive, &Expressions.LoopActive, &Expressions.Trips,
          &Expressions.Addresses, &Expressions.WaitLengths})
      BlockDependent[D] |= L.Grid[D] > 1 && llvm::any_of(*List, [&](Expr E) {
                             return E && E.dependsOn(Name);
                           });
  }
}

void LaunchUniformity::markCommon(ParameterSet Differing, const Launch &L) {
  for (unsigned D = 0; D < 3; ++D) {
    if (L.Block[D] > 1)
      Differing.insert(std::string("threadIdx.") + Dimensions[D]);
    if (L.Grid[D] > 1)
      Differing.insert(std::string("blockIdx.") + Dimensions[D]);
  }
  const KernelModel &Kernel = Expressions.Kernel;
  auto isCommon = [&](Expr E) { return !E || !dependsOn(E, Differing); };
  CommonIterations.assign(Kernel.Loops.size(), 0);
  CommonEntries.assign(Kernel.Loops.size(), 0);
  CommonExecutions.assign(Kernel.Blocks.size(), 0);
  auto visit = [&](auto &Self, int Owner) -> void {
    bool IsRoot = Owner < 0, Common = !IsRoot && CommonIterations[Owner];
    for (const RegionNode &Member :
         IsRoot ? Kernel.Body : Kernel.Loops[Owner].Body) {
      unsigned I = Member.Index;
      if (Member.Kind == RegionNode::IsBlock) {
        CommonExecutions[I] = Common && isCommon(Expressions.BlockActive[I]);
        continue;
      }
      CommonEntries[I] = Common && isCommon(Expressions.LoopActive[I]);
      CommonIterations[I] =
          (IsRoot || CommonEntries[I]) && isCommon(Expressions.Trips[I]);
      Self(Self, I);
    }
  };
  visit(visit, -1);
}

} // namespace gpuestimate
