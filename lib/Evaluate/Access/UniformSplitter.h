/// \file
/// Splits integer expressions into a thread part and a uniform part:
///
///   value(lane) = thread part(lane) + uniform part + constant
///
/// The thread part depends on threadIdx alone. It is computed once for each
/// warp of a block, whatever the number of sampled blocks and iterations. The
/// uniform part does not depend on threadIdx, so that it is one number for all
/// lanes. Example: `4 * (blockIdx.x * 256 + threadIdx.x) + 8` has the thread
/// part 4 * threadIdx.x, the uniform part 1024 * blockIdx.x and the constant 8.
/// Most addresses and guards have this form once the launch is bound. Real
/// numbers are not split, because their sums depend on the order of addition.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_ACCESS_UNIFORMSPLITTER_H
#define GPU_ESTIMATE_LIB_EVALUATE_ACCESS_UNIFORMSPLITTER_H

#include "gpu-estimate/Symbolic/CompiledExprs.h"
#include "gpu-estimate/Symbolic/ParameterSet.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace gpuestimate {

/// An expression in split form. Thread part 0 and uniform part 0 are 0.
struct UniformSplit {
  unsigned Thread = 0;  ///< number of the thread part
  unsigned Uniform = 0; ///< number of the uniform part, within the scope
  double Constant = 0;
};

/// The comparison `Difference Relation 0`; Relation is Less, LessEqual, Equal
/// or NotEqual.
struct SplitComparison {
  UniformSplit Difference;
  ExprKind Relation = ExprKind::Less;
};
/// A step of a condition in postfix order: a comparison, or an operator on the
/// two results before it. A comparison with an unknown value holds.
struct ConditionStep {
  enum { Compare, And, Or } Kind = Compare;
  SplitComparison Comparison;
};
using SplitCondition = llvm::SmallVector<ConditionStep, 3>;

/// Splits the expressions of a kernel and compiles the parts. Order of use:
/// split() and splitTest() for all expressions, then compile(). SplitValues
/// evaluates the parts.
class UniformSplitter {
public:
  /// Names: of the inputs; the first three are threadIdx. Indirect: names of
  /// values that may differ between lanes without being functions of threadIdx;
  /// expressions that contain them are not split.
  UniformSplitter(ExprContext &Context, llvm::ArrayRef<std::string> Names,
                  const ParameterSet &Indirect, unsigned Lanes,
                  unsigned Scopes);

  /// The split form of E; nullopt if a term mixes threadIdx with other inputs.
  std::optional<UniformSplit> split(Expr E, unsigned Scope);
  /// Whether split() succeeds.
  bool isSum(Expr E) const;
  std::optional<SplitCondition> splitTest(Expr E, unsigned Scope);
  /// Compiles the parts; called after the last split.
  void compile();

  unsigned lanes() const { return Lanes; }
  unsigned scopes() const { return Scopes.size(); }
  unsigned threadParts() const { return ThreadParts.size(); }
  /// Uniform parts of a scope, part 0 included.
  unsigned uniformParts(unsigned Scope) const {
    return Scopes[Scope].Parts.size() + 1;
  }
  // The programs of the parts 1, 2, ...; null if there are none.
  /// Inputs: threadIdx of every lane, [dimension * lanes() + lane].
  const CompiledExprs *threadProgram() const {
    return ThreadProgram ? &*ThreadProgram : nullptr;
  }
  /// Inputs: one value per name.
  const CompiledExprs *uniformProgram(unsigned Scope) const {
    const auto &Program = Scopes[Scope].Program;
    return Program ? &*Program : nullptr;
  }

private:
  struct Terms;
  bool collect(Expr E, double Factor, Terms &Into) const;
  /// Appends E, or its negation, to the condition; false if E is not made of
  /// comparisons of split expressions.
  bool addTest(Expr E, bool Negated, unsigned Scope, SplitCondition &To);

  struct ScopeParts {
    std::vector<Expr> Parts; ///< part 1, 2, ...
    llvm::DenseMap<const ExprNode *, unsigned> Numbers;
    std::optional<CompiledExprs> Program;
  };

  ExprContext &Context;
  std::vector<std::string> Names;
  ParameterSet Threads, Others;
  const ParameterSet &Indirect;
  unsigned Lanes;
  std::vector<Expr> ThreadParts; ///< [0] is null
  llvm::DenseMap<const ExprNode *, unsigned> ThreadNumbers;
  std::optional<CompiledExprs> ThreadProgram;
  std::vector<ScopeParts> Scopes;
};

} // namespace gpuestimate

#endif
