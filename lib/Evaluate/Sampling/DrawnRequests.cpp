/// \file
/// Expected values instead of samples.
#include "DrawnRequests.h"
#include "Evaluate/Access/NumberSet.h"
#include "SamplingPlan.h"
#include "gpu-estimate/Evaluate/Access/Request.h"
#include "gpu-estimate/Support/Hash.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace gpuestimate {

llvm::SmallVector<SectorClass, 8> sectorsOfPlaces(double Offset, double Unit,
                                                  double Range, double Width,
                                                  double Sector) {
  // Each place has sectors of its own.
  double Touched = std::ceil((Offset + Width) / Sector);
  if (std::fmod(Unit, Sector) == 0 && Touched * Sector <= Unit)
    return {{Range * Touched, 1}};
  // Or each sector has places of its own.
  if (std::fmod(Sector, Unit) == 0 && std::fmod(Offset, Unit) == 0 &&
      Width <= Unit) {
    double Each = Sector / Unit;
    double First = std::min(Range, (Sector - Offset) / Unit);
    double Whole = std::floor((Range - First) / Each);
    return {{1, First}, {Whole, Each}, {1, Range - First - Whole * Each}};
  }
  // Places lie across borders: all of a few, or of some periods of many.
  double Period = Sector / std::gcd(int64_t(Sector), int64_t(Unit));
  double Listed = Range;
  if (double Periods = std::ceil(64 / Period); Periods * Period < Range)
    Listed = Periods * Period;
  std::map<int64_t, unsigned> Places; // by sector
  for (double P = 0; P < Listed; ++P)
    for (double S = std::floor((Offset + P * Unit) / Sector);
         S * Sector < Offset + P * Unit + Width; ++S)
      ++Places[int64_t(S)];
  std::map<unsigned, unsigned> Sectors; // by places
  for (auto [S, Number] : Places)
    ++Sectors[Number];
  llvm::SmallVector<SectorClass, 8> Out;
  for (auto [Number, Equal] : Sectors)
    Out.push_back({Equal * Range / Listed, double(Number)});
  return Out;
}

/// Chances that a value is drawn for at least one lane, [draw].
static llvm::SmallVector<double, MaxLanes>
chancesOfDraws(const DrawnRequest &Of) {
  std::array<double, MaxLanes> None;
  None.fill(1);
  for (auto [Draw, Chance] : llvm::zip_equal(Of.Draws, Of.Chance))
    None[Draw] *= 1 - Chance;
  llvm::SmallVector<double, MaxLanes> Out;
  for (double P : None)
    if (P < 1)
      Out.push_back(1 - P);
  return Out;
}

static double expectedSectors(const DrawnRequest &Of, unsigned Width) {
  double Offset = std::fmod(Of.Position, Of.Sector), Sum = 0;
  auto Classes = sectorsOfPlaces(Offset, Of.Unit, Of.Range, Width, Of.Sector);
  llvm::SmallVector<double, MaxLanes> Draws = chancesOfDraws(Of);
  for (auto [Number, Equal] : Classes) {
    double None = 0; // logarithm of the probability that no lane comes
    double Chance = NAN, Logarithm = 0; // of the last draw
    for (double P : Draws) {
      if (P != Chance)
        Logarithm = std::log1p(-P * Equal / Of.Range);
      Chance = P;
      None += Logarithm;
    }
    Sum += Number > 0 ? -Number * std::expm1(None) : 0;
  }
  return Sum;
}

namespace {
/// Mean of outcomes, and how well it is known.
struct Mean {
  double Sum = 0, Squares = 0;
  void add(double Value) {
    Sum += Value;
    Squares += Value * Value;
  }
  /// Is the standard error of the mean of N at most two hundredths of it?
  bool isKnown(double N) const {
    double Variance = std::max(0.0, Squares - Sum * Sum / N) / (N - 1);
    return Variance * N <= 4e-4 * Sum * Sum;
  }
};
} // namespace

