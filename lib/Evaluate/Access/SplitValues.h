/// \file
/// The values of split expressions (UniformSplitter) for the warp and the scope
/// that were entered last.
///
/// Thread parts are kept for every warp of a block: the blocks of a launch
/// share them. Uniform parts are one number per scope. A comparison is decided
/// for all lanes at once where the range of its thread part allows it. Example:
/// in `threadIdx.x + 256*blockIdx.x - 1000 < 0`, the thread part of warp 0 lies
/// in 0 .. 31. In block 1 the uniform part is -744, so the condition holds for
/// all lanes; in block 4 it is 24, so it holds for none; only for warp 7 of
/// block 3, where the sum is -8 .. 23, each lane is looked at.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_ACCESS_SPLITVALUES_H
#define GPU_ESTIMATE_LIB_EVALUATE_ACCESS_SPLITVALUES_H

#include "UniformSplitter.h"

namespace gpuestimate {

class SplitValues {
public:
  explicit SplitValues(const UniformSplitter &Sums);

  /// Evaluates the thread parts. Inputs: threadIdx of every lane,
  /// [dimension * lanes + lane].
  void enterWarp(unsigned Warp, llvm::ArrayRef<double> Inputs);
  /// Evaluates the uniform parts of the scope. Inputs: one value per name.
  void enterScope(unsigned Scope, llvm::ArrayRef<double> Inputs);

  llvm::ArrayRef<double> threadPart(unsigned Part) const {
    return llvm::ArrayRef(CurrentWarp->Values)
        .slice(size_t(Part) * Sums.lanes(), Sums.lanes());
  }
  /// Uniform part + constant.
  double uniformValue(const UniformSplit &S, unsigned Scope) const {
    return ScopeParts[Scope][S.Uniform] + S.Constant;
  }
  /// Bit l: the condition holds for lane l.
  uint64_t holds(const SplitCondition &T, unsigned Scope) const;

private:
  uint64_t holds(const SplitComparison &C, unsigned Scope) const;

  /// Least and largest value of a thread part over the lanes; infinite if a
  /// value is unknown.
  struct Range {
    double Low = 0, High = 0;
  };
  struct WarpParts {
    std::vector<double> Values; ///< [part * lanes + lane]
    std::vector<Range> Ranges;  ///< [part]
  };

  const UniformSplitter &Sums;
  std::vector<std::vector<double>> ScopeParts; ///< [scope][part]
  std::vector<WarpParts> ByWarp;
  const WarpParts *CurrentWarp = nullptr;
};

} // namespace gpuestimate

#endif
