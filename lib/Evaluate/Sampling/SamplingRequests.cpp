/// \file
/// Counting of requests by access.
#include "gpu-estimate/Evaluate/Sampling/SamplingRequests.h"
#include "CountsOfSome.h"
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

/// Distance of an idle lane: NaN would not compare equal to itself.
static constexpr double Idle = -0x1p1000;

RequestCounter::RequestCounter(const MemoryAccess &Access, const GpuModel &Gpu)
    : Access(Access), Gpu(Gpu), Sector(sectorBytes(Access, Gpu)),
      Line(std::max(1.0, Gpu.L1.Line.value())) {
  unsigned Width = std::max(1u, Access.BytesPerThread);
  bool Local = Access.Space == MemorySpace::Local;
  Pieces = Local ? (Width + 3) / 4 : 1;
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
  // Words of a warp's lanes lie side by side: the next ones are a row further.
  if (Local && Period)
    Period = 4 * Gpu.WarpSize % Period == 0 ? 4 : 0;
}

bool RequestCounter::repeats(size_t Lanes, double First) const {
  // Positions are whole bytes; beyond 2^52 they are not known to the byte.
  return Period &&
         (Access.Space != MemorySpace::Local || Lanes == Gpu.WarpSize) &&
         std::abs(First) < 0x1p52;
}

RequestCounter::Slot &RequestCounter::slot(double First) {
  return Known[int64_t(std::floor(First)) & (Period - 1)];
}

void RequestCounter::takeCandidate() {
  if (Candidate == Shape)
    return;
  Shape.swap(Candidate);
  Known.resize(Period);
  ++Round;
}

const RequestCounts &RequestCounter::count(llvm::ArrayRef<double> Addresses,
                                           llvm::ArrayRef<double> Probability,
                                           uint64_t Seed) {
  bool Certain = Probability.empty();
  double First = NAN;
  for (double A : Addresses)
    if (!std::isnan(A)) {
      First = A;
      break;
    }
  if (!repeats(Addresses.size(), First)) {
    Last = Certain ? countNow(Addresses) : expect(Addresses, Probability, Seed);
    return Last;
  }
  Candidate.resize(Addresses.size());
  for (unsigned L = 0; L < Addresses.size(); ++L)
    Candidate[L] = std::isnan(Addresses[L]) ? Idle : Addresses[L] - First;
  Candidate.insert(Candidate.end(), Probability.begin(), Probability.end());
  takeCandidate();
  ShapeOf = 0;
  Slot &Position = slot(First);
  if (Position.Round != Round)
    Position = {Certain ? countShape(Addresses, First)
                        : expect(Addresses, Probability, Seed),
                Round};
  return Position.Counts;
}

const RequestCounts *
RequestCounter::countCertain(llvm::ArrayRef<double> Addresses, uint64_t On) {
  unsigned Lanes = Addresses.size();
  double First = Addresses[llvm::countr_zero(On)];
  if (!repeats(Lanes, First))
    return nullptr;
  auto isShape = [&] {
    uint64_t Differs = 0;
    for (unsigned L = 0; L < Lanes; ++L)
      Differs |= uint64_t(Addresses[L] - First != Shape[L]) << L;
    return !(Differs & On);
  };
  if (On != ShapeOf || !isShape()) {
    Candidate.resize(Lanes);
    bool Finite = true;
    for (unsigned L = 0; L < Lanes; ++L) {
      bool Takes = On >> L & 1;
      Finite &= !Takes || std::isfinite(Addresses[L]);
      Candidate[L] = Takes ? Addresses[L] - First : Idle;
    }
    if (!Finite)
      return nullptr;
    takeCandidate();
    ShapeOf = On;
  }
  Slot &Position = slot(First);
  if (Position.Round != Round) {
    Outcome.resize(Lanes);
    for (unsigned L = 0; L < Lanes; ++L)
      Outcome[L] = On >> L & 1 ? Addresses[L] : NAN;
    Position = {countShape(Outcome, First), Round};
  }
  return &Position.Counts;
}

/// countNow() of addresses at the distances of Shape.
RequestCounts RequestCounter::countShape(llvm::ArrayRef<double> Addresses,
                                         double First) {
  // Some megabytes; scattered requests do not repeat anyway.
  constexpr unsigned MostKnown = 1 << 14;
  if (!Shared || Shared->size() >= MostKnown || First != std::floor(First))
    return countNow(Addresses);
  Key.assign(Shape.begin(), Shape.end());
  Key.push_back(double(int64_t(First) & (Period - 1)));
  Key.push_back(KindNumber);
  auto [Place, New] = Shared->try_emplace(llvm::StringRef(
      reinterpret_cast<const char *>(Key.data()), Key.size() * sizeof(double)));
  if (New)
    Place->second = countNow(Addresses);
  return Place->second;
}

void RequestCounter::place(llvm::ArrayRef<double> Addresses) {
  unsigned Lanes = Addresses.size();
  Placed.resize(size_t(Lanes) * Pieces);
  for (unsigned W = 0; W < Pieces; ++W)
    for (unsigned L = 0; L < Lanes; ++L)
      Placed[W * Lanes + L] =
          Access.Space == MemorySpace::Local
              ? interleavedLocal(Addresses[L] + 4 * W, L, Lanes)
              : Addresses[L];
}

