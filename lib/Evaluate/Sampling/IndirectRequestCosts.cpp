/// \file
/// Expected costs of indirect requests.
#include "IndirectRequestCosts.h"
#include "Evaluate/Access/SmallUniqueVector.h"
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

llvm::SmallVector<SectorClass, 8> sectorClasses(double Offset, double Unit,
                                                double Range, double Width,
                                                double SectorBytes) {
  // Each element has sectors of its own.
  double SectorsPerElement = std::ceil((Offset + Width) / SectorBytes);
  if (std::fmod(Unit, SectorBytes) == 0 &&
      SectorsPerElement * SectorBytes <= Unit)
    return {{Range * SectorsPerElement, 1}};
  // Each sector has elements of its own.
  if (std::fmod(SectorBytes, Unit) == 0 && std::fmod(Offset, Unit) == 0 &&
      Width <= Unit) {
    double PerSector = SectorBytes / Unit;
    double First = std::min(Range, (SectorBytes - Offset) / Unit);
    double Whole = std::floor((Range - First) / PerSector);
    return {
        {1, First}, {Whole, PerSector}, {1, Range - First - Whole * PerSector}};
  }
  // Elements straddle sectors: all elements are enumerated, or several periods
  // if there are many.
  double Period = SectorBytes / std::gcd(int64_t(SectorBytes), int64_t(Unit));
  double Listed = Range;
  if (double Periods = std::ceil(64 / Period); Periods * Period < Range)
    Listed = Periods * Period;
  std::map<int64_t, unsigned> Elements; // per sector
  for (double P = 0; P < Listed; ++P)
    for (double S = std::floor((Offset + P * Unit) / SectorBytes);
         S * SectorBytes < Offset + P * Unit + Width; ++S)
      ++Elements[int64_t(S)];
  std::map<unsigned, unsigned> Sectors; // by number of elements
  for (auto [S, Number] : Elements)
    ++Sectors[Number];
  llvm::SmallVector<SectorClass, 8> Out;
  for (auto [Number, Count] : Sectors)
    Out.push_back({Count * Range / Listed, double(Number)});
  return Out;
}

/// [value group] probability that at least one of its lanes is active.
static llvm::SmallVector<double, MaxLanes>
groupProbabilities(const IndirectRequest &Request) {
  std::array<double, MaxLanes> None;
  None.fill(1);
  for (auto [Group, Probability] :
       llvm::zip_equal(Request.ValueGroups, Request.Probability))
    None[Group] *= 1 - Probability;
  llvm::SmallVector<double, MaxLanes> Out;
  for (double P : None)
    if (P < 1)
      Out.push_back(1 - P);
  return Out;
}

static double expectedSectors(const IndirectRequest &Request, unsigned Width) {
  double Offset = std::fmod(Request.Position, Request.SectorBytes), Sum = 0;
  auto Classes = sectorClasses(Offset, Request.BytesPerIndex, Request.Range,
                               Width, Request.SectorBytes);
  llvm::SmallVector<double, MaxLanes> ValueGroups = groupProbabilities(Request);
  for (auto [Sectors, Elements] : Classes) {
    double None = 0; // logarithm of the probability that no lane accesses it
    double LastProbability = NAN, Logarithm = 0;
    for (double P : ValueGroups) {
      if (P != LastProbability)
        Logarithm = std::log1p(-P * Elements / Request.Range);
      LastProbability = P;
      None += Logarithm;
    }
    Sum += Sectors > 0 ? -Sectors * std::expm1(None) : 0;
  }
  return Sum;
}

namespace {
/// A mean of random outcomes and its standard error.
struct Mean {
  double Sum = 0, Squares = 0;
  void add(double Value) {
    Sum += Value;
    Squares += Value * Value;
  }
  /// Whether the standard error of the mean of N outcomes is at most 2 % of it.
  bool isKnown(double N) const {
    double Variance = std::max(0.0, Squares - Sum * Sum / N) / (N - 1);
    return Variance * N <= 4e-4 * Sum * Sum;
  }
};
} // namespace

