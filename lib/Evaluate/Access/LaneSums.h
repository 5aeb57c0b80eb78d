/// \file
/// Values of the lanes of a warp, taken apart:
///
///   value(lane) = thread part(lane) + shared part + constant
///
/// The thread part depends on threadIdx alone, so that it is computed once for
/// each warp of a block, whatever the number of sampled blocks and iterations;
/// the shared part does not depend on threadIdx, so that it is one number for
/// all lanes. Most addresses and guards of real kernels are such sums once the
/// launch is bound. Only whole numbers are taken apart: their sums are exact
/// in any order.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_ACCESS_LANESUMS_H
#define GPU_ESTIMATE_LIB_EVALUATE_ACCESS_LANESUMS_H

#include "gpu-estimate/Symbolic/CompiledExprs.h"
#include "gpu-estimate/Symbolic/ParameterSet.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace gpuestimate {

/// Part 0 of each kind is 0.
struct LaneSum {
  unsigned Thread = 0; ///< number of the thread part
  unsigned Shared = 0; ///< number of the shared part, within the scope
  double Constant = 0;
};

/// `Difference Relation 0`, Relation being Less, LessEqual, Equal or NotEqual.
struct LaneComparison {
  LaneSum Difference;
  ExprKind Relation = ExprKind::Less;
};
/// A condition, in postfix order: comparisons, and what joins the two results
/// before it. A comparison with something unknown is taken to hold.
struct LaneStep {
  enum { Compare, And, Or } Kind = Compare;
  LaneComparison Comparison;
};
using LaneTest = llvm::SmallVector<LaneStep, 3>;

class LaneSums {
public:
  /// Names: of the inputs, the first three those of threadIdx. Drawn: names
  /// that may differ between lanes; what they decide is not taken apart.
  LaneSums(ExprContext &Context, llvm::ArrayRef<std::string> Names,
           const ParameterSet &Drawn, unsigned Lanes, unsigned Scopes);

  std::optional<LaneSum> split(Expr E, unsigned Scope);
  /// Whether split() would give something.
  bool isSum(Expr E) const;
  std::optional<LaneTest> splitTest(Expr E, unsigned Scope);
  /// After the last split.
  void compile();

  /// Inputs: threadIdx of every lane, [dimension * Lanes + lane].
  void enterWarp(unsigned Warp, llvm::ArrayRef<double> Inputs);
  /// Inputs: one value of each name.
  void enterScope(unsigned Scope, llvm::ArrayRef<double> Inputs);

  // Of the warp and the scope that were entered last.
  llvm::ArrayRef<double> threadPart(unsigned Part) const {
    return llvm::ArrayRef(Now->Values).slice(size_t(Part) * Lanes, Lanes);
  }
  double rest(const LaneSum &S, unsigned Scope) const {
    return Scopes[Scope].Values[S.Shared] + S.Constant;
  }
  /// Bit l: the test holds for lane l.
  uint64_t holds(const LaneTest &T, unsigned Scope) const;
  unsigned threadParts() const { return ThreadParts.size(); }

private:
  struct Terms;
  bool collect(Expr E, double Factor, Terms &Into) const;
  /// Adds E, or what is true where E is not; false when it is no such
  /// condition.
  bool addTest(Expr E, bool Negated, unsigned Scope, LaneTest &To);
  uint64_t holds(const LaneComparison &C, unsigned Scope) const;

  /// Least and largest value of a thread part; infinite where one is unknown.
  struct Range {
    double Low = 0, High = 0;
  };
  struct WarpParts {
    std::vector<double> Values; ///< [part * Lanes + lane]
    std::vector<Range> Ranges;  ///< [part]
  };
  struct ScopeParts {
    std::vector<Expr> Parts; ///< without part 0
    llvm::DenseMap<const ExprNode *, unsigned> Numbers;
    std::optional<CompiledExprs> Program;
    std::vector<double> Values; ///< [part]
  };

  ExprContext &Context;
  std::vector<std::string> Names;
  ParameterSet Threads, Others;
  const ParameterSet &Drawn;
  unsigned Lanes;
  std::vector<Expr> ThreadParts; ///< the first one null
  llvm::DenseMap<const ExprNode *, unsigned> ThreadNumbers;
  std::optional<CompiledExprs> ThreadProgram;
  std::vector<ScopeParts> Scopes;
  std::vector<WarpParts> ByWarp;
  const WarpParts *Now = nullptr;
};

} // namespace gpuestimate

#endif
