/// \file
/// Internals of the Symbolic library: the node, the context's tables and the
/// helpers that the simplification files share.
#ifndef GPU_ESTIMATE_LIB_SYMBOLIC_EXPRIMPL_H
#define GPU_ESTIMATE_LIB_SYMBOLIC_EXPRIMPL_H

#include "gpu-estimate/Symbolic/Expr.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Allocator.h"
#include <limits>

namespace gpuestimate {

inline constexpr double Infinity = std::numeric_limits<double>::infinity();
inline constexpr double NotANumber = std::numeric_limits<double>::quiet_NaN();

/// A product of more factors than this is one factor of the products that it
/// becomes part of. Otherwise the condition of the n-th branch of a chain of
/// else-ifs would have n factors, and all of them n^2.
inline constexpr size_t MaxFlatFactors = 64;

/// One term. IsInteger and Range are facts about its values, computed once
/// when it is built; both may be weaker than the truth, never stronger.
struct ExprNode {
  ExprContext *Context;
  ExprKind Kind;
  bool IsInteger = false;
  /// Terms on the longest way down to a leaf: 0 for a leaf.
  uint16_t Depth = 0;
  unsigned Hash = 0;
  /// Bit set of the hashes of free (and, harmlessly, bound) parameter names:
  /// a clear bit proves independence without a walk.
  uint64_t NameMask = 0;
  double Value = 0;
  Interval Range = {-Infinity, Infinity};
  llvm::StringRef Name; ///< unique storage per context: compare by pointer
  llvm::ArrayRef<Expr> Operands;
};

/// Hash-consing looks terms up by structure.
struct ExprNodeInfo {
  static ExprNode *getEmptyKey() {
    return llvm::DenseMapInfo<ExprNode *>::getEmptyKey();
  }
  static ExprNode *getTombstoneKey() {
    return llvm::DenseMapInfo<ExprNode *>::getTombstoneKey();
  }
  static unsigned getHashValue(const ExprNode *N) { return N->Hash; }
  static bool isEqual(const ExprNode *A, const ExprNode *B);
};

struct ExprContext::Impl {
  llvm::BumpPtrAllocator Arena;
  llvm::DenseSet<ExprNode *, ExprNodeInfo> Nodes;
  llvm::StringMap<Interval> Names; ///< interned names and assumed ranges
  bool TooDeep = false;            ///< a term was refused

  llvm::StringRef internName(llvm::StringRef Name);
  /// The unique node of this structure; nothing is simplified.
  Expr intern(ExprContext &C, ExprKind Kind, llvm::ArrayRef<Expr> Operands,
              double Value = 0, llvm::StringRef Name = {});
};

/// Unsimplified construction, for the ends of the simplification functions.
inline Expr makeNode(ExprContext &C, ExprKind Kind,
                     llvm::ArrayRef<Expr> Operands) {
  return C.impl().intern(C, Kind, Operands);
}

uint64_t nameMask(llvm::StringRef Name);

/// Computes facts about a new node from those of its operands (Bound.cpp).
bool computeIsInteger(const ExprNode &N);
/// The interval of N from the intervals of its operands. For Sum the callee
/// is asked for the count first.
Interval intervalOf(const ExprNode &N,
                    llvm::function_ref<Interval(Expr)> OperandRange);

/// Total structural orders, the same in every context. Terms (of a sum): by
/// falling degree, then factors, then coefficient. Factors (of a product):
/// parameters by name first, constants last.
int compareTerms(Expr A, Expr B);
int compareFactors(Expr A, Expr B);
inline bool termLess(Expr A, Expr B) { return compareTerms(A, B) < 0; }
inline bool factorLess(Expr A, Expr B) { return compareFactors(A, B) < 0; }

/// Coefficient * Base, where Base is neither a constant nor a sum and carries
/// no constant factor.
struct LinearTerm {
  double Coefficient;
  Expr Base;
};
/// sum of Terms + Constant, as a canonical sum is read.
struct LinearForm {
  llvm::SmallVector<LinearTerm, 6> Terms;
  double Constant = 0;
};
LinearForm linearForm(Expr E);
/// The factors of a term without its constant factor (E itself if no product).
llvm::ArrayRef<Expr> factorsOf(const Expr &E);
/// Rebuilds a sum; coefficients may have changed, bases not.
Expr fromLinearForm(ExprContext &C, const LinearForm &L);
Expr scaled(ExprContext &C, double Coefficient, Expr E);
/// Returns Factors without those of Taken; nullopt if Factors lacks one of
/// them.
std::optional<llvm::SmallVector<Expr, 4>>
factorsWithout(llvm::ArrayRef<Expr> Factors, llvm::ArrayRef<Expr> Taken);

/// A == Quotient * B + Remainder with an integer Quotient, as far as the form
/// of A shows multiples of B.
struct Multiples {
  Expr Quotient, Remainder;
};
Multiples extractMultiples(ExprContext &C, Expr A, Expr B);
/// The integer k such that k <= E/Divisor < k + 1 for all values of E.
std::optional<double> constantFloor(Expr E, double Divisor);
/// A == G * Multiple + Remainder, where floor(Remainder/G) is always Floor and
/// G divides Divisor: parts of A below the granularity G do not change a
/// quotient.
struct Granularity {
  double G;
  double Floor;
  Expr Multiple, Remainder;
};
std::optional<Granularity> findGranularity(ExprContext &C, const LinearForm &L,
                                           double Divisor);

/// Greatest common divisor of two integers held in doubles below 2^53.
double gcdOf(double A, double B);
/// An integer of magnitude at most 2^53.
bool isWhole(double Value);
/// k when Value == 2^k, k in 0..62.
std::optional<unsigned> exactLog2(double Value);

/// The value of an operation on constants, nullopt when undefined.
std::optional<double> foldBinary(ExprKind Kind, double A, double B);

/// Substitution of terms for parameters into context C (Rewrite.cpp).
Expr rewrite(ExprContext &C, Expr E, const llvm::StringMap<Expr> &Replacements);

} // namespace gpuestimate

#endif
