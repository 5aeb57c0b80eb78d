/// \file
/// Fitting quasi-affine maps, composing them with a stride, and the footprints
/// of windows of their indices.
#include "QuasiAffineMap.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace gpuestimate {

static bool isWhole(double X) {
  return X == std::floor(X) && std::abs(X) < 0x1p53;
}

static double greatestCommonDivisor(double A, double B) {
  return double(std::gcd(int64_t(std::abs(A)), int64_t(std::abs(B))));
}

/// Terms of mixed-radix digits: each moves when the one before it starts again.
static QuasiAffineMap mixedRadixTerms(const StridedAccess &Fit) {
  QuasiAffineMap Out;
  double Divisor = 1;
  for (const StridedDim &D : Fit) {
    Out.push_back({D.Stride, D.Extent, Divisor});
    Divisor *= D.Extent;
  }
  return Out;
}

/// The first index at which Offset leaves the straight line through its first
/// two values; Count if it never does. All later values are assumed to be off
/// the line, so that bisection finds the index.
static uint64_t firstDeviation(llvm::function_ref<double(uint64_t)> Offset,
                               uint64_t Count, double First, double Step) {
  auto follows = [&](uint64_t I) {
    return Offset(I) == First + Step * double(I);
  };
  uint64_t Good = 1, Bad = Count;
  for (uint64_t I = 2; I < Count; I *= 2) {
    if (!follows(I)) {
      Bad = I;
      break;
    }
    Good = I;
  }
  while (Bad - Good > 1) {
    uint64_t Middle = Good + (Bad - Good) / 2;
    (follows(Middle) ? Good : Bad) = Middle;
  }
  return Bad;
}

static std::optional<QuasiAffineMap>
staircase(llvm::function_ref<double(uint64_t)> Offset, uint64_t Count,
          bool OnlyResidues) {
  if (Count < 4)
    return std::nullopt;
  double First = Offset(0), Step = Offset(1) - First;
  uint64_t Deviation = firstDeviation(Offset, Count, First, Step);
  if (Deviation >= Count)
    return std::nullopt;
  double Jump = Offset(Deviation) - First - Step * double(Deviation);
  auto jumps = [&](uint64_t I) {
    return (Offset(I) - First - Step * double(I)) / Jump;
  };
  double Last = double(Count - 1), Jumps = jumps(Count - 1);
  if (!isWhole(Jumps) || Jumps < 1)
    return std::nullopt;
  double Period = Jumps < 4 ? double(Deviation) : Last / Jumps;
  bool Residue = Step * Jump < 0 && std::abs(Last * -Step / Jump - Jumps) <= 1;
  if (Residue)
    Period = -Jump / Step;
  else if (OnlyResidues)
    return std::nullopt;
  for (uint64_t Check = 1; Check <= 16; ++Check) {
    uint64_t I = std::min(Count - 1, Count * Check / 17 + Check % 5);
    double J = jumps(I);
    if (!isWhole(J) || std::abs(J - double(I) / Period) > 1.01)
      return std::nullopt;
  }
  if (Residue && isWhole(Step) && isWhole(Jump))
    return QuasiAffineMap{{Step, double(Count), 1, std::abs(Jump)}};
  return QuasiAffineMap{{Step, Period, 1},
                        {Step * Period + Jump, double(Count) / Period, Period}};
}

/// Denominators, up to Limit, of the convergents of the continued fraction of
/// |Stride| / Modulus.
static llvm::SmallVector<double, 8> denominators(double Stride, double Modulus,
                                                 double Limit) {
  llvm::SmallVector<double, 8> Out;
  double A = Modulus, B = std::fmod(std::abs(Stride), Modulus);
  double Previous = 0, Current = 1;
  while (B > 0) {
    double Next = std::floor(A / B) * Current + Previous;
    if (Next > Limit)
      break;
    Out.push_back(Next);
    Previous = std::exchange(Current, Next);
    A = std::exchange(B, std::fmod(A, B));
  }
  return Out;
}

