/// \file
/// Footprints of sums of arithmetic progressions, and delinearisation.
#include "gpu-estimate/Evaluate/Access/Footprint.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <numeric>

namespace gpuestimate {

/// Mean number of sectors that an interval of Length bytes overlaps, over all
/// start positions Start + k * Step; Step divides SectorBytes.
static double sectorsOfRun(double Start, double Length, int64_t Step,
                           double SectorBytes) {
  double Sum = 0;
  int64_t Positions = std::max<int64_t>(1, int64_t(SectorBytes) / Step);
  // floor(x / n) + floor((x + 1) / n) + ... + floor((x + n - 1) / n) is
  // floor(x) (Hermite).
  bool IsInteger = Start == std::floor(Start) && Length == std::floor(Length) &&
                   std::abs(Start) + Length < 0x1p52;
  if (IsInteger && double(Positions * Step) == SectorBytes)
    return (std::floor((Start + Length - 1) / double(Step)) -
            std::floor(Start / double(Step)) + double(Positions)) /
           Positions;
  for (int64_t P = 0; P < Positions; ++P) {
    double Begin = Start + double(P * Step);
    Sum += std::floor((Begin + Length - 1) / SectorBytes) -
           std::floor(Begin / SectorBytes) + 1;
  }
  return Sum / Positions;
}

static int64_t commonDivisor(int64_t A, double Stride) {
  double B = std::abs(Stride);
  return B >= 1 && B < ScatterStride ? std::gcd(A, int64_t(B)) : A;
}

namespace {
/// A set of addresses as runs of contiguous bytes along progressions.
struct Runs {
  double Low = 0;  ///< where the first one begins, from the set's start
  double Run = 0;  ///< bytes of one
  double Span = 0; ///< from the first byte to the last
  StridedAccess Outer;
};
} // namespace

static Runs mergeStrides(const StridedAccess &Set, double Width,
                         double SectorBytes) {
  Runs Out;
  StridedAccess Sorted;
  Out.Run = Out.Span = Width;
  for (StridedDim D : Set) {
    if (D.Extent <= 1 || D.Stride == 0)
      continue;
    if (D.Stride < 0)
      Out.Low += D.Stride * (D.Extent - 1);
    Sorted.push_back({std::abs(D.Stride), D.Extent});
    Out.Span += std::abs(D.Stride) * (D.Extent - 1);
  }
  llvm::sort(Sorted, [](auto &A, auto &B) { return A.Stride < B.Stride; });

  for (const StridedDim &D : Sorted) {
    // No sector fits between two runs, so that all sectors are covered.
    if (Out.Outer.empty() && D.Stride < Out.Run + SectorBytes) {
      Out.Run += D.Stride * (D.Extent - 1);
      continue;
    }
    auto Prolonged =
        llvm::find_if(llvm::reverse(Out.Outer), [&](const StridedDim &O) {
          double Ratio = D.Stride / O.Stride;
          return Ratio == std::floor(Ratio) && Ratio <= O.Extent;
        });
    if (Prolonged != Out.Outer.rend())
      Prolonged->Extent += D.Stride / Prolonged->Stride * (D.Extent - 1);
    else
      Out.Outer.push_back(D);
  }
  return Out;
}

double footprintSectors(const StridedAccess &Set, double Start, double Width,
                        double SectorBytes, llvm::ArrayRef<double> Elsewhere) {
  Runs Merged = mergeStrides(Set, Width, SectorBytes);
  int64_t Step = std::max(1.0, SectorBytes);
  double Count = 1;
  for (const StridedDim &D : Merged.Outer) {
    Count *= D.Extent;
    Step = commonDivisor(Step, D.Stride);
  }
  for (double Stride : Elsewhere)
    Step = commonDivisor(Step, Stride);
  return std::min(
      Count * sectorsOfRun(Start + Merged.Low, Merged.Run, Step, SectorBytes),
      std::ceil(Merged.Span / SectorBytes) + 1);
}

namespace {
/// The position of one copy of a set: steps along each progression, and the
/// remaining bytes.
struct Copy {
  llvm::SmallVector<double, 4> Steps;
  double Remainder = 0;
};

/// Counts the sectors of a union of copies of a set. The ends of the copies cut
/// each progression into pieces. A cell is a product of pieces; every copy
/// covers a cell completely or not at all.
class Union {
public:
  Union(const Runs &Set, llvm::ArrayRef<double> Starts, double SectorBytes,
        llvm::ArrayRef<double> Elsewhere)
      : Set(Set), SectorBytes(SectorBytes), Elsewhere(Elsewhere),
        Origin(Starts.front()) {
    for (double Start : Starts)
      Copies.push_back(placed(Start - Origin));
    for (unsigned I = 0; I < Set.Outer.size(); ++I) {
      auto &Cuts = Pieces.emplace_back();
      for (const Copy &C : Copies) {
        Cuts.push_back(C.Steps[I]);
        Cuts.push_back(C.Steps[I] + Set.Outer[I].Extent);
      }
      std::sort(Cuts.begin(), Cuts.end()); // llvm::sort calls qsort
      Cuts.erase(llvm::unique(Cuts), Cuts.end());
    }
  }
  /// Number of comparisons that count() takes.
  double cost() const {
    double Cells = double(Copies.size());
    for (const auto &Cuts : Pieces)
      Cells *= double(Cuts.size() - 1);
    return Cells;
  }
  double count() {
    Chosen All;
    for (const Copy &C : Copies)
      All.push_back(&C);
    StridedAccess Cell;
    return cells(0, All, Origin + Set.Low, Cell);
  }
  /// Footprint of the bounding box of all copies.
  double boxed() const {
    StridedAccess Box = Set.Outer;
    double Low = 0, High = 0, Start = Origin + Set.Low;
    for (unsigned I = 0; I < Box.size(); ++I) {
      Box[I].Extent = Pieces[I].back() - Pieces[I].front();
      Start += Box[I].Stride * Pieces[I].front();
    }
    for (const Copy &C : Copies) {
      Low = std::min(Low, C.Remainder);
      High = std::max(High, C.Remainder);
    }
    return footprintSectors(Box, Start + Low, Set.Run + High - Low, SectorBytes,
                            Elsewhere);
  }

private:
  using Chosen = llvm::SmallVector<const Copy *, 16>;

