/// \file
/// Exact counting over the lanes of one request.
#include "gpu-estimate/Evaluate/Access/Request.h"
#include "GranuleList.h"
#include "NumberSet.h"
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

void listGranules(llvm::ArrayRef<double> Addresses, unsigned Bytes,
                  unsigned Granule, Granules &Out) {
  GranuleSpan Span(Bytes, Granule);
  Out.resize_for_overwrite(Addresses.size() * Span.most() + 1);
  int64_t *End = Out.data();
  for (double A : Addresses) {
    if (!std::isfinite(A))
      continue;
    auto [First, Last] = Span(A);
    for (int64_t G = First; G <= Last; ++G) {
      *End = G;
      End += End == Out.data() || End[-1] != G;
    }
  }
  Out.truncate(End - Out.data());
}

static void sortUnique(Granules &Values) {
  // Most requests are ascending already; the check is cheaper than a sort.
  if (!std::is_sorted(Values.begin(), Values.end()))
    std::sort(Values.begin(), Values.end());
  Values.erase(std::unique(Values.begin(), Values.end()), Values.end());
}

/// Not ascending, and few enough for a set.
static bool isScattered(const Granules &Values) {
  return Values.size() <= NumberSet::MaxSize &&
         !std::is_sorted(Values.begin(), Values.end());
}

unsigned distinctGranules(llvm::ArrayRef<double> LaneAddresses,
                          unsigned BytesPerThread, unsigned Granule) {
  Granules Touched;
  listGranules(LaneAddresses, BytesPerThread, Granule, Touched);
  sortUnique(Touched);
  return Touched.size();
}

std::pair<unsigned, unsigned>
distinctSectorsAndLines(llvm::ArrayRef<double> LaneAddresses,
                        unsigned BytesPerThread, unsigned Sector,
                        unsigned Line) {
  if (Line % Sector)
    return {distinctGranules(LaneAddresses, BytesPerThread, Sector),
            distinctGranules(LaneAddresses, BytesPerThread, Line)};
  Granules Touched;
  listGranules(LaneAddresses, BytesPerThread, Sector, Touched);
  FloorDivision InLine(Line / Sector);
  if (isScattered(Touched)) {
    NumberSet Sectors, Lines;
    for (int64_t S : Touched)
      if (size_t Known = Sectors.size(); Sectors.insert(S) == Known)
        Lines.insert(InLine(S));
    return {Sectors.size(), Lines.size()};
  }
  sortUnique(Touched);
  unsigned Lines = 0;
  int64_t Last = 0;
  for (int64_t S : Touched) {
    int64_t L = InLine(S);
    Lines += !Lines || L != Last;
    Last = L;
  }
  return {Touched.size(), Lines};
}

unsigned fullGranules(llvm::ArrayRef<double> LaneAddresses,
                      unsigned BytesPerThread, unsigned Granule) {
  unsigned Word = std::clamp(BytesPerThread, 1u, 4u);
  if (Granule % Word)
    return 0;
  Granules Words;
  listGranules(LaneAddresses, BytesPerThread, Word, Words);
  int64_t PerGranule = Granule / Word, In = 0, Last = 0;
  FloorDivision InGranule(Granule / Word);
  if (int64_t(Words.size()) < PerGranule)
    return 0;
  unsigned Full = 0;
  if (PerGranule <= 64 && isScattered(Words)) {
    NumberSet Touched;
    std::array<uint64_t, NumberSet::MaxSize> Covered{};
    uint64_t All = ~uint64_t(0) >> (64 - PerGranule);
    for (int64_t W : Words) {
      int64_t G = InGranule(W);
      uint64_t &Here = Covered[Touched.insert(G)];
      uint64_t Before = Here;
      Here |= uint64_t(1) << (W - G * PerGranule);
      Full += Here == All && Before != All;
    }
    return Full;
  }
  sortUnique(Words);
  for (int64_t W : Words) {
    int64_t G = InGranule(W);
    In = G == Last ? In + 1 : 1;
    Last = G;
    Full += In == PerGranule;
  }
  return Full;
}

namespace {
/// A granule, and the probability that a lane leaves it alone.
struct Chance {
  int64_t Granule;
  double Untouched;
};
using Chances = llvm::SmallVector<Chance, 128>;
} // namespace

/// Ascending by granule; lanes that are far apart have an entry each.
static Chances granuleChances(llvm::ArrayRef<double> LaneAddresses,
                              llvm::ArrayRef<double> Probability,
                              unsigned BytesPerThread, unsigned Granule) {
  Chances Touched;
  bool Ascending = true;
  GranuleSpan Span(BytesPerThread, Granule);
  for (auto [Lane, A] : llvm::enumerate(LaneAddresses)) {
    if (!std::isfinite(A) || Probability[Lane] <= 0)
      continue;
    double Untouched = 1 - std::min(1.0, Probability[Lane]);
    auto [First, Last] = Span(A);
    for (int64_t G = First; G <= Last; ++G) {
      if (!Touched.empty() && Touched.back().Granule == G) {
        Touched.back().Untouched *= Untouched;
        continue;
      }
      Ascending &= Touched.empty() || Touched.back().Granule < G;
      Touched.push_back({G, Untouched});
    }
  }
  if (!Ascending)
    llvm::sort(Touched, [](const Chance &A, const Chance &B) {
      return std::tie(A.Granule, A.Untouched) <
             std::tie(B.Granule, B.Untouched);
    });
  return Touched;
}

double expectedGranules(llvm::ArrayRef<double> LaneAddresses,
                        llvm::ArrayRef<double> Probability,
                        unsigned BytesPerThread, unsigned Granule) {
  Chances Touched =
      granuleChances(LaneAddresses, Probability, BytesPerThread, Granule);
  double Expected = 0;
  for (size_t I = 0; I < Touched.size();) {
    double Untouched = 1;
    int64_t G = Touched[I].Granule;
    for (; I < Touched.size() && Touched[I].Granule == G; ++I)
      Untouched *= Touched[I].Untouched;
    Expected += 1 - Untouched;
  }
  return Expected;
}

unsigned largestMultiplicity(llvm::ArrayRef<double> LaneAddresses) {
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

double interleavedLocal(double Offset, unsigned Lane, unsigned WarpSize) {
  double Word = std::floor(Offset / 4);
  return 4 * (Word * WarpSize + Lane) + (Offset - 4 * Word);
}

} // namespace gpuestimate
