#include "gpu-estimate/Model/Kernel/ExecutedLaunch.h"

#include "llvm/ADT/STLExtras.h"

namespace gpuestimate {

SectorReuse &SectorReuse::operator+=(const SectorReuse &Other) {
  llvm::append_range(Classes, Other.Classes);
  llvm::stable_sort(Classes, [](const Class &A, const Class &B) {
    return A.Bytes < B.Bytes;
  });
  for (double SectorReuse::*Count :
       {&SectorReuse::FirstUses, &SectorReuse::Footprint, &SectorReuse::Union,
        &SectorReuse::FootprintLines, &SectorReuse::UnionLines})
    this->*Count += Other.*Count;
  return *this;
}

SectorReuse SectorReuse::part(double Share) const {
  SectorReuse Part = *this;
  for (Class &C : Part.Classes)
    C.Sectors *= Share;
  Part.FirstUses *= Share;
  return Part;
}

double SectorReuse::sectors() const {
  double Sum = FirstUses;
  for (const Class &C : Classes)
    Sum += C.Sectors;
  return Sum;
}

} // namespace gpuestimate