/// Appends the first Count residues: as many as the largest denominator q up to
/// Count, evenly spaced, and shifted copies of them.
static void appendResidues(const BlockStrideTerm &D, double Count,
                           StridedAccess &Out) {
  auto Denominators = denominators(D.Stride, D.Modulus, Count);
  if (Denominators.empty()) {
    Out.push_back({D.Stride, Count});
    return;
  }
  double Q = Denominators.back();
  double Shift = std::fmod(std::abs(D.Stride) * Q, D.Modulus);
  Shift = std::min(Shift, D.Modulus - Shift);
  Out.push_back({D.Modulus / Q, Q});
  if (Shift > 0 && Count > Q)
    Out.push_back({Shift, Count / Q});
}

std::optional<QuasiAffineMap>
fitQuasiAffineMap(llvm::function_ref<double(uint64_t)> Offset, uint64_t Count) {
  if (Count <= 1)
    return QuasiAffineMap();
  if (auto Fit = delinearize(Offset, Count))
    return mixedRadixTerms(*Fit);
  if (auto Fit = staircase(Offset, Count, true))
    return Fit;
  for (auto [Before, After] : {std::pair(1, 0), {0, 1}, {1, 1}}) {
    uint64_t Skipped = Before + After;
    if (Count < Skipped + 2)
      continue;
    auto inner = [&](uint64_t I) { return Offset(I + Before); };
    auto Fit = delinearize(inner, Count - Skipped);
    if (!Fit)
      continue;
    if (Fit->size() == 1)
      Fit->front().Extent = Count;
    return mixedRadixTerms(*Fit);
  }
  return staircase(Offset, Count, false);
}

QuasiAffineMap everyNth(const QuasiAffineMap &Map, double N) {
  QuasiAffineMap Out;
  double Step = N;    // positions of the current term per index of the result
  double Divisor = 1; // of the current term in the original map
  for (const BlockStrideTerm &D : Map) {
    Step *= Divisor / D.Divisor;
    Divisor = D.Divisor;
    double E = D.Extent;
    size_t Terms = Out.size();
    if (Step < 1) {
      Out.push_back({D.Stride, E, 1 / Step});
    } else if (D.Modulus > 0) {
      Out.push_back({D.Stride * Step, E / Step, 1, D.Modulus});
    } else if (isWhole(Step) && isWhole(E)) {
      if (std::fmod(E, Step) == 0)
        Out.push_back({D.Stride * Step, E / Step, 1});
      else if (std::fmod(Step, E) != 0 && D.Stride != 0)
        Out.push_back({D.Stride * Step, INFINITY, 1, std::abs(D.Stride) * E});
    } else {
      Out.push_back(
          {D.Stride * (Step < E ? Step : 1), Step < E ? E / Step : E, 1});
    }
    if (Out.size() > Terms)
      Out.back().ActiveFraction = D.ActiveFraction;
  }
  return Out;
}

/// The mean, or the whole number below or above it.
static double wholeOverlap(double Mean, WindowOverlap Overlap) {
  constexpr double Rounding = 1e-9;
  switch (Overlap) {
  case WindowOverlap::Mean:
    return Mean;
  case WindowOverlap::Min:
    return std::floor(Mean + Rounding);
  case WindowOverlap::Max:
    return std::ceil(Mean - Rounding);
  }
  llvm_unreachable("covered switch");
}

StridedAccess window(const QuasiAffineMap &Map, double Count,
                     WindowOverlap Overlap) {
  StridedAccess Out;
  if (Count <= 1)
    return Out;
  for (const BlockStrideTerm &D : Map) {
    double Aligned = isWhole(Count) && isWhole(D.Divisor)
                         ? greatestCommonDivisor(Count, D.Divisor)
                         : 1;
    double Positions =
        D.Divisor <= 1
            ? Count
            : wholeOverlap(1 + (Count - Aligned) / D.Divisor, Overlap);
    Positions = std::clamp(Positions, 1.0, std::max(1.0, D.Extent));
    // The positions go once around the modulus and take all residues.
    bool IsWrapped =
        D.Modulus > 0 && isWhole(D.Stride) && isWhole(D.Modulus) &&
        Positions * greatestCommonDivisor(D.Stride, D.Modulus) >= D.Modulus;
    if (!IsWrapped)
      Positions = std::max(1.0, Positions * D.ActiveFraction);
    if (Positions <= 1 || D.Stride == 0)
      continue;
    if (D.Modulus > 0) {
      size_t First = Out.size();
      appendResidues(D, Positions, Out);
      if (IsWrapped)
        Out[First].Extent = std::max(1.0, Out[First].Extent * D.ActiveFraction);
    } else
      Out.push_back({D.Stride, Positions});
  }
  return Out;
}