RequestCounts RequestCounter::countNow(llvm::ArrayRef<double> Addresses) {
  place(Addresses);
  RequestCounts C;
  unsigned Sectors = 0, Lines = 0;
  if (Access.Space != MemorySpace::Shared)
    std::tie(Sectors, Lines) =
        distinctSectorsAndLines(Placed, Bytes, Sector, Line);
  C.Sectors = Sectors;
  switch (Access.Space) {
  case MemorySpace::Shared:
    C.Wavefronts =
        bankPasses(Placed, Bytes, Gpu.SharedBanks, Gpu.SharedBankWidth.value(),
                   Segment, mergesPairs(Access, Gpu)) *
        wideAccessPasses(Access, Gpu);
    break;
  case MemorySpace::Constant: // one distinct word at a time
    C.Wavefronts = distinctGranules(Placed, Bytes, std::max(4u, Bytes));
    break;
  default:
    C.Wavefronts = std::max(globalPasses(Placed, Bytes, Gpu, Lines),
                            wideLoadPasses(Access, Placed, Gpu));
  }
  if (Access.Kind == AccessKind::Store && Access.Space == MemorySpace::Global)
    C.FullSectors = fullGranules(Placed, Bytes, Sector);
  if (Access.Kind == AccessKind::Atomic)
    C.SameAddress = largestMultiplicity(Placed);
  return C;
}

RequestCounts RequestCounter::countOf(llvm::ArrayRef<double> Addresses,
                                      uint64_t On) {
  Outcome.assign(Addresses.begin(), Addresses.end());
  for (unsigned L = 0; L < Addresses.size(); ++L)
    if (!(On >> L & 1))
      Outcome[L] = NAN;
  return countNow(Outcome);
}

RequestCounts RequestCounter::expect(llvm::ArrayRef<double> Addresses,
                                     llvm::ArrayRef<double> Probability,
                                     uint64_t Seed) {
  // What depends on the worst lane has no simple expected value: outcomes are
  // drawn, a few because a regular access asks for many requests at once.
  constexpr unsigned Draws = 4;
  unsigned Lanes = Addresses.size();
  uint64_t Start = mixBits(Seed);
  std::array<uint64_t, Draws> TakePart{};
  for (unsigned L = 0; L < Lanes; ++L) {
    if (std::isnan(Addresses[L]))
      continue;
    // unitFraction() < Probability, both scaled by the same power of two.
    double Below = Probability[L] * 0x1p53;
    if (Below <= 0 || Below >= 0x1p53) { // never or always
      for (unsigned D = 0; D < Draws; ++D)
        TakePart[D] |= uint64_t(Below > 0) << L;
      continue;
    }
    for (unsigned D = 0; D < Draws; ++D)
      TakePart[D] |=
          uint64_t(int64_t(mixInto(Start, D * Lanes + L) >> 11) < Below) << L;
  }
  std::optional<CountsOfSome> Some;
  if (Access.Space == MemorySpace::Global ||
      Access.Space == MemorySpace::Texture)
    Some.emplace(Access, Addresses, Gpu);
  RequestCounts C;
  for (uint64_t On : TakePart) {
    RequestCounts One;
    if (Some && Some->known()) {
      One = (*Some)(On);
    } else {
      One = countOf(Addresses, On);
    }
    C.Sectors += One.Sectors / Draws;
    C.FullSectors += One.FullSectors / Draws;
    C.Wavefronts += One.Wavefronts / Draws;
    C.SameAddress += One.SameAddress / Draws;
  }
  if (Access.Space != MemorySpace::Shared)
    C.Sectors = expectedSectors(Addresses, Probability);
  return C;
}

double RequestCounter::expectedSectors(llvm::ArrayRef<double> Addresses,
                                       llvm::ArrayRef<double> Probability) {
  place(Addresses);
  Chance.clear();
  for (unsigned W = 0; W < Pieces; ++W)
    Chance.insert(Chance.end(), Probability.begin(), Probability.end());
  return expectedGranules(Placed, Chance, Bytes, Sector);
}

std::vector<std::optional<SeenRequests>>
seenRequests(const KernelModel &Kernel, const GpuModel &Gpu,
             const ExecutedLaunch *Executed) {
  std::vector<std::optional<SeenRequests>> Out(Kernel.Accesses.size());
  if (!Executed || !Executed->isAbout(Kernel))
    return Out;
  for (unsigned A = 0; A < Executed->Requests.size(); ++A) {
    const auto &Requests = Executed->Requests[A];
    if (!Kernel.Accesses[A].DataDependent || Requests.empty())
      continue;
    RequestCounter Counter(Kernel.Accesses[A], Gpu);
    SeenRequests &To = Out[A].emplace();
    for (const std::vector<double> &Request : Requests) {
      const RequestCounts &One = Counter.count(Request);
      To.Mean.Sectors += One.Sectors;
      To.Mean.FullSectors += One.FullSectors;
      To.Mean.Wavefronts += One.Wavefronts;
      To.Mean.SameAddress += One.SameAddress;
      for (double Address : Request)
        To.Lanes += !std::isnan(Address);
    }
    for (double *Sum : {&To.Mean.Sectors, &To.Mean.FullSectors,
                        &To.Mean.Wavefronts, &To.Mean.SameAddress, &To.Lanes})
      *Sum /= double(Requests.size());
  }
  return Out;
}

} // namespace gpuestimate
