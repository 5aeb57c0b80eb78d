/// \file
/// Exact counting over the lanes of one request.
#include "gpu-estimate/Evaluate/Request.h"
#include "gpu-estimate/Evaluate/Sampling.h"
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

using Granules = llvm::SmallVector<int64_t, 128>;

/// Of the data stage that global accesses pass from 7.0 on.
static constexpr unsigned GlobalBanks = 32, WordBytes = 4;

namespace {
/// Numbers of the granules that an access covers. Integers, because adding 1
/// to a double beyond 2^53 would not change it; shifts where the size allows,
/// because this runs for every lane of every sampled request.
class GranuleSpan {
public:
  GranuleSpan(unsigned Bytes, unsigned Granule)
      : Beyond(std::max(Bytes, 1u) - 1), Granule(Granule),
        Shift(llvm::isPowerOf2_32(Granule) ? int(llvm::Log2_32(Granule)) : -1) {
  }

  std::pair<int64_t, int64_t> operator()(double Address) const {
    int64_t At = std::clamp(Address, -0x1p62, 0x1p62);
    At -= Address < double(At); // towards minus infinity
    return {number(At), number(At + Beyond)};
  }

private:
  int64_t number(int64_t At) const {
    return Shift >= 0 ? At >> Shift
                      : llvm::divideFloorSigned(At, int64_t(Granule));
  }
  int64_t Beyond;
  unsigned Granule;
  int Shift;
};
} // namespace

/// Numbers of the granules of every lane, in lane order, without immediate
/// repeats.
static void listGranules(llvm::ArrayRef<double> Addresses, unsigned Bytes,
                         unsigned Granule, Granules &Out) {
  GranuleSpan Span(Bytes, Granule);
  for (double A : Addresses) {
    if (!std::isfinite(A))
      continue;
    auto [First, Last] = Span(A);
    for (int64_t G = First; G <= Last; ++G)
      if (Out.empty() || Out.back() != G)
        Out.push_back(G);
  }
}

