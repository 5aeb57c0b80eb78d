#include "gpu-estimate/Evaluate/Evaluator/LaunchSweep.h"

#include "DemandInterpolator.h"
#include "Evaluate/Sampling/SamplingPlan.h"
#include "gpu-estimate/Support/Hash.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

using namespace llvm;

namespace gpuestimate {

namespace {

/// Elements of a cache line, of the smallest objects that the kernel is given.
uint64_t elementsOfLine(const KernelEvaluator &By) {
  unsigned Element = 4;
  for (const KernelArgument &A : By.kernel().Arguments)
    if (A.Kind == KernelArgument::Pointer && A.ElementBytes > 0)
      Element = std::min(Element, unsigned(A.ElementBytes));
  return llvm::bit_floor(
      std::max<uint64_t>(1, By.gpu().L1.Line.value() / Element));
}

class SweepInterpolator {
public:
  using Taker = function_ref<void(size_t, Expected<SweepResult>)>;
  SweepInterpolator(KernelEvaluator &By, ArrayRef<SweepPoint> Launches,
                    Taker Take)
      : By(By), Launches(Launches), Take(Take), Period(elementsOfLine(By)),
        Occ(Launches.size()), Evaluated(Launches.size()),
        Reported(Launches.size()) {}

  void run();

private:
  using Line = std::vector<size_t>; ///< places in Launches, ascending numbers
  using Classes = std::map<std::pair<uint64_t, uint64_t>, Line>;
  /// Lines of the places in All that these properties set apart.
  Classes classify(const Line &All, bool ByRemainder, bool ByMeeting) const;
  uint64_t remainder(size_t I) const;
  uint64_t meeting(size_t I) const;
  /// Launches with some value of the property are no smooth part of their line.
  bool matters(const Line &All, const Classes &Lines,
               function_ref<uint64_t(size_t)> Property);

  void evaluate(size_t I);
  /// Evaluates or interpolates the launches between the ends, which have been
  /// evaluated.
  void between(ArrayRef<size_t> Part);
  void fill(ArrayRef<size_t> Part, const std::vector<bool> &OfGrid);
  DemandInterpolator demands(ArrayRef<size_t> Part) const {
    return {*Evaluated[Part.front()], *Evaluated[Part.back()]};
  }
  bool allComparable(ArrayRef<size_t> Part) const;
  /// Sets OfGrid. Inner: of Part, evaluated.
  bool isSmooth(ArrayRef<size_t> Part, ArrayRef<size_t> Inner,
                std::vector<bool> &OfGrid) const;
  bool meets(const LaunchDemand &Guess, size_t I) const;

