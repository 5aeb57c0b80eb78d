/// \file
/// Stratified sampling of blocks, warps and iterations.
#include "SamplingPlan.h"
#include "gpu-estimate/Support/Hash.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

/// Permutation of the residues modulo 8: neighbouring strata get distant
/// residues.
static constexpr uint64_t Scramble[8] = {0, 5, 2, 7, 4, 1, 6, 3};

/// Samples about Strata members of [Begin, Begin + Count), equally many of each
/// residue, which represent the members with that residue. The members of one
/// residue are cut into parts of nearly equal size; the position within a part
/// differs between residues, so that all positions are covered.
static void stratify(uint64_t Begin, uint64_t Count, uint64_t Strata,
                     uint64_t Seed, std::vector<SamplePoint> &Out) {
  uint64_t Modulus = 1;
  while (Modulus < 8 && Modulus * 2 <= Strata)
    Modulus *= 2;
  uint64_t Parts = Strata / Modulus, Rotation = mixBits(Seed) % Modulus;
  size_t First = Out.size();
  for (uint64_t R = 0; R < Modulus; ++R) {
    uint64_t Members = Count / Modulus + (R < Count % Modulus ? 1 : 0);
    // Members * Parts may overflow 64 bits; quotient and remainder do not.
    uint64_t Size = Members / Parts, Remainder = Members % Parts, PartBegin = 0;
    for (uint64_t P = 0; P < Parts; ++P) {
      uint64_t Length = Size + (P < Remainder ? 1 : 0);
      double Fraction = (double((Scramble[R] + Rotation) % Modulus) +
                         unitFraction(mixBits(mixBits(Seed, P), R))) /
                        double(Modulus);
      uint64_t Offset =
          std::min(uint64_t(Fraction * double(Length)), Length - 1);
      Out.push_back(
          {Begin + R + Modulus * (PartBegin + Offset), double(Length)});
      PartBegin += Length;
    }
  }
  std::sort(Out.begin() + First, Out.end(),
            [](auto &A, auto &B) { return A.Index < B.Index; });
}

/// Samples one member of each of Strata parts of [Begin, Begin + Count):
/// positions are covered more evenly than residues.
static void spread(uint64_t Begin, uint64_t Count, uint64_t Strata,
                   uint64_t Seed, std::vector<SamplePoint> &Out) {
  uint64_t Modulus = 1;
  while (Modulus < 8 && Modulus * 2 <= Strata)
    Modulus *= 2;
  uint64_t Rotation = mixBits(Seed);
  // Count * Strata may overflow 64 bits; quotient and remainder do not.
  uint64_t Size = Count / Strata, Remainder = Count % Strata, First = Begin;
  for (uint64_t S = 0; S < Strata; ++S) {
    uint64_t Length = Size + (S < Remainder ? 1 : 0);
    uint64_t Index = First + mixBits(Seed, S) % Length;
    if (Length >= Modulus) {
      uint64_t Residue = (Scramble[S % 8] + Rotation) % Modulus;
      uint64_t Shift = (Residue + Modulus - Index % Modulus) % Modulus;
      Index += Shift;
      if (Index >= First + Length)
        Index -= Modulus;
    }
    Out.push_back({Index, double(Length)});
    First += Length;
  }
}

std::vector<SamplePoint> samplePoints(uint64_t Count, uint64_t Max,
                                      uint64_t Seed, bool ByPosition) {
  auto choose = ByPosition ? spread : stratify;
  std::vector<SamplePoint> Points;
  if (Count == 0)
    return Points;
  Max = std::max<uint64_t>(Max, 1);
  if (Count <= Max) {
    for (uint64_t I = 0; I < Count; ++I)
      Points.push_back({I, 1});
  } else if (Max < 3) {
    choose(0, Count, Max, Seed, Points);
  } else {
    Points.push_back({0, 1});
    choose(1, Count - 2, Max - 2, Seed, Points);
    Points.push_back({Count - 1, 1});
  }
  return Points;
}

std::vector<SamplePoint> sampleWarps(uint64_t Count, uint64_t Max,
                                     uint64_t Block) {
  Max = std::min(Count, Max);
  // Multiples of the golden ratio fill the unit interval evenly, also if only
  // every n-th one is taken.
  double Fraction = std::fmod(double(Block) * 0.6180339887498949, 1.0);
  std::vector<SamplePoint> Points;
  for (uint64_t I = 0; I < Max; ++I) {
    uint64_t PartBegin = Count * I / Max,
             Length = Count * (I + 1) / Max - PartBegin;
    Points.push_back(
        {PartBegin + uint64_t(Fraction * double(Length)), double(Length)});
  }
  return Points;
}

