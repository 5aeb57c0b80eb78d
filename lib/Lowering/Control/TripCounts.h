/// \file
/// Trip counts: executions of the body per entry of a loop.
///
/// A loop that tests at its end runs its body 1 + N times, N being the number
/// of passed tests; one that tests at its start, N times; where a test stands
/// in the middle, what has most of the instructions is the body. N is computed
/// from the exit condition: from the difference A + B*c of the two sides at
/// test c for order relations, by logarithms for values that halve or double,
/// else from ScalarEvolution's exit count. The body of a loop that reads a
/// clock until it has advanced counts once: its iterations take no longer than
/// the wait.
#ifndef GPU_ESTIMATE_LIB_LOWERING_CONTROL_TRIPCOUNTS_H
#define GPU_ESTIMATE_LIB_LOWERING_CONTROL_TRIPCOUNTS_H

#include "ClockLoops.h"
#include "Lowering/Values/DataForms.h"
#include "Lowering/Values/Values.h"

namespace gpuestimate {

/// The trip count of a loop without any known bound.
inline constexpr double DefaultTripCount = 16;

/// The compare-and-swap that decides alone when the loop ends, on an address
/// that stays the same: `do { old = x; x = atomicCAS(p, old, f(old)); } while
/// (x != old)`, or a spin lock. Null for other loops.
const llvm::AtomicCmpXchgInst *retriedSwap(const llvm::Loop &L);

/// Whether L tests in Exiting before its body: Exiting is the header, and most
/// of the loop's instructions follow the test. A header with most of them is
/// the body, and the test, of two, stands in the middle.
bool testsAtStart(const llvm::Loop &L, const llvm::BasicBlock &Exiting);

class TripCounts {
public:
  TripCounts(KernelAnalyses &A, Values &V, Unknowns &Names, ExprContext &Ctx)
      : A(A), V(V), Names(Names), Ctx(Ctx) {}

  /// Executions of the body per entry; a `trip@...` unknown where the bound is
  /// data or has no closed form. Null while it is being computed.
  Expr of(const llvm::Loop *L);
  /// The trip count of a loop whose counter meets a bound that is loaded before
  /// it, `j < row[i + 1]`, as a term over the loads; none for other loops.
  DataForms::Form dataForm(const llvm::Loop *L, DataForms &Forms);
  /// The loops so far that last until a clock has advanced; their bodies count
  /// once.
  llvm::ArrayRef<ClockLoop> clockLoops() const { return ClockLoops; }

private:
  /// Executions of the body, or null; an upper bound where Exact is false.
  struct Count {
    Expr Bodies;
    bool Exact = true;
  };
  Expr compute(const llvm::Loop *L);
  Count bodies(const llvm::Loop *L, const llvm::BasicBlock *Exiting);
  /// Whether E contains the counter of a loop that does not surround L, which
  /// has no value there: ScalarEvolution leaves it where the loop has several
  /// exits.
  bool countsWithEndedLoop(Expr E, const llvm::Loop &L);
  Count conditionCount(const llvm::Loop *L, const llvm::Value *Stay,
                       bool Negated, bool AtStart);
  Expr compareCount(const llvm::Loop *L, const llvm::ICmpInst &C, bool Negated,
                    bool AtStart);
  /// The count for a difference D of the two sides, which may contain data.
  Expr countOf(const llvm::Loop *L, const llvm::ICmpInst &C,
               llvm::CmpInst::Predicate P, bool AtStart, Expr D);
  /// The count of a bisection, `while (low < high) { middle = (low + high) / 2;
  /// ... low = middle + 1 or high = middle }`: floor(log2(high - low)) + 1.
  Expr bisectionCount(const llvm::Loop *L, const llvm::ICmpInst &C);
  Expr shiftCount(const llvm::Loop *L, const llvm::ICmpInst &C,
                  llvm::CmpInst::Predicate P, bool AtStart);
  bool guarded(const llvm::Loop *L, const llvm::ICmpInst &C,
               llvm::CmpInst::Predicate P, Expr BeforeFirst);
  /// IsOnlyExit: the loop ends at Exiting alone.
  Expr unknown(const llvm::Loop *L, std::optional<Expr> UpperBound,
               const llvm::BasicBlock *Exiting, bool IsOnlyExit);
  /// Whether the loop stays at Exiting until its counter meets a bound that
  /// does not change.
  bool countsToBound(const llvm::Loop *L,
                     const llvm::BasicBlock *Exiting) const;

  KernelAnalyses &A;
  Values &V;
  Unknowns &Names;
  ExprContext &Ctx;
  llvm::DenseMap<const llvm::Loop *, Expr> Memo;
  llvm::SmallVector<ClockLoop, 2> ClockLoops;
};

} // namespace gpuestimate

#endif
