/// \file
/// Sizes of sums of arithmetic progressions.
#include "gpu-estimate/Evaluate/Access/Footprint.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <numeric>

namespace gpuestimate {

/// Mean number of granules that an interval of Length bytes touches when it
/// starts at Start plus any multiple of Step, a divisor of Granule.
static double granulesOfRun(double Start, double Length, int64_t Step,
                            double Granule) {
  double Sum = 0;
  int64_t Positions = std::max<int64_t>(1, int64_t(Granule) / Step);
  // floor(x / n) + floor((x + 1) / n) + ... + floor((x + n - 1) / n) is
  // floor(x) (Hermite).
  bool Whole = Start == std::floor(Start) && Length == std::floor(Length) &&
               std::abs(Start) + Length < 0x1p52;
  if (Whole && double(Positions * Step) == Granule)
    return (std::floor((Start + Length - 1) / double(Step)) -
            std::floor(Start / double(Step)) + double(Positions)) /
           Positions;
  for (int64_t P = 0; P < Positions; ++P) {
    double Begin = Start + double(P * Step);
    Sum += std::floor((Begin + Length - 1) / Granule) -
           std::floor(Begin / Granule) + 1;
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
  Directions Outer;
};
} // namespace

static Runs mergeStrides(const Directions &Set, double Width, double Granule) {
  Runs Out;
  Directions Sorted;
  Out.Run = Out.Span = Width;
  for (Direction D : Set) {
    if (D.Extent <= 1 || D.Stride == 0)
      continue;
    if (D.Stride < 0)
      Out.Low += D.Stride * (D.Extent - 1);
    Sorted.push_back({std::abs(D.Stride), D.Extent});
    Out.Span += std::abs(D.Stride) * (D.Extent - 1);
  }
  llvm::sort(Sorted, [](auto &A, auto &B) { return A.Stride < B.Stride; });

  for (const Direction &D : Sorted) {
    // No granule fits between two runs: all that they span is touched.
    if (Out.Outer.empty() && D.Stride < Out.Run + Granule) {
      Out.Run += D.Stride * (D.Extent - 1);
      continue;
    }
    auto Prolonged =
        llvm::find_if(llvm::reverse(Out.Outer), [&](const Direction &O) {
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

double distinctGranules(const Directions &Set, double Start, double Width,
                        double Granule, llvm::ArrayRef<double> Elsewhere) {
  Runs Merged = mergeStrides(Set, Width, Granule);
  int64_t Step = std::max(1.0, Granule);
  double Count = 1;
  for (const Direction &D : Merged.Outer) {
    Count *= D.Extent;
    Step = commonDivisor(Step, D.Stride);
  }
  for (double Stride : Elsewhere)
    Step = commonDivisor(Step, Stride);
  return std::min(
      Count * granulesOfRun(Start + Merged.Low, Merged.Run, Step, Granule),
      std::ceil(Merged.Span / Granule) + 1);
}

namespace {
/// One copy of a set: steps along each of its progressions, and the rest.
struct Copy {
  llvm::SmallVector<double, 4> Steps;
  double Rest = 0;
};

/// The union of copies of a set, counted cell by cell: the places where copies
/// begin and end cut each progression into pieces, and within a cell of such
/// pieces the same copies are everywhere.
class Union {
public:
  Union(const Runs &Of, llvm::ArrayRef<double> Starts, double Granule,
        llvm::ArrayRef<double> Elsewhere)
      : Of(Of), Granule(Granule), Elsewhere(Elsewhere), Origin(Starts.front()) {
    for (double Start : Starts)
      Copies.push_back(placed(Start - Origin));
    for (unsigned I = 0; I < Of.Outer.size(); ++I) {
      auto &Cuts = Pieces.emplace_back();
      for (const Copy &C : Copies) {
        Cuts.push_back(C.Steps[I]);
        Cuts.push_back(C.Steps[I] + Of.Outer[I].Extent);
      }
      std::sort(Cuts.begin(), Cuts.end()); // llvm::sort calls qsort
      Cuts.erase(llvm::unique(Cuts), Cuts.end());
    }
  }
  /// Comparisons that the count takes.
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
    Directions Cell;
    return cells(0, All, Origin + Of.Low, Cell);
  }
  /// The box around all copies.
  double boxed() const {
    Directions Box = Of.Outer;
    double Least = 0, Most = 0, Start = Origin + Of.Low;
    for (unsigned I = 0; I < Box.size(); ++I) {
      Box[I].Extent = Pieces[I].back() - Pieces[I].front();
      Start += Box[I].Stride * Pieces[I].front();
    }
    for (const Copy &C : Copies) {
      Least = std::min(Least, C.Rest);
      Most = std::max(Most, C.Rest);
    }
    return distinctGranules(Box, Start + Least, Of.Run + Most - Least, Granule,
                            Elsewhere);
  }

private:
  using Chosen = llvm::SmallVector<const Copy *, 16>;

  Copy placed(double Shift) const {
    Copy Out;
    Out.Steps.resize(Of.Outer.size());
    for (unsigned I = Of.Outer.size(); I-- > 0;) {
      double Stride = Of.Outer[I].Stride;
      Out.Steps[I] = std::round(Shift / Stride);
      Shift -= Out.Steps[I] * Stride;
    }
    Out.Rest = Shift;
    return Out;
  }
  /// Leaves Cell as it was.
  double cells(unsigned Axis, llvm::ArrayRef<const Copy *> Here, double Start,
               Directions &Cell) {
    if (Axis == Of.Outer.size())
      return runs(Here, Start, Cell);
    double Sum = 0, Stride = Of.Outer[Axis].Stride;
    const auto &Cuts = Pieces[Axis];
    for (size_t I = 0; I + 1 < Cuts.size(); ++I) {
      Chosen Within;
      for (const Copy *C : Here)
        if (C->Steps[Axis] <= Cuts[I] &&
            Cuts[I] < C->Steps[Axis] + Of.Outer[Axis].Extent)
          Within.push_back(C);
      if (Within.empty())
        continue;
      Cell.push_back({Stride, Cuts[I + 1] - Cuts[I]});
      Sum += cells(Axis + 1, Within, Start + Stride * Cuts[I], Cell);
      Cell.pop_back();
    }
    return Sum;
  }
  /// Runs less than a granule apart are one.
  double runs(llvm::ArrayRef<const Copy *> Here, double Start,
              const Directions &Cell) const {
    llvm::SmallVector<double, 8> Rests;
    double Fewer = 1; // of a cell that is less than one position long
    for (const Copy *C : Here)
      Rests.push_back(C->Rest);
    for (const Direction &D : Cell)
      Fewer *= std::min(1.0, D.Extent);
    std::sort(Rests.begin(), Rests.end());
    double Sum = 0;
    for (size_t I = 0; I < Rests.size();) {
      double Begin = Rests[I], End = Begin + Of.Run;
      for (; I < Rests.size() && Rests[I] < End + Granule; ++I)
        End = Rests[I] + Of.Run;
      Sum += distinctGranules(Cell, Start + Begin, End - Begin, Granule,
                              Elsewhere);
    }
    return Sum * Fewer;
  }

  const Runs &Of;
  double Granule;
  llvm::ArrayRef<double> Elsewhere;
  double Origin;
  llvm::SmallVector<Copy, 8> Copies;
  /// Of each progression.
  llvm::SmallVector<llvm::SmallVector<double, 16>, 4> Pieces;
};
} // namespace

/// More comparisons than this are not worth it: the box is close by then.
static constexpr double MaxComparisons = 4096;

double distinctGranules(const Directions &Set, llvm::ArrayRef<double> Starts,
                        double Width, double Granule,
                        llvm::ArrayRef<double> Elsewhere) {
  if (Starts.size() == 1)
    return distinctGranules(Set, Starts.front(), Width, Granule, Elsewhere);
  Runs Merged = mergeStrides(Set, Width, Granule);
  Union All(Merged, Starts, Granule, Elsewhere);
  bool Counts = All.cost() <= MaxComparisons;
  spendWork(Counts ? 1 + uint64_t(All.cost()) / 8 : Starts.size());
  return Counts ? All.count() : All.boxed();
}

std::pair<double, double> span(const Directions &Set, double Start,
                               double Width) {
  double Low = Start, High = Start + Width;
  for (const Direction &D : Set)
    (D.Stride < 0 ? Low : High) += D.Stride * (D.Extent - 1);
  return {Low, High};
}

/// More digits than this are taken as no digits at all.
static constexpr unsigned MaxDigits = 4;

std::optional<Directions> takeApart(llvm::ArrayRef<double> Sequence) {
  Directions Out;
  llvm::ArrayRef<double> Now = Sequence;
  std::vector<double> Firsts, Next; // of the runs of the round before and this
  while (Now.size() > 1) {
    if (Out.size() == MaxDigits)
      return std::nullopt;
    double Stride = Now[1] - Now[0];
    size_t Length = 2;
    while (Length < Now.size() && Now[Length] - Now[Length - 1] == Stride)
      ++Length;
    Next.clear();
    if (Length < Now.size())
      Next.reserve((Now.size() - 1) / Length + 1);
    Next.push_back(Now[0]);
    for (size_t Run = Length; Run < Now.size(); Run += Length) {
      Next.push_back(Now[Run]);
      for (size_t I = Run + 1, End = std::min(Run + Length, Now.size());
           I < End; ++I)
        if (Now[I] - Now[I - 1] != Stride)
          return std::nullopt;
    }
    Out.push_back({Stride, double(Length)});
    Firsts.swap(Next);
    Now = Firsts;
  }
  // A last digit that is not full: what is there counts, not what could be.
  if (Out.size() > 1) {
    double Full = 1;
    for (unsigned I = 0; I + 1 < Out.size(); ++I)
      Full *= Out[I].Extent;
    Out.back().Extent = std::min(Out.back().Extent, Sequence.size() / Full);
  }
  return Out;
}

std::optional<Directions> takeApart(llvm::function_ref<double(uint64_t)> At,
                                    uint64_t Count) {
  if (Count <= 64) {
    std::vector<double> All;
    for (uint64_t I = 0; I < Count; ++I)
      All.push_back(At(I));
    return takeApart(All);
  }
  Directions Out;
  uint64_t Unit = 1; // product of the digits found so far
  double Start = At(0);
  while (Unit < Count) {
    if (Out.size() == MaxDigits)
      return std::nullopt;
    uint64_t Members = (Count - 1) / Unit + 1;
    double Stride = At(Unit) - Start;
    auto follows = [&](uint64_t I) {
      return At(I * Unit) == Start + Stride * double(I);
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
    Unit *= Bad;
  }
  auto explained = [&](uint64_t I) {
    double Want = Start;
    uint64_t Rest = I;
    for (const Direction &D : Out) {
      Want += D.Stride * double(Rest % uint64_t(D.Extent));
      Rest /= uint64_t(D.Extent);
    }
    return At(I) == Want;
  };
  // Spot checks at spread members: the digits must explain them all.
  for (uint64_t Probe = 1; Probe <= 16; ++Probe) {
    uint64_t I = Count / 17 * Probe + Probe * 5 % 17;
    if (I < Count && !explained(I))
      return std::nullopt;
  }
  // Residues leave digits at the end of a late turn first.
  uint64_t Turn = 1;
  for (const Direction &D : Out) {
    Turn *= uint64_t(D.Extent);
    if (Turn < Count && !explained(Count / Turn * Turn - 1))
      return std::nullopt;
  }
  if (Out.size() > 1)
    Out.back().Extent = std::min(
        Out.back().Extent, double(Count) / (double(Unit) / Out.back().Extent));
  return Out;
}

} // namespace gpuestimate
