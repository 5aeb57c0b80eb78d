/// \file
/// Sectors, cache lines and address multiplicity of one request.
#include "gpu-estimate/Evaluate/Access/Request.h"
#include "SectorIndices.h"
#include "SmallUniqueVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <tuple>

namespace gpuestimate {

CacheRole cacheRole(const MemoryAccess &A, const GpuModel &Gpu) {
  if (A.Space == MemorySpace::Shared || A.Space == MemorySpace::Constant)
    return CacheRole::None;
  if (A.Kind == AccessKind::Atomic)
    return CacheRole::Atomic;
  if (A.Space == MemorySpace::Local)
    return CacheRole::Private;
  if (A.Kind == AccessKind::Store)
    return CacheRole::Store;
  bool Cached =
      Gpu.L1CachesGlobalLoads || A.ReadOnly || A.Space == MemorySpace::Texture;
  return Cached && !A.BypassL1 ? CacheRole::CachedLoad : CacheRole::Load;
}

unsigned sectorBytes(const MemoryAccess &A, const GpuModel &Gpu) {
  double L1 = std::max(1.0, Gpu.L1.Sector.value());
  double L2 = Gpu.L2.Sector.value() > 0 ? Gpu.L2.Sector.value() : L1;
  CacheRole Role = cacheRole(A, Gpu);
  bool InL1 = Role == CacheRole::CachedLoad || Role == CacheRole::Private ||
              Role == CacheRole::None;
  return InL1 ? L1 : std::min(L1, L2);
}

void listSectors(llvm::ArrayRef<double> Addresses, unsigned Bytes,
                 unsigned SectorBytes, SectorIndices &Out) {
  SectorRange Range(Bytes, SectorBytes);
  Out.resize_for_overwrite(Addresses.size() * Range.maxSectors() + 1);
  int64_t *End = Out.data();
  for (double A : Addresses) {
    if (!std::isfinite(A))
      continue;
    auto [First, Last] = Range(A);
    for (int64_t G = First; G <= Last; ++G) {
      *End = G;
      End += End == Out.data() || End[-1] != G;
    }
  }
  Out.truncate(End - Out.data());
}

static void sortUnique(SectorIndices &Values) {
  // Requests are often sorted; the check is cheaper than a sort.
  if (!std::is_sorted(Values.begin(), Values.end()))
    std::sort(Values.begin(), Values.end());
  Values.erase(std::unique(Values.begin(), Values.end()), Values.end());
}

/// Not ascending, and few enough for a SmallUniqueVector.
static bool isScattered(const SectorIndices &Values) {
  return Values.size() <= SmallUniqueVector::MaxSize &&
         !std::is_sorted(Values.begin(), Values.end());
}

unsigned sectorsPerRequest(llvm::ArrayRef<double> LaneAddresses,
                           unsigned BytesPerThread, unsigned SectorBytes) {
  SectorIndices Sectors;
  listSectors(LaneAddresses, BytesPerThread, SectorBytes, Sectors);
  sortUnique(Sectors);
  return Sectors.size();
}

std::pair<unsigned, unsigned>
distinctSectorsAndLines(llvm::ArrayRef<double> LaneAddresses,
                        unsigned BytesPerThread, unsigned SectorBytes,
                        unsigned LineBytes) {
  if (LineBytes % SectorBytes)
    return {sectorsPerRequest(LaneAddresses, BytesPerThread, SectorBytes),
            sectorsPerRequest(LaneAddresses, BytesPerThread, LineBytes)};
  SectorIndices Sectors;
  listSectors(LaneAddresses, BytesPerThread, SectorBytes, Sectors);
  FloorDivision LineOfSector(LineBytes / SectorBytes);
  if (isScattered(Sectors)) {
    SmallUniqueVector Distinct, Lines;
    for (int64_t S : Sectors)
      if (size_t Size = Distinct.size(); Distinct.insert(S) == Size)
        Lines.insert(LineOfSector(S));
    return {Distinct.size(), Lines.size()};
  }
  sortUnique(Sectors);
  unsigned Lines = 0;
  int64_t Last = 0;
  for (int64_t S : Sectors) {
    int64_t L = LineOfSector(S);
    Lines += !Lines || L != Last;
    Last = L;
  }
  return {Sectors.size(), Lines};
}

unsigned fullyCoveredSectors(llvm::ArrayRef<double> LaneAddresses,
                             unsigned BytesPerThread, unsigned SectorBytes) {
  unsigned Word = std::clamp(BytesPerThread, 1u, 4u);
  if (SectorBytes % Word)
    return 0;
  SectorIndices Words;
  listSectors(LaneAddresses, BytesPerThread, Word, Words);
  int64_t WordsPerSector = SectorBytes / Word, In = 0, Last = 0;
  FloorDivision SectorOfWord(SectorBytes / Word);
  if (int64_t(Words.size()) < WordsPerSector)
    return 0;
  unsigned Full = 0;
  if (WordsPerSector <= 64 && isScattered(Words)) {
    SmallUniqueVector Sectors;
    std::array<uint64_t, SmallUniqueVector::MaxSize> Covered{};
    uint64_t All = ~uint64_t(0) >> (64 - WordsPerSector);
    for (int64_t W : Words) {
      int64_t G = SectorOfWord(W);
      uint64_t &Here = Covered[Sectors.insert(G)];
      uint64_t Before = Here;
      Here |= uint64_t(1) << (W - G * WordsPerSector);
      Full += Here == All && Before != All;
    }
    return Full;
  }
  sortUnique(Words);
  for (int64_t W : Words) {
    int64_t G = SectorOfWord(W);
    In = G == Last ? In + 1 : 1;
    Last = G;
    Full += In == WordsPerSector;
  }
  return Full;
}

namespace {
/// A sector and the probability that one or more lanes do not access it.
struct SectorProbability {
  int64_t Sector;
  double NotAccessed;
};
using SectorProbabilities = llvm::SmallVector<SectorProbability, 128>;
} // namespace

/// Sectors of all lanes, ascending; a sector may have several entries.
static SectorProbabilities
sectorProbabilities(llvm::ArrayRef<double> LaneAddresses,
                    llvm::ArrayRef<double> Probability, unsigned BytesPerThread,
                    unsigned SectorBytes) {
  SectorProbabilities Sectors;
  bool Ascending = true;
  SectorRange Range(BytesPerThread, SectorBytes);
  for (auto [Lane, A] : llvm::enumerate(LaneAddresses)) {
    if (!std::isfinite(A) || Probability[Lane] <= 0)
      continue;
    double NotAccessed = 1 - std::min(1.0, Probability[Lane]);
    auto [First, Last] = Range(A);
    for (int64_t G = First; G <= Last; ++G) {
      if (!Sectors.empty() && Sectors.back().Sector == G) {
        Sectors.back().NotAccessed *= NotAccessed;
        continue;
      }
      Ascending &= Sectors.empty() || Sectors.back().Sector < G;
      Sectors.push_back({G, NotAccessed});
    }
  }
  if (!Ascending)
    llvm::sort(Sectors,
               [](const SectorProbability &A, const SectorProbability &B) {
                 return std::tie(A.Sector, A.NotAccessed) <
                        std::tie(B.Sector, B.NotAccessed);
               });
  return Sectors;
}

double expectedSectorsPerRequest(llvm::ArrayRef<double> LaneAddresses,
                                 llvm::ArrayRef<double> Probability,
                                 unsigned BytesPerThread,
                                 unsigned SectorBytes) {
  SectorProbabilities Sectors = sectorProbabilities(
      LaneAddresses, Probability, BytesPerThread, SectorBytes);
  double Expected = 0;
  for (size_t I = 0; I < Sectors.size();) {
    double NotAccessed = 1;
    int64_t G = Sectors[I].Sector;
    for (; I < Sectors.size() && Sectors[I].Sector == G; ++I)
      NotAccessed *= Sectors[I].NotAccessed;
    Expected += 1 - NotAccessed;
  }
  return Expected;
}

unsigned maxLanesPerAddress(llvm::ArrayRef<double> LaneAddresses) {
  llvm::SmallVector<double, 64> Sorted;
  for (double A : LaneAddresses)
    if (std::isfinite(A))
      Sorted.push_back(A);
  std::sort(Sorted.begin(), Sorted.end());
  unsigned Largest = 0, Run = 0;
  for (size_t I = 0; I < Sorted.size(); ++I) {
    Run = I && Sorted[I] == Sorted[I - 1] ? Run + 1 : 1;
    Largest = std::max(Largest, Run);
  }
  return Largest;
}

double interleavedLocalAddress(double Offset, unsigned Lane,
                               unsigned WarpSize) {
  double Word = std::floor(Offset / 4);
  return 4 * (Word * WarpSize + Lane) + (Offset - 4 * Word);
}

} // namespace gpuestimate
