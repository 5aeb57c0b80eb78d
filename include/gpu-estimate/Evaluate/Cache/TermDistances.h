/// \file
/// A memory of constant differences between symbolic terms.
#ifndef GPU_ESTIMATE_EVALUATE_CACHE_TERMDISTANCES_H
#define GPU_ESTIMATE_EVALUATE_CACHE_TERMDISTANCES_H

#include "gpu-estimate/Symbolic/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>
#include <utility>

namespace gpuestimate {

/// A difference is costly to simplify, and the copies of an unrolled body and
/// the changed copies of a kernel ask again for the same pairs. Of terms that
/// live as long as the memory.
class TermDistances {
public:
  /// A - B, where it is a constant.
  std::optional<double> operator()(Expr A, Expr B) {
    auto [Place, New] = Known.try_emplace({A.node(), B.node()});
    if (New)
      Place->second = (A - B).asConstant();
    return Place->second;
  }

private:
  llvm::DenseMap<std::pair<const ExprNode *, const ExprNode *>,
                 std::optional<double>>
      Known;
};

} // namespace gpuestimate

#endif