static void sortUnique(Granules &Values) {
  // Most requests are ascending already; the check is cheaper than a sort.
  if (!std::is_sorted(Values.begin(), Values.end()))
    std::sort(Values.begin(), Values.end());
  Values.erase(std::unique(Values.begin(), Values.end()), Values.end());
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
  sortUnique(Touched);
  unsigned Lines = 0;
  int64_t PerLine = Line / Sector, Last = 0;
  for (int64_t S : Touched) {
    int64_t L = llvm::divideFloorSigned(S, PerLine);
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
  sortUnique(Words);
  int64_t PerGranule = Granule / Word, In = 0, Last = 0;
  unsigned Full = 0;
  for (int64_t W : Words) {
    int64_t G = llvm::divideFloorSigned(W, PerGranule);
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

bool mergesPairs(const MemoryAccess &A, const GpuModel &Gpu) {
  return A.Space == MemorySpace::Shared && A.Kind == AccessKind::Load &&
         A.BytesPerThread > 4 && std::atoi(Gpu.ComputeCapability.c_str()) >= 5;
}

double wideAccessPasses(const MemoryAccess &A, const GpuModel &Gpu) {
  bool Fermi = std::atoi(Gpu.ComputeCapability.c_str()) == 2;
  return Fermi && A.BytesPerThread > 8 ? 1483.35 / 982.38 : 1;
}

/// Has every active lane the address of lane ^ Distance, if that is active?
static bool equalPairs(llvm::ArrayRef<double> LaneAddresses, size_t Distance) {
  for (size_t Lane = 0; Lane < LaneAddresses.size(); ++Lane) {
    size_t Other = Lane ^ Distance;
    if (Other > Lane && Other < LaneAddresses.size() &&
        std::isfinite(LaneAddresses[Lane]) &&
        std::isfinite(LaneAddresses[Other]) &&
        LaneAddresses[Lane] != LaneAddresses[Other])
      return false;
  }
  return true;
}

unsigned bankPasses(llvm::ArrayRef<double> LaneAddresses,
                    unsigned BytesPerThread, unsigned Banks, unsigned BankWidth,
                    unsigned Segment, bool PairsMerge) {
  if (!Banks || !BankWidth)
    return LaneAddresses.empty() ? 0 : 1;
  int64_t SegmentWords = std::max(Banks, Segment / BankWidth);
  // As many lanes at a time as the banks can serve without any conflict.
  unsigned PerLane = std::max(BytesPerThread, BankWidth);
  unsigned GroupLanes = std::max(1u, Banks * BankWidth / PerLane);
  if (PairsMerge &&
      (equalPairs(LaneAddresses, 1) || equalPairs(LaneAddresses, 2)))
    GroupLanes *= 2;
  // Divisions take most of the time otherwise.
  bool Shifts =
      llvm::isPowerOf2_32(Banks) && llvm::isPowerOf2_64(uint64_t(SegmentWords));
  unsigned SegmentShift = Shifts ? llvm::Log2_64(uint64_t(SegmentWords)) : 0;
  unsigned Passes = 0;
  Granules Words;
  struct Bank {
    unsigned Passes = 0;
    int64_t Segment = 0; // served by the last of them
  };
  llvm::SmallVector<Bank, 64> PerBank;
  for (size_t First = 0; First < LaneAddresses.size(); First += GroupLanes) {
    Words.clear();
    listGranules(
        LaneAddresses.slice(
            First, std::min<size_t>(GroupLanes, LaneAddresses.size() - First)),
        BytesPerThread, BankWidth, Words);
    sortUnique(Words);
    if (!Words.empty() && Words.back() - Words.front() < int64_t(Banks)) {
      ++Passes; // one row of the banks
      continue;
    }
    PerBank.assign(Banks, {});
    unsigned Worst = 0;
    for (int64_t W : Words) {
      int64_t Number = Shifts ? W & int64_t(Banks - 1) : W % int64_t(Banks);
      Bank &B = PerBank[Number < 0 ? Number + Banks : Number];
      int64_t In =
          Shifts ? W >> SegmentShift : llvm::divideFloorSigned(W, SegmentWords);
      if (B.Passes && B.Segment == In)
        continue;
      B.Segment = In;
      Worst = std::max(Worst, ++B.Passes);
    }
    Passes += Worst;
  }
  return Passes;
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

/// Sum over groups of Lanes consecutive lanes of their distinct granules.
static unsigned granulesByGroup(llvm::ArrayRef<double> Addresses,
                                unsigned Bytes, unsigned Lanes,
                                unsigned Granule) {
  unsigned Total = 0;
  for (size_t First = 0; First < Addresses.size(); First += Lanes)
    Total += distinctGranules(
        Addresses.slice(First,
                        std::min<size_t>(Lanes, Addresses.size() - First)),
        Bytes, Granule);
  return Total;
}

double globalPasses(llvm::ArrayRef<double> LaneAddresses,
                    unsigned BytesPerThread, const GpuModel &Gpu) {
  return globalPasses(LaneAddresses, BytesPerThread, Gpu,
                      distinctGranules(LaneAddresses, BytesPerThread,
                                       std::max(1.0, Gpu.L1.Line.value())));
}

double globalPasses(llvm::ArrayRef<double> LaneAddresses,
                    unsigned BytesPerThread, const GpuModel &Gpu,
                    unsigned Lines) {
  unsigned Line = std::max(1.0, Gpu.L1.Line.value());
  unsigned Sector = std::max(1.0, Gpu.L1.Sector.value());
  if (Lines == 0)
    return 0;
  unsigned Width = std::max(4u, BytesPerThread);
  if (Gpu.ComputeCapability.empty())
    return std::max(Lines, (Gpu.WarpSize + 15) / 16);
  int Major = std::atoi(Gpu.ComputeCapability.c_str());
  if (Major >= 7)
    return std::max((Lines + 3) / 4, bankPasses(LaneAddresses, BytesPerThread,
                                                GlobalBanks, WordBytes));
  if (Major >= 5)
    return std::max(1.0, granulesByGroup(LaneAddresses, BytesPerThread,
                                         std::max(1u, 32 / Width), Sector) /
                             4.0);
  return granulesByGroup(LaneAddresses, BytesPerThread,
                         std::max(1u, 128 / Width), Line);
}

PassesOfSome::PassesOfSome(llvm::ArrayRef<double> LaneAddresses,
                           unsigned BytesPerThread, const GpuModel &Gpu)
    // One pass per row of 32 words, a word for each lane.
    : Known(std::atoi(Gpu.ComputeCapability.c_str()) >= 7 &&
            BytesPerThread <= WordBytes &&
            LaneAddresses.size() <= GlobalBanks) {
  unsigned Line = std::max(1.0, Gpu.L1.Line.value());
  Known &= Line % WordBytes == 0;
  GranuleSpan InWords(BytesPerThread, WordBytes), InLines(BytesPerThread, Line);
  for (double A : LaneAddresses) {
    if (!Known)
      return;
    auto [First, Last] = InWords(A);
    Known = First == Last && std::isfinite(A);
    Words.push_back(First);
    Lines.push_back(InLines(A).first);
  }
}

double PassesOfSome::operator()(uint64_t Lanes) const {
  unsigned TouchedLines = 0, Worst = 0;
  std::array<uint8_t, GlobalBanks> Passes{};
  int64_t LastLine = 0, LastWord = 0;
  for (uint64_t Rest = Lanes; Rest; Rest &= Rest - 1) {
    unsigned I = llvm::countr_zero(Rest);
    bool First = Rest == Lanes;
    if (First || Lines[I] != LastLine)
      ++TouchedLines;
    LastLine = Lines[I];
    if (First || Words[I] != LastWord)
      Worst = std::max<unsigned>(Worst, ++Passes[Words[I] & (GlobalBanks - 1)]);
    LastWord = Words[I];
  }
  return std::max((TouchedLines + 3) / 4, Worst);
}

double interleavedLocal(double Offset, unsigned Lane, unsigned WarpSize) {
  double Word = std::floor(Offset / 4);
  return 4 * (Word * WarpSize + Lane) + (Offset - 4 * Word);
}

} // namespace gpuestimate
