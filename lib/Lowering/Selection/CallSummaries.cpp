#include "CallSummaries.h"

#include "Lowering/Control/TripCounts.h"
#include "llvm/IR/Function.h"

namespace gpuestimate {

double CallSummary::instructions() const {
  double Sum = 0;
  for (const OfClass &C : Classes)
    Sum += C.Count;
  return Sum;
}

namespace {

/// Adds up the model of a function.
class Summing {
public:
  explicit Summing(const KernelModel &M) : M(M) {
    for (const Unknown &U : M.Unknowns)
      if (!U.Name.empty())
        Defaults[U.Name] = U.Default;
    for (const Unknown &U : M.Unknowns)
      Result.LeavesOut |= U.IsLeftOut;
    for (const MemoryAccess &A : M.Accesses)
      Result.LeavesOut |= A.Space != MemorySpace::Local;
    for (const Operation &O : M.Operations)
      Result.LeavesOut |= !O.access() && !isSummed(O);
  }

  CallSummary run() {
    add(M.Body, 1);
    return Result;
  }

private:
  double valueOf(Expr E, double Otherwise) {
    Result.Assumes |= !E.asConstant();
    return std::max(0.0, evaluate(E, Defaults).value_or(Otherwise));
  }

  void add(llvm::ArrayRef<RegionNode> Body, double Executions) {
    constexpr double HalfOfTheCalls = 0.5;
    for (const RegionNode &Node : Body) {
      if (Node.Kind == RegionNode::IsLoop) {
        const Loop &L = M.Loops[Node.Index];
        add(L.Body, Executions * valueOf(L.Active, HalfOfTheCalls) *
                        valueOf(L.TripCount, DefaultTripCount));
      } else {
        const BasicBlock &Block = M.Blocks[Node.Index];
        add(Block, Executions * valueOf(Block.Active, HalfOfTheCalls));
      }
    }
  }

  void add(const BasicBlock &Block, double Executions) {
    // The longest path that ends with each operation, in dependent
    // instructions, and the operation before it.
    struct Path {
      unsigned Length = 0;
      int Before = -1;
    };
    std::vector<Path> Paths(Block.EndOp - Block.FirstOp);
    int Last = -1;
    for (unsigned Op : Block.operations()) {
      const Operation &O = M.Operations[Op];
      Path &P = Paths[Op - Block.FirstOp];
      for (const Operand &From : O.Operands)
        if (!From.Carried && From.Producer >= Block.FirstOp &&
            From.Producer < Op)
          if (const Path &Q = Paths[From.Producer - Block.FirstOp];
              Q.Length > P.Length)
            P = {Q.Length, static_cast<int>(From.Producer - Block.FirstOp)};
      if (!isSummed(O))
        continue;
      P.Length += O.Chain;
      if (Last < 0 || P.Length > Paths[Last].Length)
        Last = static_cast<int>(Op - Block.FirstOp);
      CallSummary::OfClass &C = Result.Classes[static_cast<unsigned>(O.Class)];
      C.Count += Executions * O.Count;
      C.FlopFp16 += Executions * O.FlopFp16;
      C.FlopFp32 += Executions * O.FlopFp32;
      C.FlopFp64 += Executions * O.FlopFp64;
    }
    for (; Last >= 0; Last = Paths[Last].Before)
      if (const Operation &O = M.Operations[Block.FirstOp + Last]; isSummed(O))
        Result.Classes[static_cast<unsigned>(O.Class)].Chain +=
            Executions * O.Chain;
  }

  static bool isSummed(const Operation &O) {
    return !O.access() && !O.wait() && O.TensorMultiplyAdds == 0 &&
           O.Class != OpClass::Barrier && !info(O.Class).IsMemory;
  }

  const KernelModel &M;
  Bindings Defaults;
  CallSummary Result;
};

} // namespace

const CallSummary *CallSummaries::of(llvm::Function &F) {
  auto [Found, IsNew] = Known.try_emplace(&F);
  Entry &E = Found->second;
  if (!IsNew) {
    E.CallsItself |= !E.Summary;
  } else if (llvm::Expected<KernelModel> Model = Lower(F)) {
    E.Summary = Summing(*Model).run();
    E.Summary->IsRecursive = E.CallsItself;
  } else {
    llvm::consumeError(Model.takeError());
  }
  return E.Summary ? &*E.Summary : nullptr;
}

} // namespace gpuestimate
