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
/// Simplification never changes a value for any binding under which the
/// unsimplified term is defined. Printing is deterministic and reads as a
/// person would write it: `ceil(n/256)`, `4*tid.x + 16*n`, `max(a, b)`.
#ifndef GPU_ESTIMATE_SYMBOLIC_EXPR_H
#define GPU_ESTIMATE_SYMBOLIC_EXPR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
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
  Min, Max,  ///< n-ary, n >= 2
  Less, LessEqual, Equal, NotEqual, ///< 0 or 1
  Select,    ///< c != 0 ? a : b
  BitAnd, BitOr, BitXor,            ///< of the two's complement 64-bit integers
  ShiftLeft,                        ///< a * 2^b
  FloorLog2,                        ///< floor(log2(a)), 0 for a < 1
  Sum,       ///< sum of body for var = 0 .. count-1; 0 when count <= 0
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
  /// Operands in canonical order. For Sum: {count, body}.
  llvm::ArrayRef<Expr> operands() const;
  /// Kind must be Constant.
  double constant() const;
  std::optional<double> asConstant() const;
  bool isConstant(double Value) const;
  /// Parameter: its name; Sum: the name of the bound variable.
  llvm::StringRef name() const;

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

/// Closed interval; either end may be infinite.
struct Interval {
  double Low, High;
  bool operator==(const Interval &) const = default;
};
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
  /// Sum of Body for Variable = 0 .. Count-1 (Variable becomes bound). Sums
  /// of polynomials up to degree 3 in Variable become closed forms, because
  /// a term must not cost more to evaluate when its count grows; any other
  /// sum stays a Sum term and is evaluated by at most MaxSumTerms samples.
  Expr sum(llvm::StringRef Variable, Expr Count, Expr Body);

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

/// Above this many terms a Sum is evaluated at this many evenly spread points
/// and scaled; sums that stay Sum terms are thus approximate for counts above.
inline constexpr unsigned MaxSumTerms = 64;

// Operators for terms of one context.
Expr operator+(Expr A, Expr B);
Expr operator-(Expr A, Expr B);
Expr operator*(Expr A, Expr B);
Expr operator+(Expr A, double B);
Expr operator-(Expr A, double B);
Expr operator-(double A, Expr B);
Expr operator*(double A, Expr B);

/// Value under Values; nullopt when a free parameter is unbound or an
/// operation is undefined (division by zero). The reference evaluator: slow,
/// obvious, and the oracle for CompiledExprs.
std::optional<double> evaluate(Expr E, const Bindings &Values);

/// An interval that contains every value of E when each parameter ranges over
/// its interval (unbound parameters range over all reals).
Interval bound(Expr E, const IntervalBindings &Ranges);

} // namespace gpuestimate

#endif
