#include "Recurrences.h"

#include "IntegerValues.h"
#include "gpu-estimate/Support/WorkBudget.h"
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

Expr Recurrences::placeholderOf(const llvm::PHINode *Phi) const {
  for (const auto &[OpenPhi, Placeholder] : Open)
    if (OpenPhi == Phi)
      return Placeholder;
  return {};
}

Expr Recurrences::closedForm(const llvm::PHINode &Phi, const llvm::Loop *L) {
  if (Expr Placeholder = placeholderOf(&Phi))
    return Placeholder;
  Expr Value = valueOf(of(&Phi), L);
  return Value ? Value : Integers.opaque(&Phi);
}

Expr Recurrences::closedForm(const llvm::PHINode &Phi, const llvm::Loop *L,
                             Expr Start, llvm::function_ref<Expr()> Next) {
  Expr Placeholder = newPlaceholder();
  Expr E = withPlaceholder(Phi, Placeholder, Next);
  if (!E)
    return {};
  return valueOf(E.dependsOn(Placeholder.name())
                     ? match(Start, E, Placeholder, L)
                     : delayed(Start, E, L),
                 L);
}

/// The value of a phi of L in terms of L's counter; null for None.
Expr Recurrences::valueOf(const Recurrence &R, const llvm::Loop *L) {
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
  case Recurrence::Formula:
    return R.Step;
  case Recurrence::None:
    return {};
  }
  return {};
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

Expr Recurrences::newPlaceholder() {
  return Ctx.parameter("\x03phi" + std::to_string(Open.size()));
}

Expr Recurrences::withPlaceholder(const llvm::PHINode &Phi, Expr Placeholder,
                                  llvm::function_ref<Expr()> Next) {
  Open.push_back({&Phi, Placeholder});
  Temporaries.emplace_back();
  Expr E = Next();
  Temporaries.pop_back();
  Open.pop_back();
  return E;
}

Recurrence Recurrences::compute(const llvm::PHINode &Phi, const llvm::Loop *L) {
  const llvm::BasicBlock *Latch = L->getLoopLatch(),
                         *Before = L->getLoopPredecessor();
  if (!Latch || !Before || Phi.getNumIncomingValues() != 2 ||
      !Phi.getType()->isIntegerTy())
    return {};
  const llvm::Value *Initial = Phi.getIncomingValueForBlock(Before);
  const llvm::Value *Next = Phi.getIncomingValueForBlock(Latch);

  Expr Placeholder = newPlaceholder();
  Expr E = withPlaceholder(Phi, Placeholder, [&] { return Integers.of(Next); });
  Expr Start = Integers.of(Initial);
  if (!Start)
    return {};
  if (!E.dependsOn(Placeholder.name()))
    return delayed(Start, E, L);
  return match(Start, E, Placeholder, L);
}

/// Numbers Low + (First + Step * n) mod (|Step| * Period), n = 0, 1, ...
struct Cycle {
  double Low, First, Step, Period;
};

/// The cycle of which Values are one period; Values[0] is its beginning.
static std::optional<Cycle> fitCycle(llvm::ArrayRef<double> Values) {
  double Low = *llvm::min_element(Values), Period = double(Values.size());
  for (size_t N = 0; N + 1 < Values.size() && N < 2; ++N) {
    Cycle C = {Low, Values[0] - Low, Values[N + 1] - Values[N], Period};
    double Modulus = std::abs(C.Step) * Period;
    auto At = [&](double I) {
      double X = C.First + C.Step * I;
      return Low + X - Modulus * std::floor(X / Modulus);
    };
    bool Fits = Modulus > 0;
    for (size_t I = 0; I < Values.size() && Fits; ++I)
      Fits = At(double(I)) == Values[I];
    if (Fits)
      return C;
  }
  return {};
}

static constexpr unsigned MaxPeriod = 64;

Recurrence Recurrences::ring(Expr Start, Expr Next, Expr Placeholder,
                             const llvm::Loop *L) {
  std::optional<double> First = Start.asConstant();
  if (!First)
    return {};
  llvm::SmallVector<double> Values = {*First};
  while (Values.size() <= MaxPeriod) {
    llvm::StringMap<Expr> Now;
    Now[Placeholder.name()] = Ctx.constant(Values.back());
    std::optional<double> Value = Ctx.substitute(Next, Now).asConstant();
    if (!Value || !spendWork())
      return {};
    if (*Value == *First)
      break;
    Values.push_back(*Value);
  }
  std::optional<Cycle> C;
  if (Values.size() <= MaxPeriod)
    C = fitCycle(Values);
  if (!C)
    return {};
  Recurrence R;
  R.Kind = Recurrence::Formula;
  R.Start = Start;
  R.Step = C->Low + Ctx.mod(C->First + C->Step * Context.counter(L),
                            Ctx.constant(std::abs(C->Step) * C->Period));
  return R;
}

