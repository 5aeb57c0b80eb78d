/// \file
/// Branch conditions as shares of executions.
#ifndef GPU_ESTIMATE_LIB_LOWERING_CONTROL_CONDITIONS_H
#define GPU_ESTIMATE_LIB_LOWERING_CONTROL_CONDITIONS_H

#include "Lowering/Values/Likelihood.h"
#include "Lowering/Values/Values.h"
#include "llvm/ADT/SetVector.h"

namespace gpuestimate {

class Conditions {
public:
  Conditions(KernelAnalyses &A, Values &V, Unknowns &Names, ExprContext &Ctx)
      : A(A), V(V), Names(Names), Ctx(Ctx) {}

  /// The share of the executions of From that continue with To, summed over
  /// parallel edges: a 0/1 term where the condition has a closed form, a
  /// probability where it depends on data, 0 for an edge into a trap.
  Expr edge(const llvm::BasicBlock *From, const llvm::BasicBlock *To);

  /// The condition V as a 0/1 term or a probability.
  Expr condition(const llvm::Value *V);

  /// The share of a loop's entries that leave it by the branch End to the
  /// block To; Ways is the number of exits, Header that of the loop.
  Expr exitShare(const llvm::Instruction *End, unsigned Ways,
                 const llvm::BasicBlock *To, const llvm::BasicBlock *Header);

  /// A probability that no condition in the IR stands for.
  Expr unknownShare(const llvm::Instruction &At, double Default,
                    const std::string &What, const std::string &Why,
                    const UnknownOrigin &Origin);

  /// The block whose test of the loop's condition was left out, or null.
  const llvm::BasicBlock *guardOf(const llvm::Loop *L) const {
    return Guards.lookup(L);
  }

private:
  /// A condition as a logical operation on others.
  struct Parts {
    enum KindType : uint8_t { And, Or, Not } Kind;
    const llvm::Value *L, *R; ///< R: null for Not
  };
  std::optional<Parts> partsOf(const llvm::Value *Cond) const;
  Expr combined(const Parts &P) const;
  /// A condition without operands, or with the closed form E.
  Expr single(const llvm::Value *Cond, Expr E);
  Expr leaf(const llvm::Value *Cond);
  Expr named(const llvm::Value *Cond, bool Opposite);

  KernelAnalyses &A;
  Values &V;
  Unknowns &Names;
  ExprContext &Ctx;
  /// The loop of unknown trip count that Branch guards against zero iterations,
  /// or null. The guard has no probability: zero is among the trip counts.
  const llvm::Loop *guardedLoop(const llvm::BranchInst &Branch) const;

  /// Facts about all out-edges of a block.
  struct Way {
    /// Successors that do not end in a trap.
    llvm::SmallSetVector<const llvm::BasicBlock *, 2> Alive;
    /// A switch on a closed form: the condition of each successor.
    llvm::DenseMap<const llvm::BasicBlock *, Expr> Decided;
  };
  Way &waysFrom(const llvm::BasicBlock *From);
  void decideSwitch(const llvm::SwitchInst &Switch, Expr On, Way &W);

  llvm::DenseMap<const llvm::BasicBlock *, std::unique_ptr<Way>> Ways;
  llvm::DenseMap<const llvm::Value *, Expr> Memo;
  /// Data-dependent conditions by source location and form: the copies of one
  /// condition that unrolling and inlining make share one unknown.
  llvm::StringMap<Expr> ByPlace;
  llvm::DenseMap<const llvm::Loop *, const llvm::BasicBlock *> Guards;
  /// The terminator whose condition is being computed.
  const llvm::Instruction *User = nullptr;
};

} // namespace gpuestimate

#endif
