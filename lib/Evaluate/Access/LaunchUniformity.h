/// \file
/// Which parts of a kernel's control flow are the same for all warps of a
/// launch, as LLVM's uniformity analysis says it for the threads of a warp.
///
/// An expression is uniform over the launch if it contains neither threadIdx
/// nor blockIdx (of a dimension with more than one) nor an indirect index.
/// Example, in blocks of 256 threads:
///
///   for (k = 0; k < n; ++k)        common iterations
///     if (k < m)                   common execution
///       for (j = 0; j < k; ++j)    varies, common entries and iterations
///     if (threadIdx.x < k)         not common
///
/// Warps with common iterations are sampled with one mean number of iterations
/// instead of one each; a loop that does not vary is sampled at one iteration.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_ACCESS_LAUNCHUNIFORMITY_H
#define GPU_ESTIMATE_LIB_EVALUATE_ACCESS_LAUNCHUNIFORMITY_H

#include "IndirectIndices.h"
#include <array>

namespace gpuestimate {

class LaunchUniformity {
public:
  /// CostIsFixed: [access] whether the expected cost of a request is the same
  /// for all values of the indices in its address.
  LaunchUniformity(const LaunchExpressions &Expressions, const Launch &L,
                   llvm::ArrayRef<IndirectIndex> Indices,
                   const ParameterSet &IndexNames,
                   const std::vector<bool> &CostIsFixed);

  /// Whether an expression inside the loop changes between its iterations.
  bool varies(unsigned Loop) const { return Varies[Loop]; }
  bool hasVaryingLoop() const;
  /// Whether all warps of the launch that enter the loop make the same
  /// iterations, for each iteration around it: no coordinate and no value from
  /// memory decides them.
  bool hasCommonIterations(unsigned Loop) const {
    return CommonIterations[Loop];
  }
  /// Whether all warps that run a nested loop's enclosing body enter the loop
  /// in the same of its iterations; false for loops outside all loops, which a
  /// warp meets once.
  bool hasCommonEntries(unsigned Loop) const { return CommonEntries[Loop]; }
  /// Whether all warps that run the block's loop execute the block in the same
  /// of its iterations; false for blocks outside all loops.
  bool hasCommonExecutions(unsigned Block) const {
    return CommonExecutions[Block];
  }
  /// Whether an expression depends on blockIdx in this dimension.
  bool dependsOnBlock(unsigned Dimension) const {
    return BlockDependent[Dimension];
  }
  /// Whether a result depends on the random values of the indirect indices, not
  /// only on their distribution.
  bool dependsOnIndexValues() const { return UsesIndexValues; }

private:
  void markVarying(const ParameterSet &IndexNames,
                   llvm::ArrayRef<IndirectIndex> Indices,
                   const std::vector<bool> &CostIsFixed);
  void markBlockDependent(const Launch &L);
  void markCommon(ParameterSet Differing, const Launch &L);

  const LaunchExpressions &Expressions;
  std::vector<char> Varies;                          ///< [loop]
  std::vector<char> CommonIterations, CommonEntries; ///< [loop]
  std::vector<char> CommonExecutions;                ///< [block]
  std::array<bool, 3> BlockDependent{};
  bool UsesIndexValues = false;
};

} // namespace gpuestimate

#endif
