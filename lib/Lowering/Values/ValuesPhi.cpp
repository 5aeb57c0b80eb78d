/// \file
/// Values that depend on the path: joins, values that leave a loop, and the
/// closed forms of values that change from iteration to iteration.
#include "Values.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include <cmath>

namespace gpuestimate {

Values::Join Values::joinOf(const llvm::PHINode &Phi) const {
  if (Phi.getNumIncomingValues() != 2)
    return {};
  const llvm::BasicBlock *Here = Phi.getParent();
  const auto *Node = A.DT.getNode(Here);
  if (!Node || !Node->getIDom())
    return {};
  const llvm::BasicBlock *Above = Node->getIDom()->getBlock();
  if (const auto *Switch =
          llvm::dyn_cast<llvm::SwitchInst>(Above->getTerminator()))
    return joinOf(Phi, *Switch);
  const auto *Branch = llvm::dyn_cast<llvm::BranchInst>(Above->getTerminator());
  if (!Branch || !Branch->isConditional() ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return {};
  // A value may only be chosen by a branch of the same iteration.
  if (A.LI.getLoopFor(Above) != A.LI.getLoopFor(Here))
    return {};
  Join J;
  J.Condition = Branch->getCondition();
  for (unsigned I = 0; I < 2; ++I) {
    const llvm::BasicBlock *From = Phi.getIncomingBlock(I);
    for (unsigned Side = 0; Side < 2; ++Side) {
      llvm::BasicBlockEdge Edge(Above, Branch->getSuccessor(Side));
      bool Direct = From == Above && Branch->getSuccessor(Side) == Here;
      if (Direct || (From != Above && A.DT.dominates(Edge, From)))
        (Side == 0 ? J.IfTrue : J.IfFalse) = Phi.getIncomingValue(I);
    }
  }
  return J.IfTrue && J.IfFalse ? J : Join{};
}

/// Where two cases of a switch meet again, one of them tells which it was: the
/// join is only reached from the two (`if (i == 0) ... else if (i == 15) ...`
/// with the same statement at both ends).
Values::Join Values::joinOf(const llvm::PHINode &Phi,
                            const llvm::SwitchInst &Switch) const {
  const llvm::BasicBlock *Here = Phi.getParent(), *Above = Switch.getParent();
  if (A.LI.getLoopFor(Above) != A.LI.getLoopFor(Here))
    return {};
  for (unsigned I = 0; I < 2; ++I) {
    const llvm::BasicBlock *From = Phi.getIncomingBlock(I);
    for (const auto &Case : Switch.cases()) {
      llvm::BasicBlockEdge Edge(Above, Case.getCaseSuccessor());
      if (!Edge.isSingleEdge() || From == Above || !A.DT.dominates(Edge, From))
        continue;
      return {Switch.getCondition(), Phi.getIncomingValue(I),
              Phi.getIncomingValue(1 - I), Case.getCaseValue()};
    }
  }
  return {};
}

Expr Values::conditionOf(const Join &J) {
  Expr C = of(J.Condition);
  return J.Case ? Ctx.equal(C, Ctx.constant(J.Case->getSExtValue())) : C;
}

Expr Values::atExit(Expr E, const llvm::Loop *L) {
  Expr Counter = counter(L);
  if (!E.dependsOn(Counter.name()))
    return E;
  Expr Trips = TripCountOf ? TripCountOf(L) : Expr();
  if (!Trips)
    return {};
  llvm::StringMap<Expr> Last;
  Last[Counter.name()] = Trips.range().Low >= 1
                             ? Trips - 1
                             : Ctx.max({Trips - 1, Ctx.constant(0)});
  return Ctx.substitute(E, Last);
}

Expr Values::computePhi(const llvm::PHINode &Phi) {
  const llvm::Loop *L = A.LI.getLoopFor(Phi.getParent());
  if (L && L->getHeader() == Phi.getParent())
    return computeHeaderPhi(Phi, L);
  // A value that leaves loops: its value in their last iteration.
  if (const llvm::Value *Same = Phi.hasConstantValue()) {
    Expr E = of(Same);
    const auto *From = llvm::dyn_cast<llvm::Instruction>(Same);
    for (const llvm::Loop *Left = From ? A.LI.getLoopFor(From->getParent())
                                       : nullptr;
         Left && !Left->contains(Phi.getParent());
         Left = Left->getParentLoop()) {
      // A loop with several ways out may leave with an earlier value.
      E = Left->getExitingBlock() || !E.dependsOn(counter(Left).name())
              ? atExit(E, Left)
              : Expr();
      if (!E)
        return opaque(&Phi);
    }
    return E;
  }
  if (Join J = joinOf(Phi); J.Condition) {
    Expr C = conditionOf(J);
    if (!Names.contains(C))
      return Ctx.select(C, of(J.IfTrue), of(J.IfFalse));
  }
  return opaque(&Phi);
}

Expr Values::computeHeaderPhi(const llvm::PHINode &Phi, const llvm::Loop *L) {
  for (const auto &[OpenPhi, StandIn] : Open)
    if (OpenPhi == &Phi)
      return StandIn;
  Recurrence R = recurrence(&Phi);
  Expr N = counter(L);
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
  case Recurrence::None:
    return opaque(&Phi);
  }
  return opaque(&Phi);
}

Recurrence Values::recurrence(const llvm::PHINode *Phi) {
  if (auto Known = Recurrences.find(Phi); Known != Recurrences.end())
    return Known->second;
  const llvm::Loop *L = A.LI.getLoopFor(Phi->getParent());
  Recurrence R = computeRecurrence(*Phi, L);
  // With the stand-in of an outer phi in it, it holds only for now.
  bool ForNow =
      R.Kind != Recurrence::None &&
      (dependsOnOpenPhi(R.Start) || (R.Step && dependsOnOpenPhi(R.Step)) ||
       (R.Modulus && dependsOnOpenPhi(R.Modulus)));
  if (!ForNow)
    Recurrences[Phi] = R;
  return R;
}

Recurrence Values::computeRecurrence(const llvm::PHINode &Phi,
                                     const llvm::Loop *L) {
  const llvm::BasicBlock *Latch = L->getLoopLatch(),
                         *Before = L->getLoopPredecessor();
  if (!Latch || !Before || Phi.getNumIncomingValues() != 2 ||
      !Phi.getType()->isIntegerTy())
    return {};
  const llvm::Value *Initial = Phi.getIncomingValueForBlock(Before);
  const llvm::Value *Next = Phi.getIncomingValueForBlock(Latch);

  Expr StandIn = Ctx.parameter("\x03phi" + std::to_string(Open.size()));
  Open.push_back({&Phi, StandIn});
  OpenMemo.emplace_back();
  Expr E = of(Next);
  OpenMemo.pop_back();
  Open.pop_back();

  Recurrence R;
  R.Start = of(Initial);
  if (!R.Start)
    return {};
  Expr Step = E - StandIn;
  if (!Step.dependsOn(StandIn.name())) {
    if (!isInvariant(Step, L))
      return {};
    R.Kind = Recurrence::Affine;
    R.Step = Step;
    return R;
  }
  // c - x, and x ^ c, which is the same when x is 0 or c.
  if (Expr Sum = E + StandIn;
      !Sum.dependsOn(StandIn.name()) && isInvariant(Sum, L)) {
    R.Kind = Recurrence::Alternating;
    R.Step = Sum;
    return R;
  }
  if (E.kind() == ExprKind::BitXor &&
      llvm::is_contained(E.operands(), StandIn)) {
    Expr With = E.operands()[0] == StandIn ? E.operands()[1] : E.operands()[0];
    if (isInvariant(With, L) && (R.Start.isConstant(0) || R.Start == With)) {
      R.Kind = Recurrence::Alternating;
      R.Step = With;
      return R;
    }
  }
  // (x + a) mod m, with a start that is below m.
  if (E.kind() == ExprKind::Mod) {
    Expr Step = E.operands()[0] - StandIn, Modulus = E.operands()[1];
    bool Below =
        R.Start.range().Low >= 0 && (Modulus - R.Start).range().Low > 0;
    if (Below && !Step.dependsOn(StandIn.name()) && isInvariant(Step, L) &&
        isInvariant(Modulus, L)) {
      R.Kind = Recurrence::Cyclic;
      R.Step = Step;
      R.Modulus = Modulus;
      return R;
    }
  }
  // x/2, x/4, ...
  if (E.kind() == ExprKind::FloorDiv && E.operands()[0] == StandIn)
    if (std::optional<double> By = E.operands()[1].asConstant();
        By && *By >= 2) {
      double Log = std::log2(*By);
      if (Log == std::floor(Log)) {
        R.Kind = Recurrence::Halving;
        R.Shift = static_cast<unsigned>(Log);
        return R;
      }
    }
  // 2*x, 4*x, ...
  llvm::StringMap<Expr> One;
  One[StandIn.name()] = Ctx.constant(1);
  if (std::optional<double> Factor = Ctx.substitute(E, One).asConstant();
      Factor && *Factor >= 2) {
    double Log = std::log2(*Factor);
    if (Log == std::floor(Log) && E == *Factor * StandIn) {
      R.Kind = Recurrence::Doubling;
      R.Shift = static_cast<unsigned>(Log);
      return R;
    }
  }
  return {};
}

} // namespace gpuestimate
