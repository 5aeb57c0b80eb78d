#include "Recurrences.h"

#include "IntegerValues.h"
#include <cmath>

namespace gpuestimate {

bool Recurrences::dependsOnOpenPhi(Expr E) const {
  return llvm::any_of(
      Open, [&](const auto &P) { return E.dependsOn(P.second.name()); });
}

Expr Recurrences::findTemporary(const llvm::Value *V) const {
  for (const auto &Scope : Temporaries)
    if (auto Entry = Scope.find(V); Entry != Scope.end())
      return Entry->second;
  return {};
}

Expr Recurrences::closedForm(const llvm::PHINode &Phi, const llvm::Loop *L) {
  for (const auto &[OpenPhi, Placeholder] : Open)
    if (OpenPhi == &Phi)
      return Placeholder;
  Recurrence R = of(&Phi);
  Expr N = Context.counter(L);
  switch (R.Kind) {
  case Recurrence::Affine:
    return R.Start + R.Step * N;
  case Recurrence::Halving:
    return Ctx.floorDiv(
        R.Start,
        Ctx.shiftLeft(Ctx.constant(1), static_cast<double>(R.Shift) * N));
  case Recurrence::Doubling:
    return Ctx.shiftLeft(R.Start, static_cast<double>(R.Shift) * N);
  case Recurrence::Alternating:
    return Ctx.select(Ctx.equal(Ctx.mod(N, Ctx.constant(2)), Ctx.constant(0)),
                      R.Start, R.Step - R.Start);
  case Recurrence::Cyclic:
    return Ctx.mod(R.Start + R.Step * N, R.Modulus);
  case Recurrence::Delayed:
    return Ctx.select(Ctx.equal(N, Ctx.constant(0)), R.Start, R.Step);
  case Recurrence::None:
    return Integers.opaque(&Phi);
  }
  return Integers.opaque(&Phi);
}

Recurrence Recurrences::of(const llvm::PHINode *Phi) {
  if (auto Entry = Memo.find(Phi); Entry != Memo.end())
    return Entry->second;
  const llvm::Loop *L = A.LI.getLoopFor(Phi->getParent());
  Recurrence R = compute(*Phi, L);
  // A recurrence in terms of the placeholder of an outer phi is temporary.
  bool IsTemporary =
      R.Kind != Recurrence::None &&
      (dependsOnOpenPhi(R.Start) || (R.Step && dependsOnOpenPhi(R.Step)) ||
       (R.Modulus && dependsOnOpenPhi(R.Modulus)));
  if (!IsTemporary)
    Memo[Phi] = R;
  return R;
}

Recurrence Recurrences::delayed(Expr Start, Expr Next, const llvm::Loop *L) {
  // The value that another open phi of L had in the previous iteration is not
  // its placeholder.
  for (const auto &[Phi, Placeholder] : Open)
    if (L->contains(Phi) && Next.dependsOn(Placeholder.name()))
      return {};
  Expr N = Context.counter(L);
  auto InIteration = [&](Expr Iteration) {
    llvm::StringMap<Expr> Values;
    Values[N.name()] = Iteration;
    return Ctx.substitute(Next, Values);
  };
  if (!Context.isInvariant(InIteration(Ctx.constant(0)), L))
    return {};
  Recurrence R;
  R.Start = Start;
  R.Step = InIteration(N - 1);
  // A copy of a value that starts one step earlier has one form throughout.
  if (Start == InIteration(Ctx.constant(-1))) {
    Expr Step = Next - R.Step;
    if (Context.isInvariant(Step, L)) {
      R.Kind = Recurrence::Affine;
      R.Step = Step;
      return R;
    }
  }
  R.Kind = Recurrence::Delayed;
  return R;
}

Recurrence Recurrences::compute(const llvm::PHINode &Phi, const llvm::Loop *L) {
  const llvm::BasicBlock *Latch = L->getLoopLatch(),
                         *Before = L->getLoopPredecessor();
  if (!Latch || !Before || Phi.getNumIncomingValues() != 2 ||
      !Phi.getType()->isIntegerTy())
    return {};
  const llvm::Value *Initial = Phi.getIncomingValueForBlock(Before);
  const llvm::Value *Next = Phi.getIncomingValueForBlock(Latch);

  Expr Placeholder = Ctx.parameter("\x03phi" + std::to_string(Open.size()));
  Open.push_back({&Phi, Placeholder});
  Temporaries.emplace_back();
  Expr E = Integers.of(Next);
  Temporaries.pop_back();
  Open.pop_back();

  Recurrence R;
  R.Start = Integers.of(Initial);
  if (!R.Start)
    return {};
  if (!E.dependsOn(Placeholder.name()))
    return delayed(R.Start, E, L);
  Expr Step = E - Placeholder;
  if (!Step.dependsOn(Placeholder.name())) {
    if (!Context.isInvariant(Step, L))
      return {};
    R.Kind = Recurrence::Affine;
    R.Step = Step;
    return R;
  }
  // c - x, and x ^ c, which equals it when x is 0 or c.
  if (Expr Sum = E + Placeholder;
      !Sum.dependsOn(Placeholder.name()) && Context.isInvariant(Sum, L)) {
    R.Kind = Recurrence::Alternating;
    R.Step = Sum;
    return R;
  }
  if (E.kind() == ExprKind::BitXor &&
      llvm::is_contained(E.operands(), Placeholder)) {
    Expr Constant =
        E.operands()[0] == Placeholder ? E.operands()[1] : E.operands()[0];
    if (Context.isInvariant(Constant, L) &&
        (R.Start.isConstant(0) || R.Start == Constant)) {
      R.Kind = Recurrence::Alternating;
      R.Step = Constant;
      return R;
    }
  }
  // (x + a) mod m, with a start that is below m.
  if (E.kind() == ExprKind::Mod) {
    Expr Step = E.operands()[0] - Placeholder, Modulus = E.operands()[1];
    bool StartsBelow =
        R.Start.range().Low >= 0 && (Modulus - R.Start).range().Low > 0;
    if (StartsBelow && !Step.dependsOn(Placeholder.name()) &&
        Context.isInvariant(Step, L) && Context.isInvariant(Modulus, L)) {
      R.Kind = Recurrence::Cyclic;
      R.Step = Step;
      R.Modulus = Modulus;
      return R;
    }
  }
  // x/2, x/4, ...
  if (E.kind() == ExprKind::FloorDiv && E.operands()[0] == Placeholder)
    if (std::optional<double> Divisor = E.operands()[1].asConstant();
        Divisor && *Divisor >= 2) {
      double Log = std::log2(*Divisor);
      if (Log == std::floor(Log)) {
        R.Kind = Recurrence::Halving;
        R.Shift = static_cast<unsigned>(Log);
        return R;
      }
    }
  // 2*x, 4*x, ...
  llvm::StringMap<Expr> AtOne;
  AtOne[Placeholder.name()] = Ctx.constant(1);
  if (std::optional<double> Factor = Ctx.substitute(E, AtOne).asConstant();
      Factor && *Factor >= 2) {
    double Log = std::log2(*Factor);
    if (Log == std::floor(Log) && E == *Factor * Placeholder) {
      R.Kind = Recurrence::Doubling;
      R.Shift = static_cast<unsigned>(Log);
      return R;
    }
  }
  return {};
}

} // namespace gpuestimate
