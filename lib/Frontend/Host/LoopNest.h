/// \file
/// The host loops around one launch: run with numbers where everything about
/// them is known, counted by formula otherwise.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOST_LOOPNEST_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOST_LOOPNEST_H

#include "HostLoops.h"

namespace gpuestimate {

class LoopNest {
public:
  LoopNest(HostValues &Values, const Surroundings &Around);

  /// Runs loops [First, end) with the variables of outer ones unknown; false
  /// when a condition, or the value of a parameter in Used that belongs to
  /// these loops, is unknown, and when there are too many iterations.
  bool enumerate(size_t First, const std::vector<std::string> &Used);
  /// Values of the parameters in Used for each launch, after enumerate().
  const std::vector<llvm::StringMap<double>> &iterations() const {
    return Iterations;
  }

  /// Trip count as a term over parameters that no loop changes; or null.
  Expr tripCount(size_t Index) const;
  /// The largest trip count of loop Index for any iteration of the loops
  /// [First, Index) around it; those further out stay parameters. Or null.
  Expr extent(size_t Index, size_t First) const;
  /// First and last value of a loop's variable; false when they are unknown.
  bool range(const std::string &Name, LaunchSite::Range &Range) const;

  /// Index of the loop that changes the parameter; -1: none.
  int levelOf(llvm::StringRef Name) const;
  size_t size() const { return Levels.size(); }

private:
  struct Variable {
    std::string Name;
    Expr First, Next; ///< null: unknown
  };
  struct Level {
    LoopInFrame Loop;
    const clang::Expr *WrittenCondition = nullptr;
    Expr Condition; ///< null: unknown
    bool TestAtEnd = false;
    bool IsRange = false;
    std::vector<Expr> Elements; ///< of the range that is walked
    std::vector<Variable> Variables;
  };
  /// What a counting loop compares: the variable, with the loop's bound.
  struct Counter {
    const Variable *Counted = nullptr;
    unsigned Compare = 0; ///< clang::BinaryOperatorKind
    Expr Bound;
  };

  Level describe(const LoopInFrame &L);
  void listElements(const clang::Expr *Range, const LoopInFrame &L,
                    std::vector<Expr> &Elements);
  void collectVariables();
  Counter counter(const Level &L) const;
  /// Trip count in terms of the variables of other loops, too; or null.
  Expr countOf(const Level &L) const;
  bool range(const std::string &Name, size_t Index, Expr Count,
             LaunchSite::Range &Range) const;
  bool run(size_t Index, Bindings &Environment);
  /// The loops from Index on, or what they launch, in one iteration of those
  /// around them.
  bool runInner(size_t Index, const Bindings &Environment);
  bool runRange(size_t Index, Bindings &Environment);
  bool record(const Bindings &Environment);

  HostValues &Values;
  ExprContext &Terms;
  std::vector<Level> Levels;
  std::vector<std::pair<Expr, bool>> Conditions; ///< true: negated
  std::vector<std::string> Wanted;
  std::vector<llvm::StringMap<double>> Iterations;
  /// The same while they are found, [launch * Wanted.size() + parameter]: many
  /// of those that are begun have too many iterations.
  std::vector<double> Points;
  size_t Launches = 0;
  unsigned Steps = 0;
};

} // namespace gpuestimate

#endif
