/// \file
/// Costs of requests by access.
#include "gpu-estimate/Evaluate/Sampling/RequestCostModel.h"
#include "PartialWarpCost.h"
#include "SamplingPlan.h"
#include "gpu-estimate/Evaluate/Sampling/Sampling.h"
#include "gpu-estimate/Support/Hash.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <tuple>

namespace gpuestimate {

/// The distance of an inactive lane, because NaN does not equal itself.
static constexpr double Inactive = -0x1p1000;

RequestCostModel::RequestCostModel(const MemoryAccess &Access,
                                   const GpuModel &Gpu)
    : Access(Access), Gpu(Gpu), Sector(sectorBytes(Access, Gpu)),
      Line(std::max(1.0, Gpu.L1.Line.value())) {
  unsigned Width = std::max(1u, Access.BytesPerThread);
  bool Local = Access.Space == MemorySpace::Local;
  Words = Local ? (Width + 3) / 4 : 1;
  Bytes = Local ? std::min(4u, Width) : Width;
  if (Gpu.SharedConflictFreeSegment)
    Segment = Gpu.SharedConflictFreeSegment->value();
  unsigned Banked = std::max(
      Segment, Gpu.SharedBanks * unsigned(Gpu.SharedBankWidth.value()));
  // 128 bytes: the banks of the L1 data stage.
  Period = std::max({Line, Sector, Banked, 128u});
  for (unsigned Size : {Line, Sector, std::max(1u, Banked)})
    if (!llvm::isPowerOf2_32(Size))
      Period = 0;
  // Local memory is interleaved: the words of a warp's lanes are contiguous,
  // and the next word of each lane is one row further.
  if (Local && Period)
    Period = 4 * Gpu.WarpSize % Period == 0 ? 4 : 0;
}

bool RequestCostModel::isPeriodic(size_t Lanes, double First) const {
  // Beyond 2^52, doubles do not represent every byte.
  return Period &&
         (Access.Space != MemorySpace::Local || Lanes == Gpu.WarpSize) &&
         std::abs(First) < 0x1p52;
}

RequestCostModel::Slot &RequestCostModel::slot(double First) {
  return Slots[int64_t(std::floor(First)) & (Period - 1)];
}

void RequestCostModel::setShape() {
  if (Candidate == Shape)
    return;
  Shape.swap(Candidate);
  Slots.resize(Period);
  ++ShapeVersion;
}

const RequestCost &RequestCostModel::cost(llvm::ArrayRef<double> Addresses,
                                          llvm::ArrayRef<double> Probability,
                                          uint64_t Seed) {
  bool Certain = Probability.empty();
  double First = NAN;
  for (double A : Addresses)
    if (!std::isnan(A)) {
      First = A;
      break;
    }
  if (!isPeriodic(Addresses.size(), First)) {
    LastCost = Certain ? computeCost(Addresses)
                       : expectedCost(Addresses, Probability, Seed);
    return LastCost;
  }
  Candidate.resize(Addresses.size());
  for (unsigned L = 0; L < Addresses.size(); ++L)
    Candidate[L] = std::isnan(Addresses[L]) ? Inactive : Addresses[L] - First;
  Candidate.insert(Candidate.end(), Probability.begin(), Probability.end());
  setShape();
  ShapeLanes = 0;
  Slot &Position = slot(First);
  if (Position.ShapeVersion != ShapeVersion)
    Position = {Certain ? shapeCost(Addresses, First)
                        : expectedCost(Addresses, Probability, Seed),
                ShapeVersion};
  return Position.Cost;
}

const RequestCost *
RequestCostModel::cachedCost(llvm::ArrayRef<double> Addresses,
                             uint64_t ActiveLanes) {
  unsigned Lanes = Addresses.size();
  double First = Addresses[llvm::countr_zero(ActiveLanes)];
  if (!isPeriodic(Lanes, First))
    return nullptr;
  auto isShape = [&] {
    uint64_t Differs = 0;
    for (unsigned L = 0; L < Lanes; ++L)
      Differs |= uint64_t(Addresses[L] - First != Shape[L]) << L;
    return !(Differs & ActiveLanes);
  };
  if (ActiveLanes != ShapeLanes || !isShape()) {
    Candidate.resize(Lanes);
    bool Finite = true;
    for (unsigned L = 0; L < Lanes; ++L) {
      bool IsActive = ActiveLanes >> L & 1;
      Finite &= !IsActive || std::isfinite(Addresses[L]);
      Candidate[L] = IsActive ? Addresses[L] - First : Inactive;
    }
    if (!Finite)
      return nullptr;
    setShape();
    ShapeLanes = ActiveLanes;
  }
  Slot &Position = slot(First);
  if (Position.ShapeVersion != ShapeVersion) {
    Outcome.resize(Lanes);
    for (unsigned L = 0; L < Lanes; ++L)
      Outcome[L] = ActiveLanes >> L & 1 ? Addresses[L] : NAN;
    Position = {shapeCost(Outcome, First), ShapeVersion};
  }
  return &Position.Cost;
}

/// Cost of addresses that have the current shape.
RequestCost RequestCostModel::shapeCost(llvm::ArrayRef<double> Addresses,
                                        double First) {
  // The map takes some megabytes; scattered requests do not repeat.
  constexpr unsigned MaxSharedCosts = 1 << 14;
  if (!SharedCosts || SharedCosts->size() >= MaxSharedCosts ||
      First != std::floor(First))
    return computeCost(Addresses);
  Key.assign(Shape.begin(), Shape.end());
  Key.push_back(double(int64_t(First) & (Period - 1)));
  Key.push_back(CostClassNumber);
  auto [Entry, New] = SharedCosts->try_emplace(llvm::StringRef(
      reinterpret_cast<const char *>(Key.data()), Key.size() * sizeof(double)));
  if (New)
    Entry->second = computeCost(Addresses);
  return Entry->second;
}

void RequestCostModel::place(llvm::ArrayRef<double> Addresses) {
  unsigned Lanes = Addresses.size();
  Placed.resize(size_t(Lanes) * Words);
  for (unsigned W = 0; W < Words; ++W)
    for (unsigned L = 0; L < Lanes; ++L)
      Placed[W * Lanes + L] =
          Access.Space == MemorySpace::Local
              ? interleavedLocalAddress(Addresses[L] + 4 * W, L, Lanes)
              : Addresses[L];
}

RequestCost RequestCostModel::computeCost(llvm::ArrayRef<double> Addresses) {
  place(Addresses);
  RequestCost C;
  unsigned Sectors = 0, Lines = 0;
  if (Access.Space != MemorySpace::Shared)
    std::tie(Sectors, Lines) =
        distinctSectorsAndLines(Placed, Bytes, Sector, Line);
  C.Sectors = Sectors;
  C.Lines = Lines;
  switch (Access.Space) {
  case MemorySpace::Shared:
    C.Wavefronts =
        bankPasses(Placed, Bytes, Gpu.SharedBanks, Gpu.SharedBankWidth.value(),
                   Segment, mergesLanePairs(Access, Gpu)) *
        wideAccessPassFactor(Access, Gpu);
    break;
  case MemorySpace::Constant: // one distinct word per pass
    C.Wavefronts = sectorsPerRequest(Placed, Bytes, std::max(4u, Bytes));
    break;
  default:
    C.Wavefronts = std::max(globalPasses(Placed, Bytes, Gpu, Lines),
                            minWideLoadPasses(Access, Placed, Gpu));
  }
  if (Access.Space != MemorySpace::Constant)
    C.Wavefronts = std::min(
        C.Wavefronts,
        serialPasses(
            llvm::count_if(Placed, [](double A) { return std::isfinite(A); }),
            Bytes, Gpu));
  if (Access.Kind == AccessKind::Store && Access.Space == MemorySpace::Global)
    C.FullSectors = fullyCoveredSectors(Placed, Bytes, Sector);
  if (Access.Kind == AccessKind::Atomic)
    C.SameAddress = maxLanesPerAddress(Placed);
  return C;
}

RequestCost RequestCostModel::computeCost(llvm::ArrayRef<double> Addresses,
                                          uint64_t ActiveLanes) {
  Outcome.assign(Addresses.begin(), Addresses.end());
  for (unsigned L = 0; L < Addresses.size(); ++L)
    if (!(ActiveLanes >> L & 1))
      Outcome[L] = NAN;
  return computeCost(Outcome);
}

RequestCost RequestCostModel::expectedCost(llvm::ArrayRef<double> Addresses,
                                           llvm::ArrayRef<double> Probability,
                                           uint64_t Seed) {
  // Maxima over lanes have no simple expected value. They are averaged over few
  // random outcomes, because a regular access makes many requests.
  constexpr unsigned Outcomes = 4;
  unsigned Lanes = Addresses.size();
  uint64_t Start = mixBits(Seed);
  std::array<uint64_t, Outcomes> TakePart{};
  for (unsigned L = 0; L < Lanes; ++L) {
    if (std::isnan(Addresses[L]))
      continue;
    // unitFraction() < Probability, both scaled by the same power of two.
    double Below = Probability[L] * 0x1p53;
    if (Below <= 0 || Below >= 0x1p53) { // never or always
      for (unsigned D = 0; D < Outcomes; ++D)
        TakePart[D] |= uint64_t(Below > 0) << L;
      continue;
    }
    for (unsigned D = 0; D < Outcomes; ++D)
      TakePart[D] |=
          uint64_t(int64_t(mixInto(Start, D * Lanes + L) >> 11) < Below) << L;
  }
  std::optional<PartialWarpCost> Partial;
  if (Access.Space == MemorySpace::Global ||
      Access.Space == MemorySpace::Texture)
    Partial.emplace(Access, Addresses, Gpu);
  RequestCost C;
  for (uint64_t ActiveLanes : TakePart) {
    RequestCost One;
    if (Partial && Partial->isSupported()) {
      One = (*Partial)(ActiveLanes);
    } else {
      One = computeCost(Addresses, ActiveLanes);
    }
    C.Sectors += One.Sectors / Outcomes;
    C.FullSectors += One.FullSectors / Outcomes;
    C.Wavefronts += One.Wavefronts / Outcomes;
    C.SameAddress += One.SameAddress / Outcomes;
    C.Lines += One.Lines / Outcomes;
  }
  if (Access.Space != MemorySpace::Shared)
    C.Sectors = expectedSectors(Addresses, Probability);
  return C;
}

double RequestCostModel::expectedSectors(llvm::ArrayRef<double> Addresses,
                                         llvm::ArrayRef<double> Probability) {
  place(Addresses);
  LaneProbability.clear();
  for (unsigned W = 0; W < Words; ++W)
    LaneProbability.insert(LaneProbability.end(), Probability.begin(),
                           Probability.end());
  return expectedSectorsPerRequest(Placed, LaneProbability, Bytes, Sector);
}

std::optional<double> executedSectors(const MemoryAccess &Access,
                                      const GpuModel &Gpu,
                                      const ExecutedCounts &Counts) {
  constexpr double CountedSectorBytes = 32;
  if (Counts.Requests <= 0 || Access.Space != MemorySpace::Global ||
      Gpu.L1.Sector.value() != CountedSectorBytes)
    return std::nullopt;
  return Counts.Sectors / Counts.Requests;
}

std::vector<std::optional<ExecutedRequests>>
executedRequests(const KernelModel &Kernel, const GpuModel &Gpu,
                 const ExecutedLaunch *Executed) {
  std::vector<std::optional<ExecutedRequests>> Out(Kernel.Accesses.size());
  if (!Executed || !Executed->isAbout(Kernel))
    return Out;
  for (unsigned A = 0; A < Executed->Requests.size(); ++A) {
    const auto &Requests = Executed->Requests[A];
    if (!Kernel.Accesses[A].DataDependent || Requests.empty())
      continue;
    RequestCostModel Model(Kernel.Accesses[A], Gpu);
    ExecutedRequests &Sum = Out[A].emplace();
    double All = 0;
    for (unsigned R = 0; R < Requests.size(); ++R) {
      double Weight = Executed->weight(A, R);
      const RequestCost &One = Model.cost(Requests[R]);
      All += Weight;
      Sum.Mean.Sectors += Weight * One.Sectors;
      Sum.Mean.FullSectors += Weight * One.FullSectors;
      Sum.Mean.Wavefronts += Weight * One.Wavefronts;
      Sum.Mean.SameAddress += Weight * One.SameAddress;
      Sum.Mean.Lines += Weight * One.Lines;
      for (double Address : Requests[R])
        Sum.Lanes += std::isnan(Address) ? 0 : Weight;
    }
    for (double *Total :
         {&Sum.Mean.Sectors, &Sum.Mean.FullSectors, &Sum.Mean.Wavefronts,
          &Sum.Mean.SameAddress, &Sum.Mean.Lines, &Sum.Lanes})
      *Total /= All;
    const ExecutedCounts Counts =
        A < Executed->Counts.size() ? Executed->Counts[A] : ExecutedCounts();
    if (Counts.Requests > 0)
      Sum.Lanes = Counts.Lanes / Counts.Requests;
    if (auto Sectors = executedSectors(Kernel.Accesses[A], Gpu, Counts))
      Sum.Mean.Sectors = *Sectors;
  }
  return Out;
}

} // namespace gpuestimate
