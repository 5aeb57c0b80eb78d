#include "TimeFormula.h"
#include "PathAlgebra.h"
#include "PrintedSize.h"
#include "gpu-estimate/Model/Kernel/LoopTree.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace gpuestimate {
namespace {

/// A time as a formula, and its value on the path that is walked.
struct SymbolicTime {
  Expr E;
  double Value = 0;
};

SymbolicTime operator+(SymbolicTime A, SymbolicTime B) {
  return {A.E + B.E, A.Value + B.Value};
}
SymbolicTime operator-(SymbolicTime A, SymbolicTime B) {
  return {A.E - B.E, A.Value - B.Value};
}
SymbolicTime operator*(SymbolicTime A, SymbolicTime B) {
  return {A.E * B.E, A.Value * B.Value};
}

/// Whether maxima stay in the formula or become the operand that is larger on
/// the path.
enum class Maxima : uint8_t { Kept, Decided };

/// Printed nodes up to which a formula is printed at all.
constexpr size_t MaxNodes = 4000;
/// Operations that are visited at most, and units of work for each.
constexpr unsigned MaxVisits = 20000;
constexpr uint64_t WorkOfOperation = 20;

/// Times are relative to the beginning of a frame: the kernel, the body of a
/// loop, or a block that not all executions enter. So what came before does not
/// appear in the time of a loop's iterations.
class SymbolicWalk {
public:
  SymbolicWalk(const KernelModel &Kernel, const OperationCosts &Costs,
               const WarpConditions &Conditions, const WarpPath &Path,
               FormulaTerms &Terms, Maxima Mode, size_t MostNodes,
               unsigned Charged);

  /// Nothing if the formula is too long for its mode.
  std::optional<TimeFormula> run();
  unsigned visits() const { return Visits; }

private:
  /// When an operation's result is ready: relative to a frame.
  struct Result {
    SymbolicTime Ready;
    size_t Frame = 0; ///< index into Clocks
    bool Exists = false;
  };
  struct CarriedValue {
    unsigned Producer;
    Result Before; ///< of the previous iteration
  };

  SymbolicTime number(double Value) { return {Ctx.constant(Value), Value}; }
  SymbolicTime max(SymbolicTime A, SymbolicTime B);
  SymbolicTime &clock() { return Clocks.back(); }
  /// Ready relative to the present frame.
  SymbolicTime inFrame(const Result &R);
  /// Cycles until R is ready, at least 0.
  SymbolicTime pending(const Result &R);

  void body(const std::vector<RegionNode> &Nodes);
  void block(unsigned Index);
  void loop(unsigned Index);
  void round(unsigned Index);
  void issue(unsigned Op);
  /// Runs Body in a frame of its own, which a share of the executions enters
  /// and which takes Factor * its time. Last: terms for parameters that have a
  /// value only inside. Blocks: whose operations it executes.
  void inOwnFrame(ArrayRef<unsigned> Blocks, SymbolicTime Share,
                  function_ref<void()> Body,
                  function_ref<SymbolicTime(SymbolicTime)> Total,
                  const StringMap<Expr> &Last);
  /// Whether the walk ends here, because the formula is too long.
  bool isTooLong();

  const KernelModel &Kernel;
  const OperationCosts &Costs;
  const WarpConditions &Conditions;
  const WarpPath &Path;
  FormulaTerms &Terms;
  ExprContext &Ctx;
  Maxima Mode;
  size_t MostNodes; ///< of a printed formula
  unsigned Charged; ///< visits for which work is spent already
  PathAlgebra Algebra;
  PrintedSize Size;