/// Whether each term moves when the one before it starts again, as the
/// coordinates of a grid do.
static bool areNested(const QuasiAffineMap &Map) {
  double Divisor = 0;
  for (const BlockStrideTerm &D : Map) {
    if (D.Modulus > 0 || !isWhole(D.Divisor) || D.Divisor <= Divisor)
      return false;
    Divisor = D.Divisor;
  }
  return !Map.empty();
}

double
averageOverWindows(const QuasiAffineMap &Map, double Count,
                   llvm::function_ref<double(const StridedAccess &)> Size,
                   WindowOverlap Overlap) {
  if (Count <= 1 || !areNested(Map) || Map.front().Divisor > Count)
    return Size(window(Map, Count, Overlap));
  // The slowest term of which the window covers at least one whole period of
  // the faster terms.
  size_t Slowest = 0;
  StridedAccess Faster;
  for (; Slowest + 1 < Map.size() && Map[Slowest + 1].Divisor <= Count;
       ++Slowest) {
    const BlockStrideTerm &D = Map[Slowest];
    Faster.push_back({D.Stride, std::max(1.0, D.Extent * D.ActiveFraction)});
  }
  const BlockStrideTerm &Rows = Map[Slowest];
  auto size = [&](const StridedAccess &Row, double Count) {
    StridedAccess All = Row;
    if (Count > 1)
      All.push_back({Rows.Stride, std::max(1.0, Count * Rows.ActiveFraction)});
    return Size(All);
  };
  auto overlapped = [&](const BlockStrideTerm &D) {
    double Aligned =
        isWhole(Count) ? greatestCommonDivisor(Count, D.Divisor) : 1;
    return std::min(wholeOverlap(1 + (Count - Aligned) / D.Divisor, Overlap),
                    std::max(1.0, D.Extent));
  };
  double Whole = std::min(std::floor(Count / Rows.Divisor), Rows.Extent);
  double Partial = Whole < Rows.Extent ? Count - Whole * Rows.Divisor : 0;
  double Out = size(Faster, Whole);
  if (Partial > 0) {
    double RowFootprint = size(Faster, Whole + 1) - Out;
    if (Rows.Divisor > 1) {
      double FirstBlock = size({}, 2) - size({}, 1);
      double PerBlock = (RowFootprint - FirstBlock) / (Rows.Divisor - 1);
      Out += PerBlock * Partial +
             (FirstBlock - PerBlock) * std::max(0.0, overlapped(Rows) - Whole);
    } else {
      Out += RowFootprint * Partial;
    }
  }
  double Cut = 2 * size(Faster, 1) - size(Faster, 2);
  for (const BlockStrideTerm &D : llvm::drop_begin(Map, Slowest + 1))
    if (D.Stride != 0 && D.Extent > 1)
      Out += std::max(0.0, Cut) * (overlapped(D) - 1);
  return Out;
}

llvm::SmallVector<double, 8>
windowBreakpoints(const QuasiAffineMap &Map, double Shortest, double Longest) {
  llvm::SmallVector<double, 8> Out;
  auto add = [&](double Count) {
    if (Count > Shortest && Count < Longest)
      Out.push_back(Count);
  };
  for (const BlockStrideTerm &D : Map) {
    add(D.Divisor);
    if (D.Modulus > 0)
      for (double Q : denominators(D.Stride, D.Modulus, Longest / D.Divisor))
        add(Q * D.Divisor);
  }
  Out.push_back(Longest);
  llvm::sort(Out);
  return Out;
}

void appendWindowStrides(const QuasiAffineMap &Map, double Count,
                         llvm::SmallVectorImpl<double> &Out) {
  for (const BlockStrideTerm &D : Map) {
    bool First = D.Divisor == 1 && D.Modulus == 0 && isWhole(Count) &&
                 isWhole(D.Extent) && Count >= 1;
    Out.push_back(D.Stride *
                  (First ? greatestCommonDivisor(Count, D.Extent) : 1));
  }
}

} // namespace gpuestimate
