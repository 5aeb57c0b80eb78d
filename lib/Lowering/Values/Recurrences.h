/// \file
/// Closed forms of header phis.
#ifndef GPU_ESTIMATE_LIB_LOWERING_VALUES_RECURRENCES_H
#define GPU_ESTIMATE_LIB_LOWERING_VALUES_RECURRENCES_H

#include "ValueContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuestimate {

class IntegerValues;

/// How a header phi changes from one iteration to the next. Shift is in bits.
struct Recurrence {
  enum KindType : uint8_t {
    None,
    Affine,      ///< Start + Step * counter
    Halving,     ///< floor(Start / 2^(Shift * counter))
    Doubling,    ///< Start * 2^(Shift * counter)
    Alternating, ///< Start and Step - Start in turn (two buffers)
    Cyclic,      ///< (Start + Step * counter) mod Modulus
    Delayed,     ///< Start in the first iteration, then Step
    Formula      ///< Step, an expression of the counter
  };
  KindType Kind = None;
  Expr Start, Step, Modulus;
  unsigned Shift = 0;
};

/// Finds the recurrence of a header phi: the value of the back edge is computed
/// with a placeholder parameter for the phi, and its form is matched. Values
/// that contain a placeholder are temporary: they are memoised only until the
/// phi's recurrence is found.
class Recurrences {
public:
  Recurrences(ValueContext &Context, IntegerValues &Integers)
      : Context(Context), A(Context.A), Ctx(Context.Ctx), Integers(Integers) {}

  Recurrence of(const llvm::PHINode *Phi);
  /// The value of Phi, a phi in the header of L, in terms of L's counter; an
  /// unknown where it has no closed form.
  Expr closedForm(const llvm::PHINode &Phi, const llvm::Loop *L);

  /// The offset of Phi, a pointer in the header of L that Start.Offset begins
  /// at, in terms of L's counter; null where it has no closed form. Next gives
  /// the pointer of the next iteration, during which Phi's offset is a
  /// placeholder.
  Expr closedForm(const llvm::PHINode &Phi, const llvm::Loop *L, Expr Start,
                  llvm::function_ref<Expr()> Next);
  /// The placeholder of Phi while its recurrence is being computed, or null.
  Expr placeholderOf(const llvm::PHINode *Phi) const;

  /// Does E contain a placeholder?
  bool dependsOnOpenPhi(Expr E) const;
  /// The memoised temporary value of V, or null.
  Expr findTemporary(const llvm::Value *V) const;
  void keepTemporary(const llvm::Value *V, Expr E) {
    Temporaries.back()[V] = E;
  }

private:
  Recurrence compute(const llvm::PHINode &Phi, const llvm::Loop *L);
  Expr newPlaceholder();
  /// The value of Next() while Phi is Placeholder.
  Expr withPlaceholder(const llvm::PHINode &Phi, Expr Placeholder,
                       llvm::function_ref<Expr()> Next);
  Expr valueOf(const Recurrence &R, const llvm::Loop *L);
  /// A value that begins at Start and becomes Next, an expression of
  /// Placeholder.
  Recurrence match(Expr Start, Expr Next, Expr Placeholder,
                   const llvm::Loop *L);
  /// x + Step, where Step depends on the counter of L.
  Recurrence accumulated(Expr Start, Expr Step, const llvm::Loop *L);
  /// Step is a constant while a comparison with the counter holds, and then 0:
  /// `if (tiles > 0) ++next`.
  Recurrence saturating(Expr Start, Expr Step, const llvm::Loop *L);
  /// Numbers that repeat after at most MaxPeriod iterations, such as the index
  /// of a ring of buffers: `i = i == 3 ? 0 : i + 1`.
  Recurrence ring(Expr Start, Expr Next, Expr Placeholder, const llvm::Loop *L);
  /// A phi of L that starts at Start and takes Next, a value that does not
  /// depend on it, from the previous iteration (a copy of the counter that lags
  /// behind, a flag of the first iteration).
  Recurrence delayed(Expr Start, Expr Next, const llvm::Loop *L);

  ValueContext &Context;
  KernelAnalyses &A;
  ExprContext &Ctx;
  IntegerValues &Integers;
  llvm::DenseMap<const llvm::PHINode *, Recurrence> Memo;
  /// Phis whose recurrence is being computed, each with its placeholder.
  llvm::SmallVector<std::pair<const llvm::PHINode *, Expr>, 4> Open;
  /// Temporary values, parallel to Open.
  llvm::SmallVector<llvm::DenseMap<const llvm::Value *, Expr>, 4> Temporaries;
};

} // namespace gpuestimate

#endif