Recurrence Recurrences::saturating(Expr Start, Expr Step, const llvm::Loop *L) {
  // Step = Amount * (Low < High), or * (Low <= High).
  Expr Condition = Step, Amount = Ctx.constant(1);
  if (Step.kind() == ExprKind::Select && Step.operands()[2].isConstant(0)) {
    Condition = Step.operands()[0];
    Amount = Step.operands()[1];
  } else if (Step.kind() == ExprKind::Mul) {
    llvm::SmallVector<Expr> Rest;
    for (Expr Factor : Step.operands())
      if (Context.isInvariant(Factor, L))
        Rest.push_back(Factor);
      else
        Condition = Factor;
    if (Rest.size() + 1 != Step.operands().size())
      return {};
    Amount = Ctx.mul(Rest);
  }
  bool OrEqual = Condition.kind() == ExprKind::LessEqual;
  if ((!OrEqual && Condition.kind() != ExprKind::Less) ||
      !Context.isInvariant(Amount, L))
    return {};
  Expr N = Context.counter(L);
  Expr Room = Condition.operands()[1] - Condition.operands()[0] +
              (OrEqual ? 1.0 : 0.0); // > 0 while the condition holds
  auto InIteration = [&](Expr Iteration) {
    llvm::StringMap<Expr> Values;
    Values[N.name()] = Iteration;
    return Ctx.substitute(Room, Values);
  };
  Expr First = InIteration(Ctx.constant(0));
  std::optional<double> Change = (InIteration(N + 1) - Room).asConstant();
  if (!Change || *Change >= 0 || !Context.isInvariant(First, L))
    return {};
  Expr Times = Ctx.ceilDiv(First, Ctx.constant(-*Change));
  Recurrence R;
  R.Kind = Recurrence::Formula;
  R.Start = Start;
  R.Step = Start + Amount * Ctx.min({N, Ctx.max({Times, Ctx.constant(0)})});
  return R;
}

Recurrence Recurrences::accumulated(Expr Start, Expr Step,
                                    const llvm::Loop *L) {
  if (Recurrence R = saturating(Start, Step, L); R.Kind != Recurrence::None)
    return R;
  // A step that repeats, as that of a pointer into a ring of buffers.
  Expr N = Context.counter(L);
  if (Step.parameters().size() != 1)
    return {};
  llvm::SmallVector<double> Steps;
  for (unsigned I = 0; I < 2 * MaxPeriod; ++I) {
    llvm::StringMap<Expr> Values;
    Values[N.name()] = Ctx.constant(I);
    std::optional<double> Value = Ctx.substitute(Step, Values).asConstant();
    if (!Value || !spendWork())
      return {};
    Steps.push_back(*Value);
  }
  unsigned Period = 1;
  auto Repeats = [&] {
    for (unsigned I = Period; I < Steps.size(); ++I)
      if (Steps[I] != Steps[I - Period])
        return false;
    return true;
  };
  while (Period <= MaxPeriod && !Repeats())
    ++Period;
  if (Period > MaxPeriod)
    return {};
  llvm::SmallVector<double> Values = {0};
  for (unsigned I = 0; I + 1 < Period; ++I)
    Values.push_back(Values.back() + Steps[I]);
  double PerPeriod = Values.back() + Steps[Period - 1];
  std::optional<Cycle> C = fitCycle(Values);
  if (!C)
    return {};
  Recurrence R;
  R.Kind = Recurrence::Formula;
  R.Start = Start;
  R.Step = Start + PerPeriod * Ctx.floorDiv(N, Ctx.constant(Period)) + C->Low +
           Ctx.mod(C->First + C->Step * N,
                   Ctx.constant(std::abs(C->Step) * C->Period));
  return R;
}

Recurrence Recurrences::match(Expr Start, Expr E, Expr Placeholder,
                              const llvm::Loop *L) {
  Recurrence R;
  R.Start = Start;
  Expr Step = E - Placeholder;
  if (!Step.dependsOn(Placeholder.name())) {
    if (!Context.isInvariant(Step, L))
      return accumulated(Start, Step, L);
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
  return ring(Start, E, Placeholder, L);
}

} // namespace gpuestimate
