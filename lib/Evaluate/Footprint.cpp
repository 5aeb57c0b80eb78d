/// \file
/// Sizes of sums of arithmetic progressions.
#include "gpu-estimate/Evaluate/Footprint.h"
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

double distinctGranules(const Directions &Set, double Start, double Width,
                        double Granule, llvm::ArrayRef<double> Elsewhere) {
  Directions Sorted;
  double Span = Width;
  for (Direction D : Set) {
    if (D.Extent <= 1 || D.Stride == 0)
      continue;
    if (D.Stride < 0)
      Start += D.Stride * (D.Extent - 1);
    Sorted.push_back({std::abs(D.Stride), D.Extent});
    Span += std::abs(D.Stride) * (D.Extent - 1);
  }
  llvm::sort(Sorted, [](auto &A, auto &B) { return A.Stride < B.Stride; });

  double Run = Width;
  Directions Outer;
  for (const Direction &D : Sorted) {
    if (Outer.empty() && D.Stride <= std::max(Run, Granule)) {
      Run += D.Stride * (D.Extent - 1);
      continue;
    }
    auto Prolonged =
        llvm::find_if(llvm::reverse(Outer), [&](const Direction &O) {
          double Ratio = D.Stride / O.Stride;
          return Ratio == std::floor(Ratio) && Ratio <= O.Extent;
        });
    if (Prolonged != Outer.rend())
      Prolonged->Extent += D.Stride / Prolonged->Stride * (D.Extent - 1);
    else
      Outer.push_back(D);
  }
  int64_t Step = std::max(1.0, Granule);
  double Runs = 1;
  for (const Direction &D : Outer) {
    Runs *= D.Extent;
    Step = commonDivisor(Step, D.Stride);
  }
  for (double Stride : Elsewhere)
    Step = commonDivisor(Step, Stride);
  return std::min(Runs * granulesOfRun(Start, Run, Step, Granule),
                  std::ceil(Span / Granule) + 1);
}

namespace {
/// Copies of one set whose bounding box is not much more than their union.
struct Cluster {
  double Origin;                            ///< start of its first member
  llvm::SmallVector<double, 8> Least, Most; ///< steps along each direction
  double LeastRest = 0, MostRest = 0;       ///< bytes that are no whole step
};
} // namespace

/// Joins Start to the cluster if the shift is a small number of steps.
static bool join(Cluster &C, const Directions &Descending, double Start,
                 double Width) {
  llvm::SmallVector<double, 8> Steps;
  double Rest = Start - C.Origin, Smallest = INFINITY;
  for (const Direction &D : Descending) {
    // Less than one step of the smallest direction: fields of a structure.
    double Step = &D == &Descending.back() ? std::trunc(Rest / D.Stride)
                                           : std::round(Rest / D.Stride);
    if (std::abs(Step) > D.Extent)
      return false;
    Steps.push_back(Step);
    Rest -= Step * D.Stride;
    Smallest = std::abs(D.Stride);
  }
  // What no step explains lies between two members of the smallest direction
  // (fields of a structure) or overlaps the access itself.
  if (std::abs(Rest) > (Descending.empty() ? Width : std::max(Smallest, Width)))
    return false;
  for (unsigned I = 0; I < Steps.size(); ++I) {
    C.Least[I] = std::min(C.Least[I], Steps[I]);
    C.Most[I] = std::max(C.Most[I], Steps[I]);
  }
  C.LeastRest = std::min(C.LeastRest, Rest);
  C.MostRest = std::max(C.MostRest, Rest);
  return true;
}

double distinctGranules(const Directions &Set, llvm::ArrayRef<double> Starts,
                        double Width, double Granule,
                        llvm::ArrayRef<double> Elsewhere) {
  Directions Descending;
  for (const Direction &D : Set)
    if (D.Extent > 1 && D.Stride != 0)
      Descending.push_back(D);
  llvm::sort(Descending, [](auto &A, auto &B) {
    return std::abs(A.Stride) > std::abs(B.Stride);
  });

  std::vector<Cluster> Clusters;
  for (double Start : Starts)
    if (llvm::none_of(Clusters, [&](Cluster &C) {
          return join(C, Descending, Start, Width);
        })) {
      llvm::SmallVector<double, 8> None(Descending.size(), 0);
      Clusters.push_back({Start, None, None});
    }

  double Total = 0;
  for (const Cluster &C : Clusters) {
    Directions Box = Descending;
    double Start = C.Origin + C.LeastRest;
    for (unsigned I = 0; I < Box.size(); ++I) {
      Start += Box[I].Stride * C.Least[I];
      Box[I].Extent += C.Most[I] - C.Least[I];
    }
    Total += distinctGranules(Box, Start, Width + C.MostRest - C.LeastRest,
                              Granule, Elsewhere);
  }
  return Total;
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
  std::vector<double> Now(Sequence.begin(), Sequence.end()), Next;
  while (Now.size() > 1) {
    if (Out.size() == MaxDigits)
      return std::nullopt;
    double Stride = Now[1] - Now[0];
    size_t Length = 2;
    while (Length < Now.size() && Now[Length] - Now[Length - 1] == Stride)
      ++Length;
    Next.clear();
    for (size_t I = 0; I < Now.size(); ++I) {
      if (I % Length == 0)
        Next.push_back(Now[I]);
      else if (Now[I] - Now[I - 1] != Stride)
        return std::nullopt;
    }
    Out.push_back({Stride, double(Length)});
    Now.swap(Next);
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
  // Spot checks at spread members: the digits must explain them all.
  for (uint64_t Probe = 1; Probe <= 16; ++Probe) {
    uint64_t I = Count / 17 * Probe + Probe * 5 % 17, Rest = I;
    if (I >= Count)
      continue;
    double Want = Start;
    for (const Direction &D : Out) {
      Want += D.Stride * double(Rest % uint64_t(D.Extent));
      Rest /= uint64_t(D.Extent);
    }
    if (At(I) != Want)
      return std::nullopt;
  }
  if (Out.size() > 1)
    Out.back().Extent = std::min(
        Out.back().Extent, double(Count) / (double(Unit) / Out.back().Extent));
  return Out;
}

} // namespace gpuestimate
