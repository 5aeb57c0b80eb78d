/// \file
/// Symbolic expressions: immutable, hash-consed terms over named parameters.
///
/// Every value is a double; integer expressions (addresses, trip counts) are
/// exact as long as their magnitude stays below 2^53. Division, modulo and
/// the bit operations are the *floor* kind and expect integer operands.
/// Conditions are ordinary expressions with value 0 or 1 (or a probability
/// between them), so `and` is a product and `not c` is `1 - c`.
///
/// An ExprContext owns its terms; a context is used by one thread at a time
/// and different contexts are independent. Equal terms of one context are the
/// same pointer, so comparison and hashing are O(1) and shared subterms cost
/// nothing.
///
/// Parameters are integers, except those whose name starts with "lat." (a
/// latency) or "p(" (a probability), which are reals. Rules that need integer
/// operands ask Expr::isInteger first. Nothing is known about a parameter's
/// sign or size unless ExprContext::assumeRange says so.
///
/// Undefined values (a division by zero, an unbound parameter) propagate,
/// except through a product with a factor that is exactly 0 and through the
/// arm that a Select does not take.
///
/// Simplification never changes a value for any binding under which the
/// unsimplified term is defined (rounding of reals aside). Printing is
/// deterministic and reads as a person would write it: `ceil(n/256)`, `4*tid.x
/// + 16*n`, `max(a, b)`.
#ifndef GPU_ESTIMATE_SYMBOLIC_EXPR_H
#define GPU_ESTIMATE_SYMBOLIC_EXPR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuestimate {

class ExprContext;
struct ExprNode;

enum class ExprKind : uint8_t {
  Constant,  ///< a double
  Parameter, ///< a named free variable
  Add,       ///< n-ary sum, n >= 2
  Mul,       ///< n-ary product, n >= 2
  Div,       ///< real quotient a/b
  FloorDiv,  ///< floor(a/b)
  CeilDiv,   ///< ceil(a/b); kept as such because people read it so
  Mod,       ///< a - b*floor(a/b): the sign of b
  Min,
  Max, ///< n-ary, n >= 2
  Less,
  LessEqual,
  Equal,
  NotEqual, ///< 0 or 1
  Select,   ///< c != 0 ? a : b
  BitAnd,
  BitOr,
  BitXor,     ///< of the two's complement 64-bit integers
  ShiftLeft,  ///< a * 2^b
  FloorLog2,  ///< floor(log2(a)), 0 for a < 1
  SquareRoot, ///< sqrt(a), 0 for a < 0
  Sum,        ///< sum of body for var = 0 .. count-1; 0 when count <= 0
};

/// Closed interval; either end may be infinite.
struct Interval {
  double Low, High;
  bool operator==(const Interval &) const = default;
};

/// A handle to a term; copying is cheap. A default-constructed Expr is null
/// and only good for being assigned to.
class Expr {
public:
  Expr() = default;
  explicit Expr(const ExprNode *Node) : Node(Node) {}
  explicit operator bool() const { return Node != nullptr; }
  bool operator==(const Expr &) const = default;

  ExprKind kind() const;
  ExprContext &context() const;
  /// Operands in canonical order: a sum's constant last, a product's constant
  /// first; terms of a sum by degree, then name. For Sum: {count, body}.
  llvm::ArrayRef<Expr> operands() const;
  /// Kind must be Constant.
  double constant() const;
  std::optional<double> asConstant() const;
  bool isConstant(double Value) const;
  /// Parameter: its name; Sum: the name of the bound variable.
  llvm::StringRef name() const;

  /// True when every value is an integer, as far as the term's form and the
  /// integrality of parameters (see above) show it.
  bool isInteger() const;
  /// True for terms that are 0 or 1, such as comparisons.
  bool isBoolean() const;
  /// Contains every value under the context's assumed ranges.
  Interval range() const;

  std::string str() const;
  /// Names of the free parameters, sorted.
  std::vector<std::string> parameters() const;
  bool dependsOn(llvm::StringRef Parameter) const;

  const ExprNode *node() const { return Node; }

private:
  const ExprNode *Node = nullptr;
};

/// Parameter name -> value.
using Bindings = llvm::StringMap<double>;

using IntervalBindings = llvm::StringMap<Interval>;

