/// \file
/// Numbers of the granules (sectors, lines, words) that a request touches.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_ACCESS_GRANULELIST_H
#define GPU_ESTIMATE_LIB_EVALUATE_ACCESS_GRANULELIST_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <utility>

namespace gpuestimate {

using Granules = llvm::SmallVector<int64_t, 128>;

/// Division towards minus infinity; a shift where the divisor allows, because
/// this runs for every lane of every sampled request.
class FloorDivision {
public:
  explicit FloorDivision(uint64_t By)
      : By(int64_t(By)),
        Shift(llvm::isPowerOf2_64(By) ? int(llvm::Log2_64(By)) : -1) {}
  int64_t operator()(int64_t Number) const {
    return Shift >= 0 ? Number >> Shift : llvm::divideFloorSigned(Number, By);
  }

private:
  int64_t By;
  int Shift;
};

/// Numbers of the granules that an access covers. Integers, because adding 1
/// to a double beyond 2^53 would not change it.
class GranuleSpan {
public:
  GranuleSpan(unsigned Bytes, unsigned Granule)
      : Beyond(std::max(Bytes, 1u) - 1), Granule(Granule), Number(Granule) {}

  /// Most of them that one access has.
  size_t most() const { return size_t(Beyond) / Granule + 2; }

  std::pair<int64_t, int64_t> operator()(double Address) const {
    int64_t At = std::clamp(Address, -0x1p62, 0x1p62);
    At -= Address < double(At); // towards minus infinity
    return {Number(At), Number(At + Beyond)};
  }

private:
  int64_t Beyond;
  unsigned Granule;
  FloorDivision Number;
};

/// Numbers of the granules of every lane, in lane order, without immediate
/// repeats. Lanes that are not finite take no part.
void listGranules(llvm::ArrayRef<double> Addresses, unsigned Bytes,
                  unsigned Granule, Granules &Out);

} // namespace gpuestimate

#endif