  Copy placed(double Shift) const {
    Copy Out;
    Out.Steps.resize(Set.Outer.size());
    for (unsigned I = Set.Outer.size(); I-- > 0;) {
      double Stride = Set.Outer[I].Stride;
      Out.Steps[I] = std::round(Shift / Stride);
      Shift -= Out.Steps[I] * Stride;
    }
    Out.Remainder = Shift;
    return Out;
  }
  /// Sum over the cells along the axis and the following ones; restores Cell.
  double cells(unsigned Axis, llvm::ArrayRef<const Copy *> Covering,
               double Start, StridedAccess &Cell) {
    if (Axis == Set.Outer.size())
      return runs(Covering, Start, Cell);
    double Sum = 0, Stride = Set.Outer[Axis].Stride;
    const auto &Cuts = Pieces[Axis];
    for (size_t I = 0; I + 1 < Cuts.size(); ++I) {
      Chosen Within;
      for (const Copy *C : Covering)
        if (C->Steps[Axis] <= Cuts[I] &&
            Cuts[I] < C->Steps[Axis] + Set.Outer[Axis].Extent)
          Within.push_back(C);
      if (Within.empty())
        continue;
      Cell.push_back({Stride, Cuts[I + 1] - Cuts[I]});
      Sum += cells(Axis + 1, Within, Start + Stride * Cuts[I], Cell);
      Cell.pop_back();
    }
    return Sum;
  }
  /// Sectors of the copies within one cell; runs less than a sector apart are
  /// merged.
  double runs(llvm::ArrayRef<const Copy *> Covering, double Start,
              const StridedAccess &Cell) const {
    llvm::SmallVector<double, 8> Remainders;
    double Fraction = 1; // of a cell shorter than one position
    for (const Copy *C : Covering)
      Remainders.push_back(C->Remainder);
    for (const StridedDim &D : Cell)
      Fraction *= std::min(1.0, D.Extent);
    std::sort(Remainders.begin(), Remainders.end());
    double Sum = 0;
    for (size_t I = 0; I < Remainders.size();) {
      double Begin = Remainders[I], End = Begin + Set.Run;
      for (; I < Remainders.size() && Remainders[I] < End + SectorBytes; ++I)
        End = Remainders[I] + Set.Run;
      Sum += footprintSectors(Cell, Start + Begin, End - Begin, SectorBytes,
                              Elsewhere);
    }
    return Sum * Fraction;
  }

