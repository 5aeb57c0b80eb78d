/// \file
/// The length of a formula's text.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_MODELS_PRINTEDSIZE_H
#define GPU_ESTIMATE_LIB_EVALUATE_MODELS_PRINTEDSIZE_H

#include "gpu-estimate/Symbolic/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include <algorithm>

namespace gpuestimate {

/// Nodes of a term as it is printed: a shared node counts once for each use.
class PrintedSize {
public:
  static constexpr size_t MaxNodes = 1 << 20; ///< larger terms count as this

  size_t of(Expr E) {
    auto [Entry, New] = Sizes.try_emplace(E.node(), 1);
    if (!New)
      return Entry->second;
    size_t Size = 1;
    for (Expr Operand : E.operands())
      Size = std::min(Size + of(Operand), MaxNodes);
    return Sizes[E.node()] = Size;
  }

private:
  llvm::DenseMap<const ExprNode *, size_t> Sizes;
};

} // namespace gpuestimate

#endif
