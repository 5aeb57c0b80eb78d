#include "TuneScreen.h"

#include "gpu-estimate/Evaluate/Evaluator/LaunchSweep.h"
#include "gpu-estimate/Evaluate/Launch/Occupancy.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <numeric>
#include <tuple>

using namespace llvm;

namespace gpuestimate {

/// Launches of this many values are planned at a time, to bound the memory that
/// plans take.
static constexpr size_t PlannedValues = 1024;

namespace {

/// The argument with most values, along which times are interpolated. A line
/// is a row of points that differ in its value alone.
struct FollowedAxis {
  explicit FollowedAxis(ArrayRef<SpaceAxis> Axes) : Axes(Axes) {
    for (auto [I, Axis] : enumerate(Axes))
      if (Axis.Kind == AxisKind::Parameter &&
          (!Index || Axis.Values.size() > Values.size())) {
        if (!Index)
          FirstArgument = I;
        Index = I;
        Values = Axis.Numbers;
      }
    std::vector<uint32_t> Order(Values.size());
    for (auto [I, Choice] : enumerate(Order))
      Choice = I;
    stable_sort(Order,
                [&](uint32_t A, uint32_t B) { return Values[A] < Values[B]; });
    Rank.resize(Values.size());
    for (auto [R, Choice] : enumerate(Order))
      Rank[Choice] = R;
  }

  double at(const SpacePoint &P) const { return Index ? Values[P[*Index]] : 0; }
  size_t rank(const SpacePoint &P) const { return Index ? Rank[P[*Index]] : 0; }
  /// Key of the points whose launches are planned together.
  std::pair<std::vector<uint32_t>, size_t> piece(const SpacePoint &P) const {
    std::vector<uint32_t> Others =
        choicesOf(AxisKind::Parameter, Axes, P).vec();
    if (Index)
      Others[*Index - FirstArgument] = 0;
    return {std::move(Others), rank(P) / PlannedValues};
  }
  /// Index of the shape of the block.
  uint32_t block(const SpacePoint &P) const {
    ArrayRef<uint32_t> Block = choicesOf(AxisKind::Block, Axes, P);
    return Block.empty() ? 0 : Block.front();
  }