  const Runs &Set;
  double SectorBytes;
  llvm::ArrayRef<double> Elsewhere;
  double Origin;
  llvm::SmallVector<Copy, 8> Copies;
  /// [progression] ascending cut positions.
  llvm::SmallVector<llvm::SmallVector<double, 16>, 4> Pieces;
};
} // namespace

/// Limit of comparisons; beyond it the bounding box is used, which is close for
/// so many copies.
static constexpr double MaxComparisons = 4096;

double footprintSectors(const StridedAccess &Set, llvm::ArrayRef<double> Starts,
                        double Width, double SectorBytes,
                        llvm::ArrayRef<double> Elsewhere) {
  if (Starts.size() == 1)
    return footprintSectors(Set, Starts.front(), Width, SectorBytes, Elsewhere);
  Runs Merged = mergeStrides(Set, Width, SectorBytes);
  Union All(Merged, Starts, SectorBytes, Elsewhere);
  bool IsAffordable = All.cost() <= MaxComparisons;
  spendWork(IsAffordable ? 1 + uint64_t(All.cost()) / 8 : Starts.size());
  return IsAffordable ? All.count() : All.boxed();
}

std::pair<double, double> span(const StridedAccess &Set, double Start,
                               double Width) {
  double Low = Start, High = Start + Width;
  for (const StridedDim &D : Set)
    (D.Stride < 0 ? Low : High) += D.Stride * (D.Extent - 1);
  return {Low, High};
}

/// A sequence with more digits is not delinearised.
static constexpr unsigned MaxDigits = 4;

std::optional<StridedAccess> delinearize(llvm::ArrayRef<double> Sequence) {
  StridedAccess Out;
  // First values of the runs of the digits so far.
  llvm::ArrayRef<double> Values = Sequence;
  std::vector<double> Firsts, Next;
  while (Values.size() > 1) {
    if (Out.size() == MaxDigits)
      return std::nullopt;
    double Stride = Values[1] - Values[0];
    size_t Length = 2;
    while (Length < Values.size() &&
           Values[Length] - Values[Length - 1] == Stride)
      ++Length;
    Next.clear();
    if (Length < Values.size())
      Next.reserve((Values.size() - 1) / Length + 1);
    Next.push_back(Values[0]);
    for (size_t Run = Length; Run < Values.size(); Run += Length) {
      Next.push_back(Values[Run]);
      for (size_t I = Run + 1, End = std::min(Run + Length, Values.size());
           I < End; ++I)
        if (Values[I] - Values[I - 1] != Stride)
          return std::nullopt;
    }
    Out.push_back({Stride, double(Length)});
    Firsts.swap(Next);
    Values = Firsts;
  }
  // An incomplete last digit has a fractional extent.
  if (Out.size() > 1) {
    double Full = 1;
    for (unsigned I = 0; I + 1 < Out.size(); ++I)
      Full *= Out[I].Extent;
    Out.back().Extent = std::min(Out.back().Extent, Sequence.size() / Full);
  }
  return Out;
}

std::optional<StridedAccess>
delinearize(llvm::function_ref<double(uint64_t)> Address, uint64_t Count) {
  if (Count <= 64) {
    std::vector<double> All;
    for (uint64_t I = 0; I < Count; ++I)
      All.push_back(Address(I));
    return delinearize(All);
  }
  StridedAccess Out;
  uint64_t Divisor = 1; // product of the extents of the digits so far
  double Start = Address(0);
  while (Divisor < Count) {
    if (Out.size() == MaxDigits)
      return std::nullopt;
    uint64_t Members = (Count - 1) / Divisor + 1;
    double Stride = Address(Divisor) - Start;
    auto follows = [&](uint64_t I) {
      return Address(I * Divisor) == Start + Stride * double(I);
    };
    // Grow by doubling, then find the first member that does not follow.
    uint64_t Good = 1, Bad = Members;
    for (uint64_t I = 2; I < Members; I *= 2)
      if (follows(I))
        Good = I;
      else {
        Bad = I;
        break;
      }
    if (Bad == Members && follows(Members - 1))
      Good = Members - 1;
    while (Bad - Good > 1) {
      uint64_t Middle = Good + (Bad - Good) / 2;
      (follows(Middle) ? Good : Bad) = Middle;
    }
    Out.push_back({Stride, double(Bad)});
    Divisor *= Bad;
  }
  auto explained = [&](uint64_t I) {
    double Expected = Start;
    uint64_t Quotient = I;
    for (const StridedDim &D : Out) {
      Expected += D.Stride * double(Quotient % uint64_t(D.Extent));
      Quotient /= uint64_t(D.Extent);
    }
    return Address(I) == Expected;
  };
  // Spot checks at spread indices: the digits must explain all of them.
  for (uint64_t Probe = 1; Probe <= 16; ++Probe) {
    uint64_t I = Count / 17 * Probe + Probe * 5 % 17;
    if (I < Count && !explained(I))
      return std::nullopt;
  }
  // A residue deviates from digits first at the end of a late period.
  uint64_t Period = 1;
  for (const StridedDim &D : Out) {
    Period *= uint64_t(D.Extent);
    if (Period < Count && !explained(Count / Period * Period - 1))
      return std::nullopt;
  }
  if (Out.size() > 1)
    Out.back().Extent =
        std::min(Out.back().Extent,
                 double(Count) / (double(Divisor) / Out.back().Extent));
  return Out;
}

} // namespace gpuestimate
