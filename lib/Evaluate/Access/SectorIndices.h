/// \file
/// Indices of the sectors that a request accesses. SectorBytes is the size of
/// the unit: a sector, a cache line, or a word of a bank.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_ACCESS_SECTORINDICES_H
#define GPU_ESTIMATE_LIB_EVALUATE_ACCESS_SECTORINDICES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <utility>

namespace gpuestimate {

using SectorIndices = llvm::SmallVector<int64_t, 128>;

/// Division that rounds towards minus infinity. It is a shift if the divisor is
/// a power of two, because it runs for every lane of every sampled request.
class FloorDivision {
public:
  explicit FloorDivision(uint64_t Divisor)
      : Divisor(int64_t(Divisor)),
        Shift(llvm::isPowerOf2_64(Divisor) ? int(llvm::Log2_64(Divisor)) : -1) {
  }
  int64_t operator()(int64_t Dividend) const {
    return Shift >= 0 ? Dividend >> Shift
                      : llvm::divideFloorSigned(Dividend, Divisor);
  }

private:
  int64_t Divisor;
  int Shift;
};

/// Computes the first and last sector of one lane's access. Indices are
/// integers, because adding 1 to a double beyond 2^53 has no effect.
class SectorRange {
public:
  SectorRange(unsigned Bytes, unsigned SectorBytes)
      : LastByte(std::max(Bytes, 1u) - 1), SectorBytes(SectorBytes),
        Index(SectorBytes) {}

  /// Upper bound of the number of sectors of one access.
  size_t maxSectors() const { return size_t(LastByte) / SectorBytes + 2; }

  std::pair<int64_t, int64_t> operator()(double Address) const {
    int64_t First = std::clamp(Address, -0x1p62, 0x1p62);
    First -= Address < double(First); // towards minus infinity
    return {Index(First), Index(First + LastByte)};
  }

private:
  int64_t LastByte; ///< relative to the address
  unsigned SectorBytes;
  FloorDivision Index;
};

/// Lists the sectors of every lane in lane order, without immediate repeats.
/// Lanes whose address is not finite take no part.
void listSectors(llvm::ArrayRef<double> Addresses, unsigned Bytes,
                 unsigned SectorBytes, SectorIndices &Out);

} // namespace gpuestimate

#endif
