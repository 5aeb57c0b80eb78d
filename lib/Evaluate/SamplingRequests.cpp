/// \file
/// Counting of requests by access.
#include "gpu-estimate/Evaluate/SamplingRequests.h"
#include "gpu-estimate/Evaluate/Sampling.h"
#include "gpu-estimate/Evaluate/SamplingPlan.h"
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

const RequestCounts &RequestCounter::count(llvm::ArrayRef<double> Addresses,
                                           llvm::ArrayRef<double> Probability,
                                           uint64_t Seed) {
  auto Count = [&] {
    return Probability.empty() ? countNow(Addresses)
                               : expect(Addresses, Probability, Seed);
  };
  double First = NAN;
  for (double A : Addresses)
    if (!std::isnan(A)) {
      First = A;
      break;
    }
  // Positions are whole bytes; beyond 2^52 they are not known to the byte.
  bool Repeats = Period && (Access.Space != MemorySpace::Local ||
                            Addresses.size() == Gpu.WarpSize);
  if (!Repeats || !(std::abs(First) < 0x1p52)) {
    Last = Count();
    return Last;
  }
  Candidate.resize(Addresses.size());
  for (unsigned L = 0; L < Addresses.size(); ++L)
    Candidate[L] = std::isnan(Addresses[L]) ? Idle : Addresses[L] - First;
  Candidate.insert(Candidate.end(), Probability.begin(), Probability.end());
  if (Candidate != Shape) {
    Shape.swap(Candidate);
    Known.resize(Period);
    ++Round;
  }
  Slot &Position = Known[int64_t(std::floor(First)) & (Period - 1)];
  if (Position.Round != Round)
    Position = {Count(), Round};
  return Position.Counts;
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
    C.Wavefronts = globalPasses(Placed, Bytes, Gpu, Lines);
  }
  if (Access.Kind == AccessKind::Store && Access.Space == MemorySpace::Global)
    C.FullSectors = fullGranules(Placed, Bytes, Sector);
  if (Access.Kind == AccessKind::Atomic)
    C.SameAddress = largestMultiplicity(Placed);
  return C;
}

RequestCounts RequestCounter::expect(llvm::ArrayRef<double> Addresses,
                                     llvm::ArrayRef<double> Probability,
                                     uint64_t Seed) {
  // What depends on the worst lane has no simple expected value: outcomes are
  // drawn, a few because a regular access asks for many requests at once.
  constexpr unsigned Draws = 4;
  RequestCounts C;
  for (unsigned D = 0; D < Draws; ++D) {
    Outcome.assign(Addresses.begin(), Addresses.end());
    for (unsigned L = 0; L < Outcome.size(); ++L)
      if (unitFraction(mixBits(Seed, D * Outcome.size() + L)) >= Probability[L])
        Outcome[L] = NAN;
    RequestCounts One = countNow(Outcome);
    C.Sectors += One.Sectors / Draws;
    C.FullSectors += One.FullSectors / Draws;
    C.Wavefronts += One.Wavefronts / Draws;
    C.SameAddress += One.SameAddress / Draws;
  }
  if (Access.Space == MemorySpace::Shared)
    return C;
  place(Addresses);
  Chance.clear();
  for (unsigned W = 0; W < Pieces; ++W)
    Chance.insert(Chance.end(), Probability.begin(), Probability.end());
  C.Sectors = expectedGranules(Placed, Chance, Bytes, Sector);
  return C;
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
