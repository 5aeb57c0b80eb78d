/// \file
/// Finding digits, dealing them, looking at a window of them.
#include "BlockDigits.h"
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

/// Sequential digits: each moves when the one before it is through.
static BlockDigits withUnits(const Directions &Found) {
  BlockDigits Out;
  double Unit = 1;
  for (const Direction &D : Found) {
    Out.push_back({D.Stride, D.Extent, Unit});
    Unit *= D.Extent;
  }
  return Out;
}

/// The first number at which At leaves the straight line through its first two
/// members; Count if it never does. The deviation is taken to last.
static uint64_t firstTurn(llvm::function_ref<double(uint64_t)> At,
                          uint64_t Count, double First, double Step) {
  auto follows = [&](uint64_t I) { return At(I) == First + Step * double(I); };
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

static std::optional<BlockDigits>
staircase(llvm::function_ref<double(uint64_t)> At, uint64_t Count,
          bool OnlyResidues) {
  if (Count < 4)
    return std::nullopt;
  double First = At(0), Step = At(1) - First;
  uint64_t Turn = firstTurn(At, Count, First, Step);
  if (Turn >= Count)
    return std::nullopt;
  double Jump = At(Turn) - First - Step * double(Turn);
  auto jumps = [&](uint64_t I) {
    return (At(I) - First - Step * double(I)) / Jump;
  };
  double Last = double(Count - 1), Jumps = jumps(Count - 1);
  if (!isWhole(Jumps) || Jumps < 1)
    return std::nullopt;
  double Period = Jumps < 4 ? double(Turn) : Last / Jumps;
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
    return BlockDigits{{Step, double(Count), 1, std::abs(Jump)}};
  return BlockDigits{{Step, Period, 1},
                     {Step * Period + Jump, double(Count) / Period, Period}};
}

/// Denominators of the convergents of |Stride| / Modulus up to Most.
static llvm::SmallVector<double, 8> denominators(double Stride, double Modulus,
                                                 double Most) {
  llvm::SmallVector<double, 8> Out;
  double A = Modulus, B = std::fmod(std::abs(Stride), Modulus);
  double Before = 0, Now = 1;
  while (B > 0) {
    double Next = std::floor(A / B) * Now + Before;
    if (Next > Most)
      break;
    Out.push_back(Next);
    Before = std::exchange(Now, Next);
    A = std::exchange(B, std::fmod(A, B));
  }
  return Out;
}

/// Count residues: as many as the last denominator, and moved copies of them.
static void appendResidues(const BlockDigit &D, double Count, Directions &Out) {
  auto Known = denominators(D.Stride, D.Modulus, Count);
  if (Known.empty()) {
    Out.push_back({D.Stride, Count});
    return;
  }
  double Q = Known.back();
  double Shift = std::fmod(std::abs(D.Stride) * Q, D.Modulus);
  Shift = std::min(Shift, D.Modulus - Shift);
  Out.push_back({D.Modulus / Q, Q});
  if (Shift > 0 && Count > Q)
    Out.push_back({Shift, Count / Q});
}

std::optional<BlockDigits> blockDigits(llvm::function_ref<double(uint64_t)> At,
                                       uint64_t Count) {
  if (Count <= 1)
    return BlockDigits();
  if (auto Found = takeApart(At, Count))
    return withUnits(*Found);
  if (auto Found = staircase(At, Count, true))
    return Found;
  for (auto [Before, After] : {std::pair(1, 0), {0, 1}, {1, 1}}) {
    uint64_t Rest = Before + After;
    if (Count < Rest + 2)
      continue;
    auto inner = [&](uint64_t I) { return At(I + Before); };
    auto Found = takeApart(inner, Count - Rest);
    if (!Found)
      continue;
    if (Found->size() == 1)
      Found->front().Extent = Count;
    return withUnits(*Found);
  }
  return staircase(At, Count, false);
}

BlockDigits everyNth(const BlockDigits &Digits, double Every) {
  BlockDigits Out;
  double Step = Every; // positions of the digit at hand for each number
  double Unit = 1;     // of the digit at hand among the numbers not dealt
  for (const BlockDigit &D : Digits) {
    Step *= Unit / D.Unit;
    Unit = D.Unit;
    double E = D.Extent;
    size_t Known = Out.size();
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
    if (Out.size() > Known)
      Out.back().Reached = D.Reached;
  }
  return Out;
}

/// Mean, or a whole number on the side that is asked for.
static double rowsMet(double Mean, RowsMet Which) {
  constexpr double Rounding = 1e-9;
  switch (Which) {
  case RowsMet::Mean:
    return Mean;
  case RowsMet::Fewest:
    return std::floor(Mean + Rounding);
  case RowsMet::Most:
    return std::ceil(Mean - Rounding);
  }
  llvm_unreachable("covered switch");
}

Directions window(const BlockDigits &Digits, double Count, RowsMet Which) {
  Directions Out;
  if (Count <= 1)
    return Out;
  for (const BlockDigit &D : Digits) {
    double Aligned = isWhole(Count) && isWhole(D.Unit)
                         ? greatestCommonDivisor(Count, D.Unit)
                         : 1;
    double Met =
        D.Unit <= 1 ? Count : rowsMet(1 + (Count - Aligned) / D.Unit, Which);
    Met = std::clamp(Met, 1.0, std::max(1.0, D.Extent));
    // Once there, all residues fill what is reached.
    bool Around = D.Modulus > 0 && isWhole(D.Stride) && isWhole(D.Modulus) &&
                  Met * greatestCommonDivisor(D.Stride, D.Modulus) >= D.Modulus;
    if (!Around)
      Met = std::max(1.0, Met * D.Reached);
    if (Met <= 1 || D.Stride == 0)
      continue;
    if (D.Modulus > 0) {
      size_t First = Out.size();
      appendResidues(D, Met, Out);
      if (Around)
        Out[First].Extent = std::max(1.0, Out[First].Extent * D.Reached);
    } else
      Out.push_back({D.Stride, Met});
  }
  return Out;
}

/// Each digit moves when the one before it is through, as those of a grid do.
static bool areNested(const BlockDigits &Digits) {
  double Unit = 0;
  for (const BlockDigit &D : Digits) {
    if (D.Modulus > 0 || !isWhole(D.Unit) || D.Unit <= Unit)
      return false;
    Unit = D.Unit;
  }
  return !Digits.empty();
}

double overWindow(const BlockDigits &Digits, double Count,
                  llvm::function_ref<double(const Directions &)> Size,
                  RowsMet Which) {
  if (Count <= 1 || !areNested(Digits) || Digits.front().Unit > Count)
    return Size(window(Digits, Count, Which));
  // The slowest digit that the window goes through at least once.
  size_t Slowest = 0;
  Directions Faster;
  for (; Slowest + 1 < Digits.size() && Digits[Slowest + 1].Unit <= Count;
       ++Slowest) {
    const BlockDigit &D = Digits[Slowest];
    Faster.push_back({D.Stride, std::max(1.0, D.Extent * D.Reached)});
  }
  const BlockDigit &Rows = Digits[Slowest];
  auto size = [&](const Directions &Row, double Count) {
    Directions All = Row;
    if (Count > 1)
      All.push_back({Rows.Stride, std::max(1.0, Count * Rows.Reached)});
    return Size(All);
  };
  auto met = [&](const BlockDigit &D) {
    double Aligned = isWhole(Count) ? greatestCommonDivisor(Count, D.Unit) : 1;
    return std::min(rowsMet(1 + (Count - Aligned) / D.Unit, Which),
                    std::max(1.0, D.Extent));
  };
  double Whole = std::min(std::floor(Count / Rows.Unit), Rows.Extent);
  double Rest = Whole < Rows.Extent ? Count - Whole * Rows.Unit : 0;
  double Out = size(Faster, Whole);
  if (Rest > 0) {
    double OfRow = size(Faster, Whole + 1) - Out;
    if (Rows.Unit > 1) {
      double OfOne = size({}, 2) - size({}, 1);
      double OfEach = (OfRow - OfOne) / (Rows.Unit - 1);
      Out +=
          OfEach * Rest + (OfOne - OfEach) * std::max(0.0, met(Rows) - Whole);
    } else {
      Out += OfRow * Rest;
    }
  }
  double Cut = 2 * size(Faster, 1) - size(Faster, 2);
  for (const BlockDigit &D : llvm::drop_begin(Digits, Slowest + 1))
    if (D.Stride != 0 && D.Extent > 1)
      Out += std::max(0.0, Cut) * (met(D) - 1);
  return Out;
}

llvm::SmallVector<double, 8> windowLevels(const BlockDigits &Digits,
                                          double From, double To) {
  llvm::SmallVector<double, 8> Out;
  auto add = [&](double Count) {
    if (Count > From && Count < To)
      Out.push_back(Count);
  };
  for (const BlockDigit &D : Digits) {
    add(D.Unit);
    if (D.Modulus > 0)
      for (double Q : denominators(D.Stride, D.Modulus, To / D.Unit))
        add(Q * D.Unit);
  }
  Out.push_back(To);
  llvm::sort(Out);
  return Out;
}

void appendWindowSteps(const BlockDigits &Digits, double Count,
                       llvm::SmallVectorImpl<double> &Out) {
  for (const BlockDigit &D : Digits) {
    bool First = D.Unit == 1 && D.Modulus == 0 && isWhole(Count) &&
                 isWhole(D.Extent) && Count >= 1;
    Out.push_back(D.Stride *
                  (First ? greatestCommonDivisor(Count, D.Extent) : 1));
  }
}

} // namespace gpuestimate
