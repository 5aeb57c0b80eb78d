/// \file
/// Indirect indices: values loaded from memory on which addresses, conditions
/// or trip counts depend, such as `idx[i]` in `x[idx[i]]`.
///
/// What memory holds is not known when the code compiles. The approximation is
/// that an index is uniformly random in 0 .. Range-1, where Range is, in this
/// order: a bound that the code implies (`k % 64`: 64), the size of the
/// smallest buffer that the index selects an element of, or UnknownBufferBytes
/// divided by the bytes per index. Example: `x[idx[i]]` with 1000 floats in x
/// has 4 bytes per index and Range 1000.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_ACCESS_INDIRECTINDICES_H
#define GPU_ESTIMATE_LIB_EVALUATE_ACCESS_INDIRECTINDICES_H

#include "LaunchExpressions.h"
#include "gpu-estimate/Symbolic/ParameterSet.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace gpuestimate {

/// A random value. It is a function of its key, if it has one: of the load's
/// address, so that lanes and warps that load one element get one value, or of
/// all that it is computed from (Unknown::Key). Otherwise it is a function of
/// warp, lane and iteration.
struct IndirectIndex {
  std::string Name;
  double Range = 1; ///< number of values
  bool LaneVarying = true;
  /// Innermost loop around the load (-1: outside all loops): each of its
  /// iterations gives a new value. Unset if the load was not found: every loop
  /// around a use then gives a new value.
  std::optional<int> DefiningLoop;
  Expr Key; ///< null: unknown
};

/// The indices of a launch: those of the kernel's loaded values that no
/// parameter settles. An index whose key contains another index comes after it.
std::vector<IndirectIndex>
findIndirectIndices(const LaunchExpressions &Expressions);

/// Bytes by which an access's address moves when the index grows by one; the
/// bytes per thread where the address has no value at 0 and 1.
double bytesPerIndex(const LaunchExpressions &Expressions, unsigned Access,
                     const IndirectIndex &Index);

/// The address Terms + BytesPerIndex * index. Example: `p + 8 * i + 4 * idx`.
struct IndexedSum {
  llvm::StringRef Name; ///< of the index
  double BytesPerIndex = 0;
  llvm::SmallVector<Expr, 4> Terms;
};
/// The address in this form; nullopt if it contains none of Indices, several,
/// or one that is not a summand, or that lowers the address.
std::optional<IndexedSum> asIndexedSum(Expr Address,
                                       const ParameterSet &Indices);

/// Whether the index appears in a condition or trip count around the block. The
/// lanes that execute the block then have values of a restricted range.
bool decidesExecution(const LaunchExpressions &Expressions,
                      llvm::StringRef Index, unsigned Block);

} // namespace gpuestimate

#endif