class ExprContext {
public:
  ExprContext();
  ~ExprContext();
  ExprContext(const ExprContext &) = delete;
  ExprContext &operator=(const ExprContext &) = delete;

  Expr constant(double Value);
  Expr parameter(llvm::StringRef Name);
  Expr add(llvm::ArrayRef<Expr> Terms);
  Expr mul(llvm::ArrayRef<Expr> Factors);
  Expr div(Expr A, Expr B);
  Expr floorDiv(Expr A, Expr B);
  Expr ceilDiv(Expr A, Expr B);
  Expr mod(Expr A, Expr B);
  Expr min(llvm::ArrayRef<Expr> Terms);
  Expr max(llvm::ArrayRef<Expr> Terms);
  Expr less(Expr A, Expr B);
  Expr lessEqual(Expr A, Expr B);
  Expr equal(Expr A, Expr B);
  Expr notEqual(Expr A, Expr B);
  Expr select(Expr Condition, Expr IfTrue, Expr IfFalse);
  Expr bitAnd(Expr A, Expr B);
  Expr bitOr(Expr A, Expr B);
  Expr bitXor(Expr A, Expr B);
  Expr shiftLeft(Expr A, Expr B);
  Expr floorLog2(Expr A);
  Expr squareRoot(Expr A);
  /// Sum of Body for Variable = 0 .. Count-1 (Variable becomes bound, in Body
  /// only). Sums of polynomials up to degree 3 in Variable become closed
  /// forms, because a term must not cost more to evaluate when its count
  /// grows; any other sum stays a Sum term and is evaluated by at most
  /// MaxSumTerms samples. A count that is no integer (an average) adds its
  /// fraction of the next term.
  Expr sum(llvm::StringRef Variable, Expr Count, Expr Body);

  /// States that a parameter lies in Range, for the simplification of terms
  /// that are built later; several ranges of a name intersect. A range of a
  /// name that sums bind must hold for the bound variable, too.
  void assumeRange(llvm::StringRef Name, Interval Range);

  /// Multiplies products of sums out, so that equal polynomials become
  /// identical terms. Simplification does not do so, because factors are easier
  /// to read.
  Expr expand(Expr E);
  /// E as a polynomial in Parameter, coefficient of degree k at index k, none
  /// of which depends on it; nullopt when E is none of at most MaxDegree.
  std::optional<std::vector<Expr>> polynomial(Expr E, llvm::StringRef Parameter,
                                              unsigned MaxDegree);

  /// Substitutes terms for parameters (capture-avoiding under Sum).
  Expr substitute(Expr E, const llvm::StringMap<Expr> &Replacements);
  /// Substitutes numbers for parameters and simplifies.
  Expr bind(Expr E, const Bindings &Values);
  /// Rewrites every term, in the same or another context.
  Expr import(Expr E);

  struct Impl;
  Impl &impl() { return *I; }

private:
  std::unique_ptr<Impl> I;
};

/// Above this many terms a Sum is evaluated at this many spread points (one in
/// each of as many equal strata, at offsets that do not beat with periods of
/// the body) and scaled; sums that stay Sum terms are thus approximate for
/// counts above.
inline constexpr unsigned MaxSumTerms = 64;

// Operators for terms of one context.
Expr operator+(Expr A, Expr B);
Expr operator-(Expr A, Expr B);
Expr operator*(Expr A, Expr B);
Expr operator+(Expr A, double B);
Expr operator-(Expr A, double B);
Expr operator-(double A, Expr B);
Expr operator*(double A, Expr B);
inline Expr operator+(double A, Expr B) { return B + A; }
inline Expr operator*(Expr A, double B) { return B * A; }

/// True for the parameter names that stand for reals.
bool isRealParameterName(llvm::StringRef Name);

/// Value under Values; nullopt when it is undefined: a free parameter that
/// matters is unbound, or a division by zero that matters. The reference
/// evaluator: slow, obvious, and the oracle for CompiledExprs.
std::optional<double> evaluate(Expr E, const Bindings &Values);

/// An interval that contains every value of E when each parameter ranges over
/// its interval (others over what assumeRange said of them, else all reals).
Interval bound(Expr E, const IntervalBindings &Ranges);

} // namespace gpuestimate

#endif