bool isExact(const Launch &L, unsigned WarpsPerBlock, double CostOfWarp,
             double Effort) {
  double Warps = double(L.Grid[0]) * L.Grid[1] * L.Grid[2] * WarpsPerBlock;
  return Warps <= double(ExactWarps) ||
         Warps * CostOfWarp <= Effort * MaxLaneEvaluations;
}

static unsigned blockDimensions(Expr E, const Launch &L) {
  unsigned Dimensions = 0;
  for (unsigned D = 0; D < 3; ++D)
    Dimensions +=
        L.Grid[D] > 1 && E.dependsOn(std::string("blockIdx.") + "xyz"[D]);
  return Dimensions;
}

/// Whether E combines conditions that depend on one block coordinate each, such
/// as x < n && y < n, or 8 * (x < n) * (y < n). It is then equal for all blocks
/// for which each condition has the same result.
static bool isSeparable(Expr E, const Launch &L) {
  unsigned Dimensions = blockDimensions(E, L);
  if (Dimensions < 2 && (Dimensions == 0 || E.isBoolean()))
    return true;
  auto Parts = E.operands();
  switch (E.kind()) {
  case ExprKind::Add:
  case ExprKind::Mul:
  case ExprKind::Min:
  case ExprKind::Max:
  case ExprKind::Select:
    return std::all_of(Parts.begin(), Parts.end(),
                       [&](Expr Part) { return isSeparable(Part, L); });
  default:
    return false;
  }
}

/// Whether E depends on two block coordinates and is not separable.
static bool couples(Expr E, const Launch &L) {
  return E && blockDimensions(E, L) >= 2 && !isSeparable(E, L);
}

bool isCoupled(const KernelModel &Kernel, const Launch &L) {
  return std::any_of(
             Kernel.Blocks.begin(), Kernel.Blocks.end(),
             [&](const BasicBlock &B) { return couples(B.Active, L); }) ||
         std::any_of(Kernel.Waits.begin(), Kernel.Waits.end(),
                     [&](const Wait &W) { return couples(W.Length, L); }) ||
         std::any_of(
             Kernel.Loops.begin(), Kernel.Loops.end(), [&](const Loop &Inner) {
               return couples(Inner.Active, L) || couples(Inner.TripCount, L);
             });
}

std::vector<SampledBlock>
sampleBlocks(const Launch &L, unsigned WarpsPerBlock, bool All,
             std::array<bool, 3> Relevant,
             const std::array<uint64_t, 3> &ActiveGrid, bool Coupled,
             double Effort) {
  unsigned Dimensions = 0;
  for (unsigned D = 0; D < 3; ++D)
    Dimensions += L.Grid[D] > 1 && Relevant[D];
  double Blocks = std::max(1.0, Effort * SampledWarps / WarpsPerBlock);
  if (Coupled)
    Blocks = std::max(Blocks, Effort * CoupledBlocks);
  // At least the first, the last and one block between in each dimension.
  uint64_t PerDimension = std::max(
      3.0, std::floor(std::pow(Blocks, 1.0 / std::max(1u, Dimensions)) + 1e-9));

  std::array<std::vector<SamplePoint>, 3> Points;
  for (unsigned D = 0; D < 3; ++D) {
    uint64_t Size = All ? L.Grid[D] : ActiveGrid[D];
    Points[D] = samplePoints(Size,
                             All           ? Size
                             : Relevant[D] ? PerDimension
                                           : 1,
                             D + 1, Coupled);
    if (Size < L.Grid[D])
      Points[D].push_back({L.Grid[D] - 1, double(L.Grid[D] - Size)});
  }
  std::vector<SampledBlock> Out;
  for (const SamplePoint &Z : Points[2])
    for (const SamplePoint &Y : Points[1])
      for (const SamplePoint &X : Points[0])
        Out.push_back(
            {{X.Index, Y.Index, Z.Index}, X.Weight * Y.Weight * Z.Weight});
  return Out;
}

} // namespace gpuestimate