  KernelEvaluator &By;
  ArrayRef<SweepPoint> Launches;
  Taker Take;
  uint64_t Period;
  std::vector<std::optional<Occupancy>> Occ;
  std::vector<std::unique_ptr<EvaluatedLaunch>>
      Evaluated;              ///< null: not evaluated
  std::vector<bool> Reported; ///< to Take
};

} // namespace

void SweepInterpolator::evaluate(size_t I) {
  if (Reported[I])
    return;
  Reported[I] = true;
  const SweepPoint &Point = Launches[I];
  Expected<LaunchDemand> Demand = By.demand(*Point.L, *Occ[I], *Point.Values);
  if (!Demand)
    return Take(I, Demand.takeError());
  Expected<Seconds> Time = By.time(*Point.L, *Occ[I], *Demand);
  if (!Time)
    return Take(I, Time.takeError());
  Take(I, SweepResult{*Time, Demand->Work.Count.DramBytes, *Occ[I]});
  Evaluated[I] =
      std::make_unique<EvaluatedLaunch>(Point.At, *Point.L, std::move(*Demand));
}

/// The launches put equal blocks on a multiprocessor, and equally many.
bool SweepInterpolator::allComparable(ArrayRef<size_t> Part) const {
  const Launch &First = *Launches[Part.front()].L;
  unsigned Blocks = Occ[Part.front()]->BlocksPerSm;
  return all_of(Part, [&](size_t I) {
    const Launch &L = *Launches[I].L;
    return Occ[I]->BlocksPerSm == Blocks && L.Block == First.Block &&
           L.DynamicSharedBytes == First.DynamicSharedBytes;
  });
}

bool SweepInterpolator::meets(const LaunchDemand &Guess, size_t I) const {
  auto near = [](double Value, double Wanted, double Scale) {
    return std::abs(Value - Wanted) <= SweepTolerance * Scale;
  };
  const LaunchDemand &Wanted = Evaluated[I]->Demand;
  if (Guess.Phases.size() != Wanted.Phases.size())
    return false;
  auto Time = [&](const LaunchDemand &Demand) {
    Expected<Seconds> Result = By.time(*Launches[I].L, *Occ[I], Demand);
    if (Result)
      return Result->value();
    consumeError(Result.takeError());
    return double(NAN);
  };
  double WantedTime = Time(Wanted);
  return near(Time(Guess), WantedTime, WantedTime) &&
         near(Guess.Work.Count.DramBytes, Wanted.Work.Count.DramBytes,
              Wanted.Work.Count.L2Bytes);
}

bool SweepInterpolator::isSmooth(ArrayRef<size_t> Part, ArrayRef<size_t> Inner,
                                 std::vector<bool> &OfGrid) const {
  auto isEvaluated = [&](size_t I) { return Evaluated[I] != nullptr; };
  if (!isEvaluated(Part.front()) || !isEvaluated(Part.back()) ||
      !all_of(Inner, isEvaluated) || !allComparable(Part))
    return false;
  auto Phases = [&](size_t I) { return Evaluated[I]->Demand.Phases.size(); };
  if (Phases(Part.back()) != Phases(Part.front()) ||
      any_of(Inner,
             [&](size_t I) { return Phases(I) != Phases(Part.front()); }))
    return false;
  DemandInterpolator Ends = demands(Part);
  std::vector<const EvaluatedLaunch *> Checks;
  for (size_t I : Inner)
    Checks.push_back(Evaluated[I].get());
  OfGrid = Ends.findOfGrid(Checks);
  return all_of(Inner, [&](size_t I) {
    return meets(Ends.demand(Evaluated[I]->At, Evaluated[I]->Blocks, OfGrid),
                 I);
  });
}

/// One of each of Count parts between the ends, at no regular distances, which
/// could be those of some period.
static SmallVector<size_t> placesBetween(ArrayRef<size_t> Part, size_t Count) {
  SmallVector<size_t> Places;
  if (Part.size() > 2)
    for (const SamplePoint &P :
         samplePoints(Part.size() - 2, Count,
                      mixBits(Part.front(), Part.back()), /*ByPlace=*/true))
      Places.push_back(1 + P.Index);
  return Places;
}

void SweepInterpolator::between(ArrayRef<size_t> Part) {
  if (Part.size() <= 2 + SweepChecks) {
    for (size_t I : Part)
      evaluate(I);
    return;
  }
  SmallVector<size_t> Ends = placesBetween(Part, SweepChecks), Checks;
  for (size_t Place : Ends) {
    Checks.push_back(Part[Place]);
    evaluate(Part[Place]);
  }
  Ends.insert(Ends.begin(), 0);
  Ends.push_back(Part.size() - 1);
  std::vector<ArrayRef<size_t>> Pieces, Halves;
  for (unsigned P = 0; P + 1 < Ends.size(); ++P)
    Pieces.push_back(Part.slice(Ends[P], Ends[P + 1] - Ends[P] + 1));

  std::vector<bool> OfGrid;
  bool Smooth = Part.size() <= Pieces.size() * MaxSweepGap &&
                isSmooth(Part, Checks, OfGrid);
  // What was chosen to fit the checks has to fit others, too.
  for (ArrayRef<size_t> Piece : Pieces)
    for (size_t Place : placesBetween(Piece, 1)) {
      if (!Smooth)
        break;
      size_t I = Piece[Place];
      evaluate(I);
      Smooth = Evaluated[I] &&
               meets(demands(Piece).demand(Evaluated[I]->At,
                                           Evaluated[I]->Blocks, OfGrid),
                     I);
      Halves.push_back(Piece.take_front(Place + 1));
      Halves.push_back(Piece.drop_front(Place));
    }
  if (Smooth)
    for (ArrayRef<size_t> Half : Halves)
      fill(Half, OfGrid);
  else
    for (ArrayRef<size_t> Piece : Pieces)
      between(Piece);
}

void SweepInterpolator::fill(ArrayRef<size_t> Part,
                             const std::vector<bool> &OfGrid) {
  DemandInterpolator Ends = demands(Part);
  for (size_t I : Part.drop_front().drop_back()) {
    if (Reported[I])
      continue;
    Reported[I] = true;
    const SweepPoint &Point = Launches[I];
    LaunchDemand Guess = Ends.demand(Point.At, Point.L->blocks(), OfGrid);
    Expected<Seconds> Time = By.time(*Point.L, *Occ[I], Guess);
    if (Time)
      Take(I, SweepResult{*Time, Guess.Work.Count.DramBytes, *Occ[I], false});
    else
      Take(I, Time.takeError());
  }
}

uint64_t SweepInterpolator::remainder(size_t I) const {
  double At = Launches[I].At;
  if (std::floor(At) != At || std::abs(At) >= 0x1p53)
    return 0;
  return static_cast<uint64_t>(static_cast<int64_t>(At)) % Period;
}

/// Every so many rows of the grid, a column's block meets the same
/// multiprocessor.
uint64_t SweepInterpolator::meeting(size_t I) const {
  const Launch &L = *Launches[I].L;
  return L.Grid[1] * L.Grid[2] == 1
             ? 0
             : std::gcd(L.Grid[0], uint64_t(By.gpu().SmCount));
}

SweepInterpolator::Classes SweepInterpolator::classify(const Line &All,
                                                       bool ByRemainder,
                                                       bool ByMeeting) const {
  Classes Lines;
  for (size_t I : All) {
    uint64_t Remainder = remainder(I);
    // The largest power of two that divides it.
    uint64_t PowerOfTwo = Remainder ? Remainder & -Remainder : Period;
    Lines[{ByRemainder ? Remainder : PowerOfTwo, ByMeeting ? meeting(I) : 0}]
        .push_back(I);
  }
  return Lines;
}

bool SweepInterpolator::matters(const Line &All, const Classes &Lines,
                                function_ref<uint64_t(size_t)> Property) {
  // The launch of each value that is nearest to the middle.
  std::map<uint64_t, size_t> Nearest;
  size_t Middle = All.size() / 2;
  for (size_t I : ArrayRef(All).drop_front(Middle))
    Nearest.try_emplace(Property(I), I);
  for (size_t I : reverse(ArrayRef(All).take_front(Middle)))
    Nearest.try_emplace(Property(I), I);
  if (Nearest.size() <= Lines.size())
    return false;
  std::vector<bool> IsNearest(Launches.size());
  for (auto &[Value, I] : Nearest)
    IsNearest[I] = true;
  // Between their neighbours in the line they are to be smooth.
  for (auto &[Key, Line] : Lines)
    for (size_t First = 1, End; First < Line.size(); First = End + 1) {
      End = First;
      while (End < Line.size() && IsNearest[Line[End]])
        ++End;
      if (End == First || End == Line.size() || IsNearest[Line[First - 1]])
        continue;
      auto Part = ArrayRef(Line).slice(First - 1, End - First + 2);
      if (!allComparable(Part))
        continue;
      for (size_t I : Part)
        evaluate(I);
      std::vector<bool> OfGrid;
      if (!isSmooth(Part, Part.drop_front().drop_back(), OfGrid))
        return true;
    }
  return false;
}

void SweepInterpolator::run() {
  Line All;
  for (auto [I, Point] : enumerate(Launches)) {
    Expected<Occupancy> Result = By.occupancy(*Point.L);
    if (Result) {
      Occ[I] = std::move(*Result);
      All.push_back(I);
    } else {
      Take(I, Result.takeError());
    }
  }
  stable_sort(
      All, [&](size_t A, size_t B) { return Launches[A].At < Launches[B].At; });
  bool ByRemainder = matters(All, classify(All, false, false),
                             [&](size_t I) { return remainder(I); });
  bool ByMeeting = matters(All, classify(All, ByRemainder, false),
                           [&](size_t I) { return meeting(I); });
  for (auto &[Key, Line] : classify(All, ByRemainder, ByMeeting)) {
    evaluate(Line.front());
    evaluate(Line.back());
    between(Line);
  }
}

void interpolateSweep(KernelEvaluator &By, ArrayRef<SweepPoint> Launches,
                      function_ref<void(size_t, Expected<SweepResult>)> Take) {
  SweepInterpolator(By, Launches, Take).run();
}

} // namespace gpuestimate
