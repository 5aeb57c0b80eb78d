/// \file
/// Counting of requests by access.
#include "gpu-estimate/Evaluate/SamplingRequests.h"
#include "gpu-estimate/Evaluate/Sampling.h"
#include "gpu-estimate/Evaluate/SamplingPlan.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

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
  unsigned Banked = Gpu.SharedBanks * unsigned(Gpu.SharedBankWidth.value());
  // 128 bytes: the banks of the L1 data stage.
  Period = std::max({Line, Sector, Banked, 128u});
  for (unsigned Size : {Line, Sector, std::max(1u, Banked)})
    if (Local || !llvm::isPowerOf2_32(Size))
      Period = 0;
}

const RequestCounts &RequestCounter::count(llvm::ArrayRef<double> Addresses) {
  double First = NAN;
  for (double A : Addresses)
    if (!std::isnan(A)) {
      First = A;
      break;
    }
  // Positions are whole bytes; beyond 2^52 they are not known to the byte.
  if (!Period || !(std::abs(First) < 0x1p52)) {
    Last = countNow(Addresses);
    return Last;
  }
  Candidate.resize(Addresses.size());
  for (unsigned L = 0; L < Addresses.size(); ++L)
    Candidate[L] = std::isnan(Addresses[L]) ? Idle : Addresses[L] - First;
  if (Candidate != Distances) {
    Distances.swap(Candidate);
    RequestCounts Unknown;
    Unknown.Lines = -1;
    Known.assign(Period, Unknown);
  }
  RequestCounts &Slot = Known[int64_t(std::floor(First)) & (Period - 1)];
  if (Slot.Lines < 0)
    Slot = countNow(Addresses);
  return Slot;
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
  if (Access.Space != MemorySpace::Shared) {
    C.Sectors = distinctGranules(Placed, Bytes, Sector);
    C.Lines = distinctGranules(Placed, Bytes, Line);
  }
  switch (Access.Space) {
  case MemorySpace::Shared:
    C.Wavefronts =
        bankPasses(Placed, Bytes, Gpu.SharedBanks, Gpu.SharedBankWidth.value());
    break;
  case MemorySpace::Constant: // one distinct word at a time
    C.Wavefronts = distinctGranules(Placed, Bytes, std::max(4u, Bytes));
    break;
  default:
    C.Wavefronts = globalPasses(Placed, Bytes, Gpu);
  }
  if (Access.Kind == AccessKind::Atomic)
    C.SameAddress = largestMultiplicity(Placed);
  return C;
}

RequestCounts RequestCounter::expect(llvm::ArrayRef<double> Addresses,
                                     llvm::ArrayRef<double> Probability,
                                     uint64_t Seed) {
  // What depends on the worst lane has no simple expected value: one outcome
  // is drawn, and the many requests of a launch average over outcomes.
  std::vector<double> Outcome(Addresses.begin(), Addresses.end());
  for (unsigned L = 0; L < Outcome.size(); ++L)
    if (unitFraction(mixBits(Seed, L)) >= Probability[L])
      Outcome[L] = NAN;
  RequestCounts C = countNow(Outcome);
  if (Access.Space == MemorySpace::Shared)
    return C;
  place(Addresses);
  std::vector<double> Chance;
  for (unsigned W = 0; W < Pieces; ++W)
    Chance.insert(Chance.end(), Probability.begin(), Probability.end());
  C.Sectors = expectedGranules(Placed, Chance, Bytes, Sector);
  C.Lines = expectedGranules(Placed, Chance, Bytes, Line);
  return C;
}

} // namespace gpuestimate
