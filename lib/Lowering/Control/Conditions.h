/// \file
/// Branch conditions as shares of executions.
#ifndef GPU_ESTIMATE_LIB_LOWERING_CONTROL_CONDITIONS_H
#define GPU_ESTIMATE_LIB_LOWERING_CONTROL_CONDITIONS_H

#include "Lowering/Values/Values.h"
#include "llvm/ADT/SetVector.h"

namespace gpuestimate {

class Conditions {
public:
  Conditions(KernelAnalyses &A, Values &V, Unknowns &Names, ExprContext &Ctx)
      : A(A), V(V), Names(Names), Ctx(Ctx) {}

  /// The share of the executions of From in which control goes on to To,
  /// summed over parallel edges: a 0/1 term where the condition is known, a
  /// probability where it depends on data. Sides that trap get 0.
  Expr edge(const llvm::BasicBlock *From, const llvm::BasicBlock *To);

  /// The condition V as a 0/1 term or a probability.
  Expr condition(const llvm::Value *V);

  /// The share of entries of a loop that leave it by the branch End, one of
  /// Ways exits.
  /// To: where it leads; Header: the loop's.
  Expr exitShare(const llvm::Instruction *End, unsigned Ways,
                 const llvm::BasicBlock *To, const llvm::BasicBlock *Header);

  /// A probability that no condition in the IR stands for.
  Expr unknownShare(const llvm::Instruction &At, double Default,
                    const std::string &What, const std::string &Why,
                    const UnknownPlace &Place);

  /// The block whose test of the loop's condition was left out, or null.
  const llvm::BasicBlock *guardOf(const llvm::Loop *L) const {
    return Guards.lookup(L);
  }

private:
  /// A condition that is made of others.
  struct Parts {
    enum KindType : uint8_t { And, Or, Not } Kind;
    const llvm::Value *L, *R; ///< R: null for Not
  };
  std::optional<Parts> partsOf(const llvm::Value *Cond) const;
  Expr combined(const Parts &P) const;
  /// One that is not, or is known as a whole; E: its value.
  Expr single(const llvm::Value *Cond, Expr E);
  Expr leaf(const llvm::Value *Cond);
  Expr named(const llvm::Value *Cond, bool Opposite);

  KernelAnalyses &A;
  Values &V;
  Unknowns &Names;
  ExprContext &Ctx;
  /// Does Branch only keep a loop of unknown trip count from being entered
  /// with nothing to do? Then zero is among the counts that its unknown stands
  /// for; returns the loop.
  const llvm::Loop *guardedLoop(const llvm::BranchInst &Branch) const;

  /// What is the same for all edges of a block's terminator.
  struct Way {
    /// Successors that do not end in a trap.
    llvm::SmallSetVector<const llvm::BasicBlock *, 2> Alive;
    /// A switch on a known value: when each successor is taken.
    llvm::DenseMap<const llvm::BasicBlock *, Expr> Decided;
  };
  Way &waysFrom(const llvm::BasicBlock *From);
  void decideSwitch(const llvm::SwitchInst &Switch, Expr On, Way &W);

  llvm::DenseMap<const llvm::BasicBlock *, std::unique_ptr<Way>> Ways;
  llvm::DenseMap<const llvm::Value *, Expr> Memo;
  /// Data-dependent conditions by place and form: the copies that unrolling
  /// and inlining make of one condition in the source are one unknown.
  llvm::StringMap<Expr> ByPlace;
  llvm::DenseMap<const llvm::Loop *, const llvm::BasicBlock *> Guards;
  /// Where the condition being worked out is used.
  const llvm::Instruction *User = nullptr;
};

/// How likely a data-dependent condition is, by its form, when nothing else
/// is known (Wu & Larus 1994, after Ball & Larus 1993: equality with a
/// constant, and being negative, fail in 84% of the cases).
struct Likelihood {
  double Probability = 0.5;
  const char *Why = "nothing is known about the data";
};
Likelihood likelihood(const llvm::Value *Condition);

} // namespace gpuestimate

#endif