RequestCost expectedCost(const IndirectRequest &Request, unsigned Width,
                         RequestCostModel &Model) {
  // Bank conflicts are the only cost in shared memory; elsewhere sectors cost
  // more, and fewer outcomes suffice.
  constexpr unsigned MinOutcomes = 8;
  const unsigned MaxOutcomes = Request.SectorBytes ? 32 : 128;
  std::optional<double> Exact;
  if (Request.SectorBytes)
    Exact = expectedSectors(Request, Width);
  const unsigned Lanes = Request.ValueGroups.size();
  llvm::SmallVector<double, MaxLanes> Addresses(Lanes);
  Mean Sectors, Full, Passes, Same, Lines;
  unsigned N = 0;
  auto isKnown = [&] {
    return N >= MinOutcomes && Full.isKnown(N) && Passes.isKnown(N) &&
           Same.isKnown(N) && Lines.isKnown(N) && (Exact || Sectors.isKnown(N));
  };
  while (N < MaxOutcomes && !isKnown()) {
    uint64_t ActiveLanes = 0, Seed = mixBits(++N);
    for (unsigned L = 0; L < Lanes; ++L) {
      double Value = std::floor(
          unitFraction(mixInto(Seed, Request.ValueGroups[L])) * Request.Range);
      Addresses[L] = Request.Position + Request.BytesPerIndex * Value;
      ActiveLanes |= uint64_t(unitFraction(mixInto(Seed, MaxLanes + L)) <
                              Request.Probability[L])
                     << L;
    }
    RequestCost One = Model.computeCost(Addresses, ActiveLanes);
    Sectors.add(One.Sectors);
    Full.add(One.FullSectors);
    Passes.add(One.Wavefronts);
    Same.add(One.SameAddress);
    Lines.add(One.Lines);
  }
  return {Exact.value_or(Sectors.Sum / N), Full.Sum / N, Passes.Sum / N,
          Same.Sum / N, Lines.Sum / N};
}

IndirectRequestCosts::IndirectRequestCosts(LaneState &State,
                                           const GpuModel &Gpu,
                                           RequestCostCache &Requests,
                                           RequestCostTables &Tables)
    : State(State), Program(State.program()), Requests(Requests),
      Tables(Tables), Lanes(Program.lanes()),
      IndexGroups(Program.indirectIndices().size()) {
  for (const MemoryAccess &A : Program.kernel().Accesses)
    SectorBytes.push_back(A.Space == MemorySpace::Shared ||
                                  A.Space == MemorySpace::Local
                              ? 0
                              : sectorBytes(A, Gpu));
}

/// Groups lanes by the address that they load the index from. Lanes whose load
/// address is unknown get a group each if the index is lane-varying, else one
/// common group.
void IndirectRequestCosts::groupLanes(unsigned Index) {
  Groups &G = IndexGroups[Index];
  uint64_t Version = State.indices().version(Index);
  if (std::exchange(G.ValueVersion, Version) == Version)
    return;
  SmallUniqueVector LoadAddresses;
  bool IsLaneVarying = Program.indirectIndices()[Index].LaneVarying;
  for (auto [L, LoadAddress] :
       llvm::enumerate(State.indices().loadAddresses(Index)))
    // Small negative integers are not the bits of a finite double; -0 is 0.
    G.LaneGroup[L] = uint8_t(LoadAddresses.insert(
        !std::isnan(LoadAddress) ? llvm::bit_cast<int64_t>(LoadAddress + 0.0)
        : IsLaneVarying          ? -2 - int64_t(L)
                                 : -1));
}

const RequestCost *
IndirectRequestCosts::find(unsigned Access, uint64_t ActiveLanes,
                           llvm::ArrayRef<double> Probability) {
  const IndirectAddress *Address = Program.indirectAddress(Access);
  std::optional<unsigned> CostClass = Requests.costClass(Access);
  if (!Address || !CostClass)
    return nullptr;
  double Base = State.indirectBase(Access);
  if (!(std::abs(Base) < 0x1p52)) // doubles do not represent every byte
    return nullptr;
  RequestCostModel &Model = Requests.model(Access);
  double Period = Model.period();
  double Position = Base - std::floor(Base / Period) * Period;
  double Range = Program.indirectIndices()[Address->Index].Range;
  groupLanes(Address->Index);
  llvm::ArrayRef<uint8_t> ValueGroups(
      IndexGroups[Address->Index].LaneGroup.data(), Lanes);

  Key.clear();
  auto append = [&](const auto &Value) {
    Key.append(
        llvm::StringRef(reinterpret_cast<const char *>(&Value), sizeof(Value)));
  };
  append(*CostClass);
  append(Address->BytesPerIndex);
  append(Range);
  append(Position);
  Key.append(ValueGroups.begin(), ValueGroups.end());
  if (Probability.empty())
    append(ActiveLanes);
  else
    for (double P : Probability)
      append(P);
  auto [Entry, New] = Tables.indirect().try_emplace(Key);
  if (New) {
    llvm::SmallVector<double, MaxLanes> Active;
    for (unsigned L = 0; L < Lanes && Probability.empty(); ++L)
      Active.push_back(ActiveLanes >> L & 1);
    const MemoryAccess &A = Program.kernel().Accesses[Access];
    Entry->second = expectedCost({Address->BytesPerIndex, Range, Position,
                                  SectorBytes[Access], ValueGroups,
                                  Probability.empty() ? Active : Probability},
                                 std::max(1u, A.BytesPerThread), Model);
  }
  return &Entry->second;
}

} // namespace gpuestimate
