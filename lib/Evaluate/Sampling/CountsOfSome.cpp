#include "CountsOfSome.h"
#include "Evaluate/Access/GranuleList.h"
#include "Evaluate/Access/NumberSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <cmath>

namespace gpuestimate {

/// Of the data stage that has them.
static constexpr unsigned Banks = 32, WordBytes = 4;

CountsOfSome::CountsOfSome(const MemoryAccess &Access,
                           llvm::ArrayRef<double> Addresses,
                           const GpuModel &Gpu)
    : IsStore(Access.Kind == AccessKind::Store &&
              Access.Space == MemorySpace::Global),
      IsAtomic(Access.Kind == AccessKind::Atomic) {
  unsigned Bytes = std::max(1u, Access.BytesPerThread);
  unsigned Line = std::max(1.0, Gpu.L1.Line.value());
  unsigned Sector = sectorBytes(Access, Gpu);
  unsigned Piece = std::min(Bytes, WordBytes), Pieces = Sector / Piece;
  Known = hasBankedDataStage(Gpu) && Bytes <= WordBytes &&
          Addresses.size() <= MaxKnownLanes && Line % WordBytes == 0 &&
          (!IsStore || (Sector % WordBytes == 0 && Pieces <= 32));
  if (!Known)
    return;
  // Bytes of 3 lie askew in a sector, which then counts as not full.
  if (Sector % Piece == 0)
    AllPieces = ~uint32_t(0) >> (32 - Pieces);
  GranuleSpan InWords(Bytes, WordBytes), InPieces(Bytes, Piece);
  FloorDivision InLine(Line / WordBytes), OfSector(Pieces);
  NumberSet Lines, Words, Sectors, Places;
  for (auto [Index, A] : llvm::enumerate(Addresses)) {
    Lane &L = Lanes[Index];
    L = {};
    if (std::isnan(A))
      continue;
    auto [Word, Last] = InWords(A);
    Known &= Word == Last && std::isfinite(A);
    L.Line = Lines.insert(InLine(Word));
    L.Word = Words.insert(Word);
    L.Bank = Word & (Banks - 1);
    if (IsAtomic) // -0 is 0
      L.Address = Places.insert(llvm::bit_cast<int64_t>(A + 0.0));
    if (!IsStore || !AllPieces)
      continue;
    auto [First, End] = InPieces(A);
    int64_t In = OfSector(First);
    L.Sector = Sectors.insert(In);
    for (int64_t P = First; P <= End; ++P)
      L.Pieces |= uint32_t(1) << ((P - In * Pieces) & 31);
  }
}

RequestCounts CountsOfSome::operator()(uint64_t On) const {
  uint32_t Lines = 0, Words = 0;
  unsigned Worst = 0, Full = 0, Same = 0;
  std::array<uint8_t, Banks> Passes{};
  std::array<uint8_t, MaxKnownLanes> Times{};
  std::array<uint32_t, MaxKnownLanes> Covered{};
  for (; On; On &= On - 1) {
    const Lane &L = Lanes[llvm::countr_zero(On)];
    Lines |= uint32_t(1) << L.Line;
    uint32_t Word = uint32_t(1) << L.Word;
    if (!(Words & Word))
      Worst = std::max<unsigned>(Worst, ++Passes[L.Bank]);
    Words |= Word;
    if (IsAtomic)
      Same = std::max<unsigned>(Same, ++Times[L.Address]);
    if (!IsStore || !AllPieces)
      continue;
    bool WasFull = Covered[L.Sector] == AllPieces;
    Covered[L.Sector] |= L.Pieces;
    Full += !WasFull && Covered[L.Sector] == AllPieces;
  }
  RequestCounts C;
  // One pass for four lines, and for a word of each bank.
  C.Wavefronts = std::max((unsigned(llvm::popcount(Lines)) + 3) / 4, Worst);
  C.FullSectors = Full;
  C.SameAddress = Same;
  return C;
}

} // namespace gpuestimate
