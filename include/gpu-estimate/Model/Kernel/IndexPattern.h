/// \file
/// Patterns that a user states for the data that addresses depend on
/// (`A[idx[i]]`).
#ifndef GPU_ESTIMATE_MODEL_KERNEL_INDEXPATTERN_H
#define GPU_ESTIMATE_MODEL_KERNEL_INDEXPATTERN_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"

namespace gpuestimate {

/// Pattern of the values that are loaded at a place of the source, or that an
/// access there is indexed with.
struct IndexPattern {
  /// "file.cu:12", or "gather:data[index[i]]" as an anchor has it.
  std::string Place;
  enum KindType : uint8_t {
    Random,   ///< any element; the assumption without a pattern
    Constant, ///< one value for all
    Strided,  ///< element number i holds Stride * i
  } Kind = Random;
  double Stride = 1; ///< 1: sequential

  std::string str() const;  ///< "sequential", "stride:4", ...
  std::string name() const; ///< "access@" and the place
};

/// "sequential", "random", "constant" or "stride:K" with a whole number K;
/// nothing for another text. Place stays empty.
std::optional<IndexPattern> parseIndexPattern(llvm::StringRef Text);

/// Replaces the unknown values at the pattern's place by the pattern. The
/// unknown stays in the list of assumptions, with the pattern's name. Returns
/// false if the kernel has no unknown value at that place.
bool assumePattern(KernelModel &Kernel, const IndexPattern &Pattern);

} // namespace gpuestimate

#endif