RequestCounts expectedCounts(const DrawnRequest &Of, unsigned Width,
                             RequestCounter &Counter) {
  // Banks are all that costs in shared memory, and less than sectors elsewhere.
  constexpr unsigned Fewest = 8;
  const unsigned Most = Of.Sector ? 32 : 128;
  std::optional<double> Exact;
  if (Of.Sector)
    Exact = expectedSectors(Of, Width);
  const unsigned Lanes = Of.Draws.size();
  llvm::SmallVector<double, MaxLanes> Addresses(Lanes);
  Mean Sectors, Full, Passes, Same;
  unsigned N = 0;
  auto isKnown = [&] {
    return N >= Fewest && Full.isKnown(N) && Passes.isKnown(N) &&
           Same.isKnown(N) && (Exact || Sectors.isKnown(N));
  };
  while (N < Most && !isKnown()) {
    uint64_t On = 0, Seed = mixBits(++N);
    for (unsigned L = 0; L < Lanes; ++L) {
      double Value =
          std::floor(unitFraction(mixInto(Seed, Of.Draws[L])) * Of.Range);
      Addresses[L] = Of.Position + Of.Unit * Value;
      On |= uint64_t(unitFraction(mixInto(Seed, MaxLanes + L)) < Of.Chance[L])
            << L;
    }
    RequestCounts One = Counter.countOf(Addresses, On);
    Sectors.add(One.Sectors);
    Full.add(One.FullSectors);
    Passes.add(One.Wavefronts);
    Same.add(One.SameAddress);
  }
  return {Exact.value_or(Sectors.Sum / N), Full.Sum / N, Passes.Sum / N,
          Same.Sum / N};
}

DrawnRequests::DrawnRequests(BoundKernel &Bound, const GpuModel &Gpu,
                             RememberedRequests &Requests,
                             RequestShapes &Shapes)
    : Bound(Bound), Requests(Requests), Shapes(Shapes), Lanes(Bound.lanes()),
      Grouped(Bound.drawn().size()) {
  for (const MemoryAccess &A : Bound.kernel().Accesses)
    Sector.push_back(A.Space == MemorySpace::Shared ||
                             A.Space == MemorySpace::Local
                         ? 0
                         : sectorBytes(A, Gpu));
}

/// Lanes whose place is not known draw for themselves where the value differs
/// between lanes at all.
void DrawnRequests::groupLanes(unsigned Value) {
  Groups &G = Grouped[Value];
  uint64_t Draw = Bound.drawNumber(Value);
  if (std::exchange(G.Draw, Draw) == Draw)
    return;
  NumberSet Known;
  bool Apart = Bound.drawn()[Value].LaneVarying;
  for (auto [L, From] : llvm::enumerate(Bound.drawnFrom(Value)))
    // Small negative numbers are no bits of a finite one; -0 is 0.
    G.Of[L] = uint8_t(Known.insert(!std::isnan(From)
                                       ? llvm::bit_cast<int64_t>(From + 0.0)
                                   : Apart ? -2 - int64_t(L)
                                           : -1));
}

const RequestCounts *DrawnRequests::find(unsigned Access, uint64_t On,
                                         llvm::ArrayRef<double> Chance) {
  const DrawnPlace *Place = Bound.drawnPlace(Access);
  std::optional<unsigned> Kind = Requests.kind(Access);
  if (!Place || !Kind)
    return nullptr;
  double Base = Bound.drawnBase(Access);
  if (!(std::abs(Base) < 0x1p52)) // not known to the byte
    return nullptr;
  RequestCounter &Counter = Requests.counter(Access);
  double Period = Counter.period();
  double Position = Base - std::floor(Base / Period) * Period;
  double Range = Bound.drawn()[Place->Value].Range;
  groupLanes(Place->Value);
  llvm::ArrayRef<uint8_t> Draws(Grouped[Place->Value].Of.data(), Lanes);

  Key.clear();
  auto append = [&](const auto &Each) {
    Key.append(
        llvm::StringRef(reinterpret_cast<const char *>(&Each), sizeof(Each)));
  };
  append(*Kind);
  append(Place->Unit);
  append(Range);
  append(Position);
  Key.append(Draws.begin(), Draws.end());
  if (Chance.empty())
    append(On);
  else
    for (double P : Chance)
      append(P);
  auto [Slot, New] = Shapes.drawn().try_emplace(Key);
  if (New) {
    llvm::SmallVector<double, MaxLanes> Certain;
    for (unsigned L = 0; L < Lanes && Chance.empty(); ++L)
      Certain.push_back(On >> L & 1);
    const MemoryAccess &A = Bound.kernel().Accesses[Access];
    Slot->second = expectedCounts({Place->Unit, Range, Position, Sector[Access],
                                   Draws, Chance.empty() ? Certain : Chance},
                                  std::max(1u, A.BytesPerThread), Counter);
  }
  return &Slot->second;
}

} // namespace gpuestimate