  ArrayRef<SpaceAxis> Axes;
  std::optional<size_t> Index;
  size_t FirstArgument = 0;
  std::vector<double> Values;
  std::vector<size_t> Rank; ///< [choice] among the values
};

/// A point of a line.
struct ScreenedPoint {
  size_t Point;
  double At;
  std::vector<BoundLaunch> Launches;
};

} // namespace

std::vector<uint32_t> namedChoices(ArrayRef<SpaceAxis> Axes,
                                   const SpacePoint &Point) {
  std::vector<uint32_t> Choices = choicesOf(AxisKind::Macro, Axes, Point).vec();
  append_range(Choices, choicesOf(AxisKind::Parameter, Axes, Point));
  return Choices;
}

std::vector<size_t> groupBySweep(ArrayRef<SpaceAxis> Axes,
                                 ArrayRef<SpacePoint> Points, size_t First,
                                 size_t End) {
  FollowedAxis Axis(Axes);
  std::vector<size_t> Out(End - First);
  std::iota(Out.begin(), Out.end(), First);
  auto Key = [&](size_t I) {
    return std::tuple(Axis.piece(Points[I]), Axis.block(Points[I]),
                      Axis.rank(Points[I]));
  };
  sort(Out, [&](size_t A, size_t B) { return Key(A) < Key(B); });
  return Out;
}

/// The launch of this number of each row. Rows run the same copy of the kernel.
static void screenLaunch(ArrayRef<ScreenedPoint> Rows, size_t Launch,
                         MutableArrayRef<Seconds> Longest, TunedGpu &Run,
                         LaunchEvaluators &With) {
  std::vector<SweepPoint> Line;
  for (const ScreenedPoint &Point : Rows) {
    const LaunchPlan &Plan = Point.Launches[Launch].Plan;
    Line.push_back({Point.At, &Plan.Used, &Plan.Values});
  }
  const BoundLaunch &First = Rows.front().Launches[Launch];
  interpolateSweep(
      With.of(First), Line, [&](size_t I, Expected<SweepResult> Screened) {
        TuneOutcome &Outcome = Run.Outcomes[Rows[I].Point];
        if (!Screened) {
          std::string Why = toString(Screened.takeError());
          if (Outcome.Refusal.empty())
            Outcome.Refusal = std::move(Why);
          return;
        }
        TunedConfiguration &Found = Outcome.Found;
        Found.Time += Screened->Time;
        Found.DramBytes += Screened->DramBytes;
        Found.Interpolated |= !Screened->Evaluated;
        if (Launch > 0 && Screened->Time <= Longest[I])
          return;
        Longest[I] = Screened->Time;
        Found.Occupancy = Screened->Occ.Fraction;
        Found.Used = *Line[I].L;
        Found.SharedBytesPerBlock =
            First.Kernel->Res.StaticSharedBytes + Found.Used.DynamicSharedBytes;
      });
}

/// Rows with equally many launches. Those that run the same copy of the kernel
/// are a line.
static void screenRows(ArrayRef<ScreenedPoint> Rows, TunedGpu &Run,
                       LaunchEvaluators &With) {
  std::vector<Seconds> Longest(Rows.size());
  for (size_t Launch = 0; Launch < Rows.front().Launches.size(); ++Launch)
    for (size_t First = 0, End; First < Rows.size(); First = End) {
      const KernelModel *Kernel = Rows[First].Launches[Launch].Kernel.get();
      for (End = First + 1; End < Rows.size() &&
                            Rows[End].Launches[Launch].Kernel.get() == Kernel;)
        ++End;
      screenLaunch(Rows.slice(First, End - First), Launch,
                   MutableArrayRef(Longest).slice(First, End - First), Run,
                   With);
    }
}

void screenBatch(const TuneBatch &Batch, ArrayRef<SpaceAxis> Axes,
                 ArrayRef<SpacePoint> Points, TuneLaunchPlanner &Planner,
                 ArrayRef<TunedGpu *> Gpus,
                 ArrayRef<std::unique_ptr<LaunchEvaluators>> With,
                 function_ref<void(size_t Count)> Advance) {
  FollowedAxis Axis(Axes);
  std::map<size_t, std::vector<LaunchPlan>> Bases; // by rank
  std::pair<std::vector<uint32_t>, size_t> BasesOf;
  for (ArrayRef<size_t> Remaining = Batch.Places, Line; !Remaining.empty();
       Remaining = Remaining.drop_front(Line.size())) {
    const SpacePoint &First = Points[Remaining.front()];
    auto Piece = Axis.piece(First);
    if (Piece != BasesOf)
      Bases.clear();
    BasesOf = Piece;
    Line = Remaining.take_while([&](size_t I) {
      return Axis.block(Points[I]) == Axis.block(First) &&
             Axis.piece(Points[I]) == Piece;
    });
    std::map<size_t, std::vector<ScreenedPoint>> Rows; // by number of launches
    for (size_t I : Line) {
      const SpacePoint &Point = Points[I];
      size_t Rank = Axis.rank(Point);
      auto Base = Bases.find(Rank);
      if (Base == Bases.end())
        Base = Bases.emplace(Rank, Planner.base(Point)).first;
      Expected<std::vector<BoundLaunch>> Launches =
          Planner.launches(Base->second, Point);
      std::string Why = Launches ? "" : toString(Launches.takeError());
      for (TunedGpu *Run : Gpus) {
        Run->Outcomes[I].Refusal = Why;
        TunedConfiguration &Found = Run->Outcomes[I].Found;
        Found.Screened = true;
        Found.Choice = namedChoices(Axes, Point);
        Found.RegistersPerThread =
            registersOn(Run->Gpu, Batch.Reading.Model.Res);
      }
      if (Why.empty())
        Rows[Launches->size()].push_back(
            {I, Axis.at(Point), std::move(*Launches)});
    }
    for (auto &[Launches, Same] : Rows)
      for (auto [Run, Evaluators] : zip(Gpus, With))
        screenRows(Same, *Run, *Evaluators);
    Advance(Line.size() * Gpus.size());
  }
}

} // namespace gpuestimate
