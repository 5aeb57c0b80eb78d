#include "SurfaceEvaluator.h"

#include "gpu-estimate/Evaluate/Evaluator/LaunchAtClocks.h"
#include "gpu-estimate/Model/Machine/Configuration.h"
#include "gpu-estimate/Model/Machine/Library.h"
#include "gpu-estimate/Session/Pipeline/AnalysisLimits.h"
#include "gpu-estimate/Support/Invariants.h"
#include "gpu-estimate/Support/Numbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <numeric>

using namespace llvm;

namespace gpuestimate {

SurfaceEvaluator::SurfaceEvaluator(const KernelReading &Reading,
                                   const GpuModel &Card,
                                   ArrayRef<SpaceAxis> Axes,
                                   const GpuClusters &Clusters,
                                   const ProfiledRun *Run,
                                   const ScalingRequest &Scaling, Shard Part,
                                   SizePlace Place)
    : Reading(Reading), Card(Card), Axes(Axes),
      Options(evaluateOptions(Reading.Settings.options())),
      Copies(Reading.Model), Clusters(Clusters), Run(Run),
      Compare(Scaling.Compare), Part(Part), Place(Place),
      Inputs(Reading.Settings.launchInputs(Reading.Model)),
      Strides(Axes.size()) {
  findRoles(Inputs);
  Options.Wanted.Sensitivities = false;
  size_t Points = 1;
  for (size_t I = Axes.size(); I-- > 0;) {
    Strides[I] = Points;
    Points *= Axes[I].Values.size();
    if (Axes[I].isClock())
      ClockPoints *= Axes[I].Values.size();
  }
  Result.Points.resize(Points);
  Longest.resize(Points);
  for (const SpaceAxis &Axis : Axes)
    Result.Axes.push_back(Axis.Values);
  const KernelModel &Kernel = Reading.Model;
  Result.Kernel = Kernel.Mangled;
  Result.Name = Kernel.Name;
  Result.Location = Kernel.Location;
  Result.Gpu = Card.Id;
  Result.GpuName = Card.Name;
  Result.Model = Options.Model;
  Result.Level = Options.IntervalLevel;
  if (Options.Model == DefaultModel)
    Method = Scaling.Method.value_or(Clusters.best());
  Result.Predictor = name(Method);
  Result.PredictorReason = Scaling.Method ? "as asked for; " : "";
  Result.PredictorReason += Options.Model == DefaultModel
                                ? Clusters.describeErrors()
                                : "clusters are about the default model";
  if (Run)
    Result.PredictorReason += "; " + Run->Description;
  if (Compare)
    for (ScalingMethod Each : ScalingMethods)
      Result.Compared.push_back(
          {name(Each).str(),
           std::vector<Seconds>(Points, SurfacePoint().Time)});
}

std::vector<SurfaceEvaluator::Variant> SurfaceEvaluator::variants() const {
  std::vector<size_t> Sizes;
  for (const SpaceAxis &Axis : Axes)
    Sizes.push_back(Axis.isClock() ? 1 : Axis.Values.size());
  size_t Points = Result.Points.size(),
         First = Points * (Part.Index - 1) / Part.Count,
         End = Points * Part.Index / Part.Count;
  std::vector<Variant> Own;
  for (size_t Before = First / ClockPoints * ClockPoints; Before < End;
       Before += ClockPoints) {
    Variant &V = Own.emplace_back();
    V.Choice = indicesOf(Sizes, Before / ClockPoints);
    V.FirstPoint = std::inner_product(V.Choice.begin(), V.Choice.end(),
                                      Strides.begin(), size_t(0));
    V.FirstClock = std::max(First, Before) - Before;
    V.EndClock = std::min(End, Before + ClockPoints) - Before;
  }
  return Own;
}

Expected<GpuModel> SurfaceEvaluator::gpuOf(const Variant &V) const {
  GpuModel Gpu = Card;
  for (auto [Axis, Choice] : zip_equal(Axes, V.Choice)) {
    if (Axis.Kind == AxisKind::SmCount) {
      Configuration To;
      To.SmCount = static_cast<unsigned>(Axis.Numbers[Choice]);
      Expected<GpuModel> Changed = configured(Gpu, To);
      if (!Changed)
        return Changed;
      Gpu = std::move(*Changed);
    } else if (Axis.Kind == AxisKind::ModelValue) {
      if (Error E = setGpuValue(Gpu, Axis.Texts[Choice]))
        return E;
    }
  }
  return Gpu;
}

std::vector<BoundLaunch> SurfaceEvaluator::launchesOf(const Variant &V,
                                                      const GpuModel &Gpu) {
  LaunchInputs In = Inputs;
  In.Gpu = &Gpu;
  GivenByCommand Given;
  for (const SpaceAxis &Axis : Axes)
    Given.Block |=
        Axis.Kind == AxisKind::Block || Axis.Kind == AxisKind::BlockSize;
  for (auto [Axis, Choice] : zip_equal(Axes, V.Choice))
    if (Axis.Kind == AxisKind::Parameter)
      In.Named[Axis.Values.Name] = Axis.Numbers[Choice];
  std::vector<BoundLaunch> Launches;
  for (LaunchPlan &Plan :
       planLaunchesAt(Place, In, Reading.Sites, Given, Result.Unknown)) {
    BlockShape Block = Plan.Used.Block;
    for (auto [Axis, Choice] : zip_equal(Axes, V.Choice))
      if (Axis.Kind == AxisKind::Block)
        Block = Axis.Shapes[Choice];
      else if (Axis.Kind == AxisKind::BlockSize)
        Block[Axis.Dimension] = uint64_t(Axis.Numbers[Choice]);
    if (Block != Plan.Used.Block)
      setBlock(Plan, Block);
    // Only what is executed may have an error.
    Launches.push_back(cantFail(bind(std::move(Plan), Gpu, Copies)));
  }
  return Launches;
}

Error SurfaceEvaluator::forEachClock(
    const Variant &V, const GpuModel &Gpu,
    function_ref<Error(size_t, Hertz, std::optional<Hertz>)> Do) const {
  std::vector<size_t> Sizes;
  for (const SpaceAxis &Axis : Axes)
    Sizes.push_back(Axis.isClock() ? Axis.Values.size() : 1);
  for (size_t N = V.FirstClock; N < V.EndClock; ++N) {
    size_t Point = V.FirstPoint;
    Hertz Core = Gpu.CoreClock;
    std::optional<Hertz> Memory;
    for (auto [Axis, Value, Stride] :
         zip_equal(Axes, indicesOf(Sizes, N), Strides)) {
      Point += Value * Stride;
      if (Axis.Kind == AxisKind::CoreClock)
        Core = Hertz(Axis.Numbers[Value]);
      else if (Axis.Kind == AxisKind::MemoryClock)
        Memory = Hertz(Axis.Numbers[Value]);
    }
    if (Error E = Do(Point, Core, Memory))
      return E;
  }
  return Error::success();
}

void SurfaceEvaluator::add(size_t Point, Seconds Time,
                           std::optional<Watts> Power, StringRef Bottleneck,
                           bool IsFirst) {
  SurfacePoint &P = Result.Points[Point];
  double Energy = Power ? (*Power * Time).value()
                        : std::numeric_limits<double>::quiet_NaN();
  if (!IsFirst)
    Energy += P.joules();
  P.Time = IsFirst ? Time : P.Time + Time;
  P.Watts = Energy / P.Time.value();
  if (!IsFirst && Time <= Longest[Point])
    return;
  Longest[Point] = Time;
  auto [Known, IsNew] =
      BottleneckNumbers.try_emplace(Bottleneck, Result.Bottlenecks.size());
  if (IsNew)
    Result.Bottlenecks.push_back(Bottleneck.str());
  P.Bottleneck = Known->second;
}

void SurfaceEvaluator::addCompared(size_t Point, const ScaledTimes &Times,
                                   bool IsFirst) {
  for (auto [Method, Column] : zip_equal(ScalingMethods, Result.Compared)) {
    Seconds &Sum = Column.second[Point];
    Sum = IsFirst ? Times.by(Method) : Sum + Times.by(Method);
  }
}

Error SurfaceEvaluator::addAtClocks(const Variant &V, LaunchEvaluators &On,
                                    const BoundLaunch &L, bool IsFirst) {
  KernelEvaluator &By = On.of(L);
  Expected<LaunchAtClocks> Launch = By.atClocks(L.Plan.Used, L.Plan.Values);
  if (!Launch)
    return Launch.takeError();
  bool Scales = Compare || Method != ScalingMethod::Analytic;
  LaunchScaling Scaling(Clusters, By, *Launch, L.Plan, Options,
                        Run ? Run->Counters : NamedFeatures());
  auto TimesAt = [&](Hertz Core, std::optional<Hertz> Memory,
                     Seconds Analytic) -> Expected<ScaledTimes> {
    if (Scales)
      return Scaling.at(Core, Memory, Analytic);
    return ScaledTimes{Analytic, Analytic, Analytic};
  };
  std::optional<ScaledTimes> AtRun;
  if (Run) {
    Expected<ClockedPrediction> P = Launch->at(Run->Core, Run->Memory);
    if (!P)
      return P.takeError();
    Expected<ScaledTimes> Times = TimesAt(Run->Core, Run->Memory, P->Time);
    if (!Times)
      return Times.takeError();
    AtRun = *Times;
  }
  return forEachClock(
      V, By.gpu(),
      [&](size_t Point, Hertz Core, std::optional<Hertz> Memory) -> Error {
        Expected<ClockedPrediction> P = Launch->at(Core, Memory);
        if (!P)
          return P.takeError();
        Expected<ScaledTimes> Times = TimesAt(Core, Memory, P->Time);
        if (!Times)
          return Times.takeError();
        if (AtRun)
          *Times = Times->through(Run->Time, *AtRun);
        add(Point, Times->by(Method), P->Power, P->Bottleneck, IsFirst);
        if (Compare)
          addCompared(Point, *Times, IsFirst);
        return Error::success();
      });
}

Error SurfaceEvaluator::addPredicted(const Variant &V, const GpuModel &Gpu,
                                     const BoundLaunch &L, bool IsFirst) {
  return forEachClock(
      V, Gpu,
      [&](size_t Point, Hertz Core, std::optional<Hertz> Memory) -> Error {
        Expected<GpuModel> Clocked =
            configured(Gpu, {std::nullopt, Core, Memory});
        if (!Clocked)
          return Clocked.takeError();
        LaunchEvaluators On(*Clocked, Options);
        Expected<Prediction> P = predict(L, On);
        if (!P)
          return P.takeError();
        add(Point, P->Time, P->Power.Board, P->Bottleneck, IsFirst);
        return Error::success();
      });
}

Error SurfaceEvaluator::addLaunch(const Variant &V, LaunchEvaluators &On,
                                  const BoundLaunch &L, bool IsFirst) {
  return Options.Model == DefaultModel ? addAtClocks(V, On, L, IsFirst)
                                       : addPredicted(V, On.gpu(), L, IsFirst);
}

void SurfaceEvaluator::refuse(const Variant &V, Error Why) {
  std::string Reason = toString(std::move(Why));
  cantFail(
      forEachClock(V, Card, [&](size_t Point, Hertz, std::optional<Hertz>) {
        Result.Points[Point] = SurfacePoint();
        for (auto &[Name, Times] : Result.Compared)
          Times[Point] = SurfacePoint().Time;
        return Error::success();
      }));
  addRefusal(Result.Refused, Reason, V.EndClock - V.FirstClock,
             SameReason::Equal);
}

void SurfaceEvaluator::describeAsIs() {
  Variant First;
  First.Choice.resize(Axes.size());
  std::vector<BoundLaunch> Launches = launchesOf(First, Card);
  Result.Launches = std::max<size_t>(1, Launches.size());
  EvaluateOptions WithInterval = evaluateOptions(Reading.Settings.options());
  WithInterval.MaxSensitivityWork =
      whatIfWork(/*CompileWaits=*/false, /*Kernels=*/1, Launches.size());
  LaunchEvaluators On(Card, std::move(WithInterval));
  for (const BoundLaunch &L : Launches) {
    Expected<Prediction> P = predict(L, On);
    if (!P) {
      consumeError(P.takeError()); // told for the points
      Result.AsIs = LaunchTotal();
      return;
    }
    Result.AsIs.add(*P);
    if (!P->Power.Board && !is_contained(Result.Notes, P->Power.Missing))
      Result.Notes.push_back(P->Power.Missing);
    for (const std::string &Value : P->WhatIf)
      if (!is_contained(Result.WhatIf, Value))
        Result.WhatIf.push_back(Value);
  }
  // The error of a size that is not known is not known either.
  if (!Result.Unknown.empty())
    Result.AsIs.IntervalMs.reset();
}

void SurfaceEvaluator::describeGrids() {
  constexpr size_t MostNamed = 4;
  std::vector<size_t> Sizes;
  size_t Blocks = 1;
  for (const SpaceAxis &Axis : Axes) {
    bool IsOfBlock =
        Axis.Kind == AxisKind::Block || Axis.Kind == AxisKind::BlockSize;
    Sizes.push_back(IsOfBlock ? Axis.Values.size() : 1);
    Blocks *= Sizes.back();
  }
  if (Blocks == 1)
    return;
  size_t Step = Blocks <= MostNamed ? 1 : Blocks - 1; // else both ends
  std::vector<std::string> Grids, Named;
  for (size_t I = 0; I < Blocks; I += Step) {
    Variant V;
    V.Choice = indicesOf(Sizes, I);
    std::vector<BoundLaunch> Launches = launchesOf(V, Card);
    if (Launches.empty())
      return;
    const auto &First = Launches.front().Plan.Used;
    Grids.push_back(formatSizes(First.Grid));
    Named.push_back(Grids.back() + " with block " + formatSizes(First.Block));
  }
  if (all_equal(Grids))
    Result.Grids = Grids.front() + " with each block (a row or tile for each)";
  else
    Result.Grids = join(Named, Step == 1 ? ", " : " to ");
}

Error SurfaceEvaluator::checkConfigurations() {
  for (const SpaceAxis &Axis : Axes)
    for (double Number : Axis.Numbers) {
      Configuration To;
      if (Axis.Kind == AxisKind::SmCount)
        To.SmCount = static_cast<unsigned>(Number);
      else if (Axis.Kind == AxisKind::CoreClock)
        To.CoreClock = Hertz(Number);
      else if (Axis.Kind == AxisKind::MemoryClock)
        To.MemoryClock = Hertz(Number);
      else
        break;
      Expected<GpuModel> Possible = configured(Card, To);
      if (!Possible)
        return make_error<UsageError>("--vary " +
                                      toString(Possible.takeError()));
      for (std::string &Note : extrapolations(Card, To))
        if (!is_contained(Result.Notes, Note))
          Result.Notes.push_back(std::move(Note));
    }
  return Error::success();
}

void SurfaceEvaluator::addVariant(const Variant &V, LaunchEvaluators &On) {
  bool IsFirst = true;
  for (const BoundLaunch &L : launchesOf(V, On.gpu())) {
    if (Error E = addLaunch(V, On, L, IsFirst))
      return refuse(V, std::move(E));
    IsFirst = false;
  }
}

Expected<Surface> SurfaceEvaluator::run() {
  // Clocks are refused before anything is evaluated.
  if (Error E = checkConfigurations())
    return std::move(E);
  // Neighbours that differ in the launch alone share the GPU's evaluators.
  std::optional<GpuModel> Gpu;
  std::optional<LaunchEvaluators> On;
  std::vector<size_t> GpuChoice;
  for (const Variant &V : variants()) {
    std::vector<size_t> Choice;
    for (auto [Axis, Value] : zip_equal(Axes, V.Choice))
      if (Axis.isOfGpu())
        Choice.push_back(Value);
    if (!On || Choice != GpuChoice) {
      On.reset();
      Expected<GpuModel> Varied = gpuOf(V);
      if (!Varied)
        return make_error<UsageError>("--vary " + toString(Varied.takeError()));
      Gpu = std::move(*Varied);
      On.emplace(*Gpu, Options);
      GpuChoice = std::move(Choice);
    }
    addVariant(V, *On);
  }
  describeAsIs();
  describeGrids();
  if (Compare || Method != ScalingMethod::Analytic)
    noteExtrapolations();
  atBorder("surface of '" + Result.Name + "' on " + Result.Gpu,
           [&] { return checkSurface(Result, /*All=*/Part.Count == 1); });
  return std::move(Result);
}

void SurfaceEvaluator::noteExtrapolations() {
  auto Note = [&](const Twine &Text) {
    if (!is_contained(Result.Notes, Text.str()))
      Result.Notes.push_back(Text.str());
  };
  for (const Variant &V : variants()) {
    Expected<GpuModel> Gpu = gpuOf(V);
    if (!Gpu) {
      consumeError(Gpu.takeError());
      continue;
    }
    cantFail(forEachClock(
        V, *Gpu, [&](size_t, Hertz Core, std::optional<Hertz> Memory) {
          ClockPoint Point = clockPoint(*Gpu, Core, Memory);
          const ClusterTable &Table = Clusters.tableFor(Point);
          if (!Table.contains(Point))
            Note("clocks outside of the " + describeRange(Table) +
                 " of the clusters: the analytic model goes on from there");
          if (!is_contained(Table.grid().SmCounts, Gpu->SmCount))
            Note("sm_count " + Twine(Gpu->SmCount) +
                 ": the clusters were measured at " +
                 Twine(static_cast<unsigned>(Table.grid().SmCounts.back())));
          return Error::success();
        }));
  }
  for (const std::string &Value : Result.WhatIf)
    Note("the clusters were measured on the card without " + Value);
}

} // namespace gpuestimate