  std::vector<SymbolicTime> Clocks; ///< of the frames, the innermost last
  std::vector<Result> Results;      ///< [operation]
  /// [operation] whether any other reads its result, and any of another block
  /// or iteration.
  std::vector<bool> IsUsed, IsUsedLater;
  std::vector<SmallVector<CarriedValue, 4>> Carried; ///< [loop]
  /// [operation][operand] loop that carries it, or -1.
  std::vector<SmallVector<int, 3>> CarriedBy;
  std::vector<SmallVector<unsigned>> BlocksOfLoop; ///< [loop] all inside
  unsigned Visits = 0;
  std::vector<bool> IsWalked; ///< [block]
  bool Ended = false;
};

SymbolicWalk::SymbolicWalk(const KernelModel &Kernel,
                           const OperationCosts &Costs,
                           const WarpConditions &Conditions,
                           const WarpPath &Path, FormulaTerms &Terms,
                           Maxima Mode, size_t MostNodes, unsigned Charged)
    : Kernel(Kernel), Costs(Costs), Conditions(Conditions), Path(Path),
      Terms(Terms), Ctx(Terms.context()), Mode(Mode), MostNodes(MostNodes),
      Charged(Charged), Algebra(Ctx), Results(Kernel.Operations.size()),
      IsUsed(Kernel.Operations.size()), IsUsedLater(Kernel.Operations.size()),
      Carried(Kernel.Loops.size()), CarriedBy(Kernel.Operations.size()),
      BlocksOfLoop(Kernel.Loops.size()) {
  std::vector<int> LoopOfBlock = loopsOfBlocks(Kernel);
  std::vector<unsigned> BlockOf = blocksOfOperations(Kernel);
  for (unsigned B = 0; B < Kernel.Blocks.size(); ++B)
    for (int L = LoopOfBlock[B]; L >= 0; L = Kernel.Loops[L].Parent)
      BlocksOfLoop[L].push_back(B);
  for (unsigned I = 0; I < Kernel.Operations.size(); ++I)
    for (const Operand &O : Kernel.Operations[I].Operands) {
      int Common = O.Carried ? commonLoop(Kernel.Loops, LoopOfBlock[BlockOf[I]],
                                          LoopOfBlock[BlockOf[O.Producer]])
                             : -1;
      CarriedBy[I].push_back(Common);
      IsUsed[O.Producer] = true;
      if (O.Carried || BlockOf[O.Producer] != BlockOf[I])
        IsUsedLater[O.Producer] = true;
      if (Common >= 0 && none_of(Carried[Common], [&](const CarriedValue &C) {
            return C.Producer == O.Producer;
          }))
        Carried[Common].push_back({O.Producer, {}});
    }
}

SymbolicTime SymbolicWalk::max(SymbolicTime A, SymbolicTime B) {
  if (Mode == Maxima::Decided)
    return B.Value > A.Value ? B : A;
  return {Algebra.max(A.E, B.E), std::max(A.Value, B.Value)};
}

SymbolicTime SymbolicWalk::inFrame(const Result &R) {
  SymbolicTime Ready = R.Ready;
  for (size_t F = R.Frame; F + 1 < Clocks.size(); ++F)
    Ready = Ready - Clocks[F];
  return Ready;
}

SymbolicTime SymbolicWalk::pending(const Result &R) {
  if (!R.Exists)
    return number(0);
  return max(number(0), inFrame(R) - clock());
}

bool SymbolicWalk::isTooLong() {
  // Without maxima an operation adds at most a term.
  constexpr unsigned Interval = 64;
  if (Mode == Maxima::Decided && !Ended && Visits % Interval != 0)
    return false;
  Ended = Ended || Algebra.exhausted() || Visits > MaxVisits ||
          Size.of(clock().E) > MostNodes || workExhausted();
  return Ended;
}

void SymbolicWalk::issue(unsigned Index) {
  const Operation &Op = Kernel.Operations[Index];
  SymbolicTime Start = clock();
  for (auto [O, Loop] : zip_equal(Op.Operands, CarriedBy[Index])) {
    const Result *R = &Results[O.Producer];
    if (O.Carried) {
      if (Loop < 0)
        continue;
      R = &find_if(Carried[Loop], [&, P = O.Producer](const CarriedValue &C) {
             return C.Producer == P;
           })->Before;
    }
    if (R->Exists)
      Start = max(Start, inFrame(*R));
  }
  Result &Done = Results[Index];
  Done.Exists = IsUsed[Index];
  Done.Frame = Clocks.size() - 1;
  if (Op.Class == OpClass::Barrier) { // time_sync is added by the model
    Done.Ready = clock() = Start;
    return;
  }
  SymbolicTime Delay{Terms.delay(Op), Costs.issue(Op)};
  SymbolicTime Latency{Terms.latency(Op), Op.wait()
                                              ? Path.WaitCycles[*Op.wait()]
                                              : Costs.latency(Op, Conditions)};
  bool IsAwaited = Op.arrival() || Op.Scope != MatrixScope::Warp;
  if (Op.Scope != MatrixScope::Warp)
    Latency.E = Latency.E + Delay.E; // OperationCosts::latency()
  if (!Op.wait() && !IsAwaited) {
    double OfOne = Latency.Value / (!Op.access() ? Op.Chain : 1);
    Expr Term =
        !Op.access() && Op.Chain > 1 ? Latency.E.operands().back() : Latency.E;
    if (OfOne >= Delay.Value)
      Algebra.assumeAtLeast(Term.name(), Delay.E.name());
  }
  // Each sum sorts the terms of the clock.
  double BeforeChain = Op.Count - std::min(Op.Count, Op.Chain);
  if (Done.Exists)
    Done.Ready =
        Start +
        (BeforeChain > 0 ? number(BeforeChain) * Delay + Latency : Latency);
  clock() = Start + number(Op.Count) * Delay;
}

void SymbolicWalk::inOwnFrame(ArrayRef<unsigned> Inside, SymbolicTime Share,
                              function_ref<void()> Body,
                              function_ref<SymbolicTime(SymbolicTime)> Total,
                              const StringMap<Expr> &Last) {
  // What a skipped execution leaves pending.
  DenseMap<unsigned, SymbolicTime> Skipped;
  bool IsAlways = Share.E.isConstant(1);
  auto forEachInside = [&](function_ref<void(unsigned)> Visit) {
    for (unsigned B : Inside)
      for (unsigned I : Kernel.Blocks[B].operations())
        if (IsUsedLater[I])
          Visit(I);
  };
  if (!IsAlways)
    forEachInside([&](unsigned I) {
      if (Results[I].Exists)
        Skipped[I] = pending(Results[I]);
    });
  Clocks.push_back(number(0));
  Body();
  SymbolicTime Inner = clock();
  DenseMap<unsigned, SymbolicTime> Entered;
  forEachInside([&](unsigned I) {
    if (!Results[I].Exists)
      return;
    SymbolicTime Left = inFrame(Results[I]) - Inner;
    Entered[I] = IsAlways ? Left : max(number(0), Left);
    if (!Last.empty())
      Entered[I].E = Ctx.substitute(Entered[I].E, Last);
  });
  Clocks.pop_back();
  clock() = clock() + Share * Total(Inner);
  SymbolicTime Rest = number(1) - Share;
  for (auto &[I, Left] : Entered) {
    SymbolicTime Pending = Share * Left;
    if (auto Before = Skipped.find(I); Before != Skipped.end())
      Pending = Pending + Rest * Before->second;
    Results[I] = {clock() + Pending, Clocks.size() - 1, true};
  }
}

void SymbolicWalk::block(unsigned Index) {
  const BasicBlock &B = Kernel.Blocks[Index];
  SymbolicTime Share{Terms.import(B.Active),
                     std::min(1.0, Path.BlockShare[Index])};
  if (Share.E.isConstant(0))
    return;
  auto Body = [&] {
    for (unsigned I = B.FirstOp; I < B.EndOp && !isTooLong(); ++I) {
      issue(I);
      // A second walk spends only for what the first one has not visited.
      if (++Visits > Charged)
        spendWork(WorkOfOperation);
    }
    IsWalked[Index] = !Ended;
  };
  if (Share.E.isConstant(1))
    Body();
  else
    inOwnFrame(Index, Share, Body, [](SymbolicTime T) { return T; }, {});
}

void SymbolicWalk::round(unsigned Index) {
  for (CarriedValue &C : Carried[Index]) {
    C.Before = Results[C.Producer];
    if (C.Before.Exists && C.Before.Frame + 1 < Clocks.size())
      C.Before = {inFrame(C.Before), Clocks.size() - 1, true};
  }
  body(Kernel.Loops[Index].Body);
}

void SymbolicWalk::loop(unsigned Index) {
  const Loop &L = Kernel.Loops[Index];
  SymbolicTime Trips{Terms.import(L.TripCount), Path.LoopTrips[Index]};
  SymbolicTime Share{Terms.import(L.Active),
                     Trips.Value > 0 ? std::min(1.0, Path.LoopShare[Index])
                                     : 0};
  if (Share.E.isConstant(0) || Trips.E.isConstant(0))
    return;
  auto Total = [&](SymbolicTime TwoIterations) {
    Expr Half = Ctx.constant(0.5);
    bool Varies = TwoIterations.E.dependsOn(L.Counter);
    Expr All = Varies ? Half * Ctx.sum(L.Counter, Trips.E, TwoIterations.E)
                      : Ctx.div(TwoIterations.E * Trips.E, Ctx.constant(2));
    return SymbolicTime{All, TwoIterations.Value * Trips.Value / 2};
  };
  StringMap<Expr> Last;
  Last[L.Counter] = Trips.E - 1;
  inOwnFrame(
      BlocksOfLoop[Index], Share,
      [&] {
        for (unsigned I = 0; I < 2; ++I)
          round(Index);
      },
      Total, Last);
}

void SymbolicWalk::body(const std::vector<RegionNode> &Nodes) {
  for (const RegionNode &I : Nodes) {
    if (isTooLong())
      return;
    if (I.Kind == RegionNode::IsBlock)
      block(I.Index);
    else
      loop(I.Index);
  }
}

std::optional<TimeFormula> SymbolicWalk::run() {
  Clocks = {number(0)};
  IsWalked.assign(Kernel.Blocks.size(), false);
  body(Kernel.Body);
  if (Ended && Mode == Maxima::Kept)
    return std::nullopt;
  unsigned Blocks = Ended ? count(IsWalked, true) : Kernel.Blocks.size();
  return TimeFormula{Clocks.front().E, Clocks.front().Value, Blocks,
                     Mode == Maxima::Kept};
}

} // namespace

TimeFormula buildTimeFormula(const KernelModel &Kernel,
                             const OperationCosts &Costs,
                             const WarpConditions &Conditions,
                             const WarpPath &Path, FormulaTerms &Terms,
                             size_t MaxNodesWithMaxima) {
  SymbolicWalk WithMaxima(Kernel, Costs, Conditions, Path, Terms, Maxima::Kept,
                          MaxNodesWithMaxima, 0);
  if (std::optional<TimeFormula> F = WithMaxima.run())
    return *F;
  return *SymbolicWalk(Kernel, Costs, Conditions, Path, Terms, Maxima::Decided,
                       MaxNodes, WithMaxima.visits())
              .run();
}

} // namespace gpuestimate
