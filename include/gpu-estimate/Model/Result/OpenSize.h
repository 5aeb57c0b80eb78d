/// \file
/// Sizes that neither a source nor the settings tell, in results that compare
/// launches: a ranking, a surface, a dump (docs/unknown-sizes.md). The launches
/// are compared at the middle of each table, and again at both of its ends.
///
/// Example: of `scale(float *x, int n)` without a launch, n with the value
/// 1,048,576, and the ends 1,024 and 33,554,432.
#ifndef GPU_ESTIMATE_MODEL_RESULT_OPENSIZE_H
#define GPU_ESTIMATE_MODEL_RESULT_OPENSIZE_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <string>

namespace gpuestimate {

/// Where in the tables of all sizes that are not known a launch stands.
enum class SizePlace : uint8_t { Middle, Least, Largest };

struct OpenSize {
  std::string Name;   ///< "n", "ne01*ne02", "thread blocks"
  std::string Why;    ///< "no launch of the kernel was seen"
  std::string Settle; ///< options: "--param n=VALUE"
  double Middle = 0, Least = 0, Largest = 0;

  double at(SizePlace Place) const;
};

/// "n = 1 M, 256 threads of a block"
std::string sizesText(llvm::ArrayRef<OpenSize> Sizes, SizePlace Place);
/// "for n = 1 M, which is not known (no launch of the kernel was seen); settle
/// with --param n=VALUE"; "" without sizes.
std::string openSizesText(llvm::ArrayRef<OpenSize> Sizes);

} // namespace gpuestimate

#endif
