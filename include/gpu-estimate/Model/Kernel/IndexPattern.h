/// \file
/// What a user knows of the data that an address depends on (`A[idx[i]]`).
#ifndef GPU_ESTIMATE_MODEL_KERNEL_INDEXPATTERN_H
#define GPU_ESTIMATE_MODEL_KERNEL_INDEXPATTERN_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"

namespace gpuestimate {

/// Of the values that are read at a place of the source, or that address an
/// access there.
struct IndexPattern {
  /// "file.cu:12", or "gather:data[index[i]]" as an anchor has it.
  std::string Place;
  enum KindType : uint8_t {
    Random,   ///< any element, as without an assumption
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

/// Puts what the pattern says in place of the values that nobody knows. The
/// unknown stays listed as an assumption, which names the pattern. False if the
/// kernel has no such value at the place.
bool assumePattern(KernelModel &Kernel, const IndexPattern &Pattern);

} // namespace gpuestimate

#endif
