/// \file
/// Random expressions as plain trees, and an interpreter of them that shares
/// no code with the library: the oracle of the property tests.
#ifndef GPU_ESTIMATE_TEST_UNIT_SYMBOLICRANDOM_H
#define GPU_ESTIMATE_TEST_UNIT_SYMBOLICRANDOM_H

#include "gpu-estimate/Symbolic/Expr.h"
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace gpuestimate::test {

struct Tree;
using TreeRef = std::shared_ptr<const Tree>;

struct Tree {
  ExprKind Kind;
  double Value = 0;
  std::string Name = {};
  std::vector<TreeRef> Children = {};
};

using Environment = std::map<std::string, double>;

/// What a tree means. Exact is false once a result was rounded: then a jump
/// (floor, comparison, ...) may legitimately fall on the other side.
struct Meaning {
  double Value;
  bool Exact;
};
/// nullopt where any needed part is undefined, rounded before a jump, or too
/// large to be exact.
std::optional<Meaning> interpret(const Tree &T, const Environment &Values);

/// Through the public factories, simplification included.
Expr build(ExprContext &C, const Tree &T);
std::string describe(const Tree &T);

/// The parameters that random trees use, with the ranges that are assumed of
/// them in the contexts of the tests.
struct RandomParameter {
  const char *Name;
  double Low, High; ///< of the values that are tried
  double Step;      ///< 1 for integers
  bool Assumed;     ///< whether the library is told the range
};
llvm::ArrayRef<RandomParameter> randomParameters();
void assumeRanges(ExprContext &C);

class RandomTrees {
public:
  explicit RandomTrees(unsigned Seed) : Engine(Seed) {}

  TreeRef tree(unsigned Depth);
  /// Sums and products only.
  TreeRef polynomial(unsigned Depth);
  Environment environment();
  /// A whole number of [Low, High].
  int64_t whole(int64_t Low, int64_t High) {
    return std::uniform_int_distribution<int64_t>(Low, High)(Engine);
  }

private:
  TreeRef leaf();
  TreeRef linear(unsigned Depth);
  TreeRef divisor(unsigned Depth);
  std::mt19937_64 Engine;
};

} // namespace gpuestimate::test

#endif
