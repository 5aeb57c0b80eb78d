/// \file
/// Memo table of constant differences between symbolic terms.
#ifndef GPU_ESTIMATE_EVALUATE_CACHE_TERMDIFFERENCECACHE_H
#define GPU_ESTIMATE_EVALUATE_CACHE_TERMDIFFERENCECACHE_H

#include "gpu-estimate/Symbolic/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>
#include <utility>

namespace gpuestimate {

/// Differences of pairs of terms. A difference is costly to simplify, and the
/// copies of an unrolled body and the changed copies of a kernel ask for the
/// same pairs. The terms must outlive the table.
class TermDifferenceCache {
public:
  /// A - B, if it is a constant.
  std::optional<double> operator()(Expr A, Expr B) {
    auto [Slot, New] = Differences.try_emplace({A.node(), B.node()});
    if (New)
      Slot->second = (A - B).asConstant();
    return Slot->second;
  }

private:
  llvm::DenseMap<std::pair<const ExprNode *, const ExprNode *>,
                 std::optional<double>>
      Differences;
};

} // namespace gpuestimate

#endif
