/// \file
/// The rules that a KernelModel must obey, checked one by one, and the walk
/// over its expressions.
#include "gpu-estimate/Model/Kernel/LoopTree.h"

#include <cmath>
#include <set>

namespace gpuestimate {

namespace {

class ConsistencyChecker {
public:
  explicit ConsistencyChecker(const KernelModel &Model)
      : M(Model), BlockLoop(Model.Blocks.size(), Unplaced),
        LoopSeen(Model.Loops.size(), false) {}

  std::string run() {
    if (!M.Context)
      return "the model has no expression context";
    checkBody(M.Body, -1);
    checkPlacement();
    if (Problem.empty())
      checkOperations();
    checkAccesses();
    for (const Wait &W : M.Waits)
      checkExpr(W.Length, "the length of a wait");
    checkUnknowns();
    return Problem;
  }

private:
  static constexpr int Unplaced = -2;

  void fail(const std::string &What) {
    if (Problem.empty())
      Problem = What;
  }

  void checkExpr(Expr E, const std::string &What) {
    if (!E)
      fail(What + " is missing");
    else if (&E.context() != M.Context.get())
      fail(What + " belongs to another expression context");
    else if (std::optional<double> C = E.asConstant(); C && !std::isfinite(*C))
      fail(What + " is not a finite number");
  }

  void checkBody(const std::vector<RegionNode> &Body, int Parent) {
    for (const RegionNode &I : Body) {
      if (I.Kind == RegionNode::IsBlock) {
        if (I.Index >= M.Blocks.size())
          return fail("a body names block " + std::to_string(I.Index) +
                      ", which does not exist");
        if (BlockLoop[I.Index] != Unplaced)
          return fail("block " + std::to_string(I.Index) + " is in two bodies");
        BlockLoop[I.Index] = Parent;
        checkExpr(M.Blocks[I.Index].Active,
                  "the active share of block " + std::to_string(I.Index));
        continue;
      }
      if (I.Index >= M.Loops.size())
        return fail("a body names loop " + std::to_string(I.Index) +
                    ", which does not exist");
      if (LoopSeen[I.Index])
        return fail("loop " + std::to_string(I.Index) + " is in two bodies");
      LoopSeen[I.Index] = true;
      checkLoop(I.Index, Parent);
    }
  }

  void checkLoop(unsigned Index, int Parent) {
    const Loop &L = M.Loops[Index];
    std::string Name = "loop " + std::to_string(Index);
    if (L.Parent != Parent)
      fail(Name + " has a parent that does not contain it");
    if (L.Counter.empty() || !Counters.insert(L.Counter).second)
      fail(Name + " has no counter of its own");
    if (L.Unroll == 0)
      fail(Name + " is unrolled zero times");
    checkExpr(L.TripCount, "the trip count of " + Name);
    checkExpr(L.Active, "the active share of " + Name);
    checkBody(L.Body, static_cast<int>(Index));
  }

  void checkPlacement() {
    for (unsigned I = 0; I < M.Blocks.size(); ++I)
      if (BlockLoop[I] == Unplaced)
        fail("block " + std::to_string(I) + " is in no body");
    for (unsigned I = 0; I < M.Loops.size(); ++I)
      if (!LoopSeen[I])
        fail("loop " + std::to_string(I) + " is in no body");
  }

  void checkOperations() {
    std::vector<int> OpBlock(M.Operations.size(), -1);
    for (unsigned B = 0; B < M.Blocks.size(); ++B) {
      const BasicBlock &Content = M.Blocks[B];
      if (Content.FirstOp > Content.EndOp ||
          Content.EndOp > M.Operations.size())
        return fail("block " + std::to_string(B) +
                    " has operations that do not exist");
      for (unsigned I : Content.operations()) {
        if (OpBlock[I] != -1)
          return fail("operation " + std::to_string(I) + " is in two blocks");
        OpBlock[I] = static_cast<int>(B);
      }
    }
    for (unsigned I = 0; I < M.Operations.size(); ++I) {
      if (OpBlock[I] == -1)
        return fail("operation " + std::to_string(I) + " is in no block");
      checkOperation(I, OpBlock);
    }
  }

