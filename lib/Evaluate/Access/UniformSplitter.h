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

/// Splits the expressions of a kernel, compiles the parts, and evaluates them
/// for the current warp and scope. Order of use: split() and splitTest() for
/// all expressions, compile(), then enterWarp() and enterScope().
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

  /// Evaluates the thread parts. Inputs: threadIdx of every lane,
  /// [dimension * Lanes + lane].
  void enterWarp(unsigned Warp, llvm::ArrayRef<double> Inputs);
  /// Evaluates the uniform parts of the scope. Inputs: one value per name.
  void enterScope(unsigned Scope, llvm::ArrayRef<double> Inputs);

  // Values for the warp and the scope that were entered last.
  llvm::ArrayRef<double> threadPart(unsigned Part) const {
    return llvm::ArrayRef(CurrentWarp->Values)
        .slice(size_t(Part) * Lanes, Lanes);
  }
  /// Uniform part + constant.
  double uniformValue(const UniformSplit &S, unsigned Scope) const {
    return Scopes[Scope].Values[S.Uniform] + S.Constant;
  }
  /// Bit l: the condition holds for lane l.
  uint64_t holds(const SplitCondition &T, unsigned Scope) const;
  unsigned threadParts() const { return ThreadParts.size(); }

private:
  struct Terms;
  bool collect(Expr E, double Factor, Terms &Into) const;
  /// Appends E, or its negation, to the condition; false if E is not made of
  /// comparisons of split expressions.
  bool addTest(Expr E, bool Negated, unsigned Scope, SplitCondition &To);
  uint64_t holds(const SplitComparison &C, unsigned Scope) const;

  /// Least and largest value of a thread part over the lanes; infinite if a
  /// value is unknown.
  struct Range {
    double Low = 0, High = 0;
  };
  struct WarpParts {
    std::vector<double> Values; ///< [part * Lanes + lane]
    std::vector<Range> Ranges;  ///< [part]
  };
  struct ScopeParts {
    std::vector<Expr> Parts; ///< part 1, 2, ...
    llvm::DenseMap<const ExprNode *, unsigned> Numbers;
    std::optional<CompiledExprs> Program;
    std::vector<double> Values; ///< [part]
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
  std::vector<WarpParts> ByWarp;
  const WarpParts *CurrentWarp = nullptr;
};

} // namespace gpuestimate

#endif
