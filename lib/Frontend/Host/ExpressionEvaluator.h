/// \file
/// Evaluates host expressions.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOST_EXPRESSIONEVALUATOR_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOST_EXPRESSIONEVALUATOR_H

#include "HostValue.h"
#include "clang/AST/Expr.h"

namespace gpuestimate {

struct HostAnalysis;

/// Evaluates host expressions to symbolic terms: constants, operators, casts,
/// mathematical functions and calls of functions of the file. Example:
/// `(n + 255) / 256` is floorDiv(n + 255, 256).
///
/// Integer division and right shifts round towards negative infinity. Sizes and
/// counts, which launches are made of, are never negative.
class ExpressionEvaluator {
public:
  explicit ExpressionEvaluator(HostAnalysis &Host);

  /// The value of E at a program point; null if it is unknown and no variable
  /// names it. Each outermost query may take MaxSteps steps.
  Expr value(const clang::Expr *E, const CallFrame &Frame, ProgramPoint Point) {
    if (Depth == 0)
      Steps = 0;
    return evaluate(E, Frame, Point).E;
  }
  HostValue evaluate(const clang::Expr *E, const CallFrame &Frame,
                     ProgramPoint Point);
  /// The three components of a grid or block size. A component is null if it is
  /// unknown; one that is not given is 1.
  Dim3 dim3(const clang::Expr *E, const CallFrame &Frame, ProgramPoint Point);
  /// The value of a variable or a member: `config.gridDim`.
  Dim3 dim3(const AccessPath &Path, const CallFrame &Frame, ProgramPoint Point);
  /// 1 where the condition holds (Negated: does not hold), else 0; null if it
  /// is unknown.
  Expr truth(const clang::Expr *Condition, bool Negated, const CallFrame &Frame,
             ProgramPoint Point);
  /// A binary operation. Opcode: clang::BinaryOperatorKind; Real: the result
  /// has a floating-point type.
  HostValue binary(unsigned Opcode, bool Real, HostValue A, HostValue B);
  HostValue constant(double Value);
  /// Counts a step; false when the query has used up its budget.
  bool spendStep() { return ++Steps <= MaxSteps; }

private:
  /// Limits for generated and for recursive code.
  static constexpr unsigned MaxSteps = 20000, MaxDepth = 120;
  static constexpr unsigned MaxReturns = 6;

  HostValue evaluateNonConstant(const clang::Expr *E, const CallFrame &Frame,
                                ProgramPoint Point);
  HostValue foldConstant(const clang::Expr *E);
  HostValue cast(const clang::CastExpr &Cast, const CallFrame &Frame,
                 ProgramPoint Point);
  HostValue call(const clang::CallExpr &Call, const CallFrame &Frame,
                 ProgramPoint Point);
  HostValue mathCall(llvm::StringRef Name, llvm::ArrayRef<HostValue> Args);
  HostValue returned(const clang::CallExpr &Call, const CallFrame &Frame,
                     ProgramPoint Point);
  HostValue truncateToInteger(HostValue V);
  /// An element of a table that does not change, chosen by its index.
  HostValue element(const clang::ArraySubscriptExpr &E, const CallFrame &Frame,
                    ProgramPoint Point);

  HostAnalysis &Host;
  clang::ASTContext &AST;
  const HostIndex &Index;
  ExprContext &Terms;
  unsigned Steps = 0, Depth = 0;
};

} // namespace gpuestimate

#endif
