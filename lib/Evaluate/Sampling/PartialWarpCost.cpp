#include "PartialWarpCost.h"
#include "Evaluate/Access/SectorIndices.h"
#include "Evaluate/Access/SmallUniqueVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <cmath>

namespace gpuestimate {

/// Banks of the L1 data stage and their width.
static constexpr unsigned Banks = 32, BankBytes = 4;

PartialWarpCost::PartialWarpCost(const MemoryAccess &Access,
                                 llvm::ArrayRef<double> Addresses,
                                 const GpuModel &Gpu)
    : IsStore(Access.Kind == AccessKind::Store &&
              Access.Space == MemorySpace::Global),
      IsAtomic(Access.Kind == AccessKind::Atomic),
      SerialPassesPerLane(serialPasses(MaxWarpLanes, BankBytes, Gpu) /
                          MaxWarpLanes) {
  unsigned Bytes = std::max(1u, Access.BytesPerThread);
  unsigned Line = std::max(1.0, Gpu.L1.Line.value());
  unsigned Sector = sectorBytes(Access, Gpu);
  unsigned ElementBytes = std::min(Bytes, BankBytes),
           ElementsPerSector = Sector / ElementBytes;
  IsSupported =
      hasBankedDataStage(Gpu) && Bytes <= BankBytes &&
      Addresses.size() <= MaxWarpLanes && Line % BankBytes == 0 &&
      (!IsStore || (Sector % BankBytes == 0 && ElementsPerSector <= 32));
  if (!IsSupported)
    return;
  // Elements of 3 bytes straddle sectors, which then never count as full.
  if (Sector % ElementBytes == 0)
    FullSectorMask = ~uint32_t(0) >> (32 - ElementsPerSector);
  SectorRange WordRange(Bytes, BankBytes), ElementRange(Bytes, ElementBytes);
  FloorDivision LineOfWord(Line / BankBytes),
      SectorOfElement(ElementsPerSector);
  SmallUniqueVector Lines, Words, Sectors, DistinctAddresses;
  for (auto [Index, A] : llvm::enumerate(Addresses)) {
    Lane &L = Lanes[Index];
    L = {};
    if (std::isnan(A))
      continue;
    auto [Word, Last] = WordRange(A);
    IsSupported &= Word == Last && std::isfinite(A);
    L.Line = Lines.insert(LineOfWord(Word));
    L.Word = Words.insert(Word);
    L.Bank = Word & (Banks - 1);
    if (IsAtomic) // -0 is 0
      L.Address = DistinctAddresses.insert(llvm::bit_cast<int64_t>(A + 0.0));
    if (!IsStore || !FullSectorMask)
      continue;
    auto [First, End] = ElementRange(A);
    int64_t SectorIndex = SectorOfElement(First);
    L.Sector = Sectors.insert(SectorIndex);
    for (int64_t P = First; P <= End; ++P)
      L.SectorMask |= uint32_t(1)
                      << ((P - SectorIndex * ElementsPerSector) & 31);
  }
}

RequestCost PartialWarpCost::operator()(uint64_t ActiveLanes) const {
  uint32_t Lines = 0, Words = 0;
  unsigned MaxBankPasses = 0, Full = 0, MaxSameAddress = 0;
  std::array<uint8_t, Banks> Passes{};
  std::array<uint8_t, MaxWarpLanes> AddressLanes{};
  std::array<uint32_t, MaxWarpLanes> Covered{};
  double MostPasses =
      std::max(1.0, SerialPassesPerLane * llvm::popcount(ActiveLanes));
  for (; ActiveLanes; ActiveLanes &= ActiveLanes - 1) {
    const Lane &L = Lanes[llvm::countr_zero(ActiveLanes)];
    Lines |= uint32_t(1) << L.Line;
    uint32_t Word = uint32_t(1) << L.Word;
    if (!(Words & Word))
      MaxBankPasses = std::max<unsigned>(MaxBankPasses, ++Passes[L.Bank]);
    Words |= Word;
    if (IsAtomic)
      MaxSameAddress =
          std::max<unsigned>(MaxSameAddress, ++AddressLanes[L.Address]);
    if (!IsStore || !FullSectorMask)
      continue;
    bool WasFull = Covered[L.Sector] == FullSectorMask;
    Covered[L.Sector] |= L.SectorMask;
    Full += !WasFull && Covered[L.Sector] == FullSectorMask;
  }
  RequestCost C;
  unsigned DistinctLines = llvm::popcount(Lines);
  C.Lines = DistinctLines;
  // A pass serves four lines, and one word of each bank.
  C.Wavefronts = std::min<double>(
      std::max((DistinctLines + 3) / 4, MaxBankPasses), MostPasses);
  C.FullSectors = Full;
  C.SameAddress = MaxSameAddress;
  return C;
}

} // namespace gpuestimate