  void checkOperation(unsigned I, const std::vector<int> &OpBlock) {
    const Operation &Op = M.Operations[I];
    std::string Name = "operation " + std::to_string(I);
    if (Op.Class >= OpClass::Count_)
      return fail(Name + " has no class");
    if (Op.wait() && *Op.wait() >= M.Waits.size())
      return fail(Name + " names a wait that does not exist");
    if (Op.wait() &&
        M.Waits[*Op.wait()].Block != static_cast<unsigned>(OpBlock[I]))
      fail(Name + " and its wait are in different blocks");
    if (Op.arrival() && (Op.arrival()->Access >= M.Accesses.size() ||
                         Op.arrival()->CopiesAhead == 0))
      return fail(Name + " awaits a copy that does not exist");
    if (Op.arrival() && Op.Count > 0)
      fail(Name + " awaits a copy and is an instruction");
    if (Op.Count > 0 && (Op.Chain < 1 || Op.Chain > Op.Count))
      fail(Name + " has a chain of " + std::to_string(Op.Chain) + " in " +
           std::to_string(Op.Count) + " instructions");
    if (Op.access() && *Op.access() >= M.Accesses.size())
      return fail(Name + " names an access that does not exist");
    if (info(Op.Class).IsMemory && !Op.access())
      fail(Name + " is of a memory class and has no access");
    if (Op.access() &&
        M.Accesses[*Op.access()].Block != static_cast<unsigned>(OpBlock[I]))
      fail(Name + " and its access are in different blocks");
    int Home = BlockLoop[OpBlock[I]];
    for (const Operand &O : Op.Operands) {
      if (O.Producer >= M.Operations.size())
        return fail(Name + " waits for an operation that does not exist");
      if (!O.Carried && O.Producer >= I)
        fail(Name + " waits for a later operation");
      if (O.Carried &&
          commonLoop(M.Loops, BlockLoop[OpBlock[O.Producer]], Home) == -1)
        fail(Name +
             " waits for a previous iteration but shares no loop with it");
    }
  }

  void checkAccesses() {
    for (unsigned I = 0; I < M.Accesses.size(); ++I) {
      const MemoryAccess &A = M.Accesses[I];
      std::string Name = "access " + std::to_string(I);
      if (A.Block >= M.Blocks.size())
        fail(Name + " is in a block that does not exist");
      if (A.BytesPerThread == 0)
        fail(Name + " moves no bytes");
      if (A.BaseArgument && *A.BaseArgument >= M.Arguments.size())
        fail(Name + " names an argument that does not exist");
      if (A.Address)
        checkExpr(A.Address, "the address of " + Name);
    }
  }

  void checkUnknowns() {
    std::set<std::string> Names;
    for (const Unknown &U : M.Unknowns) {
      if (!U.Name.empty() && !Names.insert(U.Name).second)
        fail("two unknowns are called " + U.Name);
      if (U.What.empty() || U.Why.empty())
        fail("the unknown '" + U.Name + "' does not say what it is or why");
      if (!std::isfinite(U.Default))
        fail("the unknown '" + U.Name + "' has no finite default");
      if (U.UpperBound)
        checkExpr(*U.UpperBound, "the upper bound of '" + U.Name + "'");
      if (U.Key)
        checkExpr(U.Key, "the key of '" + U.Name + "'");
    }
  }

  const KernelModel &M;
  std::vector<int> BlockLoop; ///< loop of each block, -1 the kernel itself
  std::vector<bool> LoopSeen;
  std::set<std::string> Counters;
  std::string Problem;
};

} // namespace

void forEachExpr(KernelModel &Model, llvm::function_ref<void(Expr &)> Visit) {
  for (Loop &L : Model.Loops) {
    Visit(L.TripCount);
    Visit(L.Active);
  }
  for (BasicBlock &B : Model.Blocks)
    Visit(B.Active);
  for (MemoryAccess &A : Model.Accesses)
    if (A.Address)
      Visit(A.Address);
  for (Wait &W : Model.Waits)
    Visit(W.Length);
}

std::string checkConsistency(const KernelModel &Model) {
  return ConsistencyChecker(Model).run();
}

} // namespace gpuestimate
