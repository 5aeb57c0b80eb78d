/// \file
/// The iterations of host loops.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOST_ITERATIONSPACE_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOST_ITERATIONSPACE_H

#include "EnclosingLoops.h"

namespace gpuestimate {

/// The iteration space of the host loops around a launch. If start, step and
/// condition of the loops are known, the iterations are enumerated; otherwise
/// trip counts are formulas over the parameters. Example: the trip count of
/// `for (i = 0; i < n; i += 4)` is max(ceilDiv(n, 4), 0).
class IterationSpace {
public:
  IterationSpace(HostAnalysis &Host, const EnclosingRegions &Enclosing);

  /// Enumerates the iterations of loops [First, end); variables of outer loops
  /// are unknown. False if a condition is unknown, if a parameter in Used that
  /// these loops change has an unknown value, or if there are too many
  /// iterations.
  bool enumerate(size_t First, const std::vector<std::string> &Used);
  /// The values of the parameters in Used for each launch, after enumerate().
  const std::vector<llvm::StringMap<double>> &iterations() const {
    return Iterations;
  }

  /// The trip count of a loop over parameters that no loop changes, or null.
  Expr tripCount(size_t Index) const;
  /// The largest trip count of loop Index over all iterations of the enclosing
  /// loops [First, Index); variables of outer loops stay parameters. Or null.
  Expr extent(size_t Index, size_t First) const;
  /// The first and the last value of an induction variable; false if they are
  /// unknown.
  bool range(const std::string &Name, LaunchSite::Range &Range) const;

  /// Index of the loop that changes the parameter; -1: none.
  int levelOf(llvm::StringRef Name) const;
  size_t size() const { return Levels.size(); }

private:
  struct Variable {
    std::string Name;
    Expr First, Next; ///< value before the loop and after an iteration, or null
  };
  struct Level {
    ScopeInFrame Loop;
    const clang::Expr *WrittenCondition = nullptr;
    Expr Condition; ///< null: unknown
    bool TestAtEnd = false;
    bool IsRange = false;
    std::vector<Expr> Elements; ///< of the container of a range for
    std::vector<Variable> Variables;
  };
  /// The comparison that ends a counting loop.
  struct Counter {
    const Variable *Counted = nullptr;
    unsigned Compare = 0; ///< clang::BinaryOperatorKind
    Expr Bound;
  };

  Level describe(const ScopeInFrame &Loop);
  void listElements(const clang::Expr *Range, const ScopeInFrame &Loop,
                    std::vector<Expr> &Elements);
  void collectVariables();
  Counter counter(const Level &Loop) const;
  /// The trip count over parameters and variables of other loops, or null.
  Expr countOf(const Level &Loop) const;
  bool range(const std::string &Name, size_t Index, Expr Count,
             LaunchSite::Range &Range) const;
  bool run(size_t Index, Bindings &Environment);
  /// Runs the loops [Index, end), or records a launch if Index is the end, in
  /// one iteration of the loops around them.
  bool runInner(size_t Index, const Bindings &Environment);
  bool runRange(size_t Index, Bindings &Environment);
  bool record(const Bindings &Environment);

  HostAnalysis &Host;
  ExprContext &Terms;
  std::vector<Level> Levels;
  std::vector<std::pair<Expr, bool>> Conditions; ///< true: negated
  std::vector<std::string> Wanted;
  std::vector<llvm::StringMap<double>> Iterations;
  /// Iterations during the enumeration, [launch * Wanted.size() + parameter].
  /// Many enumerations are abandoned for too many iterations, so that maps are
  /// made at the end only.
  std::vector<double> Points;
  size_t Launches = 0;
  unsigned Steps = 0;
};

} // namespace gpuestimate

#endif
