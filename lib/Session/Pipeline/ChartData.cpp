#include "ChartData.h"

#include "gpu-estimate/Support/Numbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <set>

using namespace llvm;

namespace gpuestimate {
namespace {

/// Larger kernels get charts of fewer points: one evaluation of thousands of
/// operations takes a tenth of a second or more.
constexpr size_t LargeKernel = 1500;
constexpr unsigned MaxCurves = 4;

class ChartMaker {
public:
  explicit ChartMaker(const ChartRequest &R)
      : R(R), Kernel(*R.Launch.Kernel), Shown(R.Launch.Plan),
        IsLarge(Kernel.Operations.size() > LargeKernel),
        On(R.Gpu, quickly(R.Options)) {}

  void parameters(EstimateCharts &Into, const Prediction &P);
  void blocks(EstimateCharts &Into);

private:
  static EvaluateOptions quickly(EvaluateOptions Options) {
    Options.Wanted.Sensitivities = false;
    return Options;
  }
  std::optional<CurvePoint> point(LaunchPlan Plan);
  std::optional<Curve> curve(StringRef Name, double Used, double Max);
  std::optional<CurvePoint> parameter(StringRef Name, double Value,
                                      bool &LaunchFollows);
  std::optional<CurvePoint> block(const std::array<uint64_t, 3> &Shape);

  const ChartRequest &R;
  const KernelModel &Kernel;
  const LaunchPlan &Shown; ///< of the charts
  bool IsLarge;
  LaunchEvaluators On;
};

} // namespace

std::optional<CurvePoint> ChartMaker::point(LaunchPlan Plan) {
  BoundLaunch There;
  if (R.Launch.Executed) { // warps of other launches are not executed
    There = R.Launch;
    There.Plan = std::move(Plan);
  } else {
    There = cantFail(bind(std::move(Plan), R.Gpu, R.Copies));
  }
  Expected<Prediction> P = predict(There, On);
  if (!P) { // an impossible launch, or a model that refuses
    consumeError(P.takeError());
    return std::nullopt;
  }
  CurvePoint Point;
  Point.Time = P->Time;
  Point.Bottleneck = P->Bottleneck;
  Point.Error = P->Error;
  Roofline Roofs = roofline(*P, *There.Kernel, R.Gpu);
  Point.Rate = Roofs.Rate;
  Point.Levels = std::move(Roofs.Points);
  return Point;
}

std::optional<CurvePoint> ChartMaker::parameter(StringRef Name, double Value,
                                                bool &LaunchFollows) {
  LaunchInputs In = *Shown.From;
  In.Named[Name] = Value;
  LaunchPlan Plan = planLaunch(std::move(In));
  LaunchFollows |=
      Plan.Used.Grid != Shown.Used.Grid || Plan.Used.Block != Shown.Used.Block;
  std::optional<CurvePoint> Point = point(std::move(Plan));
  if (Point) {
    Point->At = Value;
    Point->Label = (Name + " = " + formatNumber(Value)).str();
  }
  return Point;
}

std::optional<Curve> ChartMaker::curve(StringRef Name, double Used,
                                       double Max) {
  bool IsWhole = std::floor(Used) == Used && Used >= 1 && Max > 1;
  // A 64th to 64 times the value, in steps of two (four).
  constexpr int Octaves = 6;
  std::vector<double> Values;
  for (int I = -Octaves; I <= Octaves; I += IsLarge ? 3 : 1) {
    double Value = Used * std::exp2(I);
    if (IsWhole)
      Value = std::floor(Value);
    if (Value > 0 && Value <= Max && (Values.empty() || Values.back() < Value))
      Values.push_back(Value);
  }
  if (Values.size() < 3)
    return std::nullopt;
  Curve C;
  C.Parameter = Name.str();
  // Most names decide nothing; the ends tell.
  auto First = parameter(Name, Values.front(), C.LaunchFollows);
  auto Last = parameter(Name, Values.back(), C.LaunchFollows);
  if (First && Last && std::fabs(std::log(First->Time / Last->Time)) < 0.01)
    return std::nullopt;
  for (double Value : Values)
    if (auto Point = Value == Values.front() ? First
                     : Value == Values.back()
                         ? Last
                         : parameter(Name, Value, C.LaunchFollows)) {
      Point->IsUsed = Value == Used;
      C.Points.push_back(std::move(*Point));
    }
  if (C.Points.size() < 3)
    return std::nullopt;
  return C;
}

void ChartMaker::parameters(EstimateCharts &Into, const Prediction &P) {
  struct Candidate {
    std::string Name;
    double Used, Max;
  };
  std::vector<Candidate> Candidates;
  auto Add = [&](StringRef Name, double Used, double Max) {
    if (Used > 0 &&
        none_of(Candidates, [&](const Candidate &C) { return C.Name == Name; }))
      Candidates.push_back({Name.str(), Used, Max});
  };
  for (const LaunchGuess &G : Shown.Guesses)
    if (!isLaunchSize(G.Key) && G.Key != "dynamic-smem" && G.Elements.empty())
      Add(G.Key, G.Stated.Value, INFINITY);
  for (const auto &[Name, Value] : P.Arguments)
    for (const KernelArgument &A : Kernel.Arguments)
      if (A.Name == Name && A.Kind == KernelArgument::Integer)
        Add(Name, Value, INFINITY);
  for (const Unknown &U : Kernel.Unknowns) {
    bool IsChance = U.Kind == Unknown::BranchProbability;
    auto Bound = Shown.Values.find(U.Name);
    double Used = Bound == Shown.Values.end() ? U.Default : Bound->getValue();
    if (IsChance || U.Kind == Unknown::TripCount)
      Add(U.Name, Used, IsChance ? 1 : INFINITY);
  }
  for (const Candidate &C : Candidates)
    if (Into.ByParameter.size() < MaxCurves)
      if (std::optional<Curve> Found = curve(C.Name, C.Used, C.Max))
        Into.ByParameter.push_back(std::move(*Found));
}

std::optional<CurvePoint>
ChartMaker::block(const std::array<uint64_t, 3> &Shape) {
  LaunchPlan Plan = Shown;
  if (Kernel.parallelLoops().empty())
    setBlock(Plan, Shape);
  else // a loop nest's grid follows its block
    Plan = planWithBlock(Shown, Shape, "chart");
  const Launch There = Plan.Used;
  std::optional<CurvePoint> Point = point(std::move(Plan));
  if (Point) {
    Point->At = static_cast<double>(There.threadsPerBlock());
    Point->Label = formatSizes(Shape);
    Point->IsUsed = Shape == Shown.Used.Block;
  }
  return Point;
}

void ChartMaker::blocks(EstimateCharts &Into) {
  const std::array<uint64_t, 3> &Used = Shown.Used.Block;
  if (Kernel.Res.StaticSharedBytes > 0 && Kernel.parallelLoops().empty()) {
    Into.NoBlocks = "the source fixes the shape of a block: it declares " +
                    std::to_string(Kernel.Res.StaticSharedBytes) +
                    " bytes of shared memory for it";
    return;
  }
  std::set<std::array<uint64_t, 3>> Shapes = {Used};
  if (Used[1] * Used[2] == 1)
    for (uint64_t X = 32; X <= 1024; X *= IsLarge ? 4 : 2)
      Shapes.insert({X, 1, 1});
  else
    for (uint64_t X : {8, 16, 32, 64, 128})
      for (uint64_t Threads : {64, 128, 256, 512, 1024})
        if (Threads % (X * Used[2]) == 0 && Threads / (X * Used[2]) <= X &&
            (!IsLarge || X == 32))
          Shapes.insert({X, Threads / (X * Used[2]), Used[2]});
  for (const auto &Shape : Shapes)
    if (std::optional<CurvePoint> Point = block(Shape))
      Into.ByBlock.push_back(std::move(*Point));
  stable_sort(Into.ByBlock, [](const CurvePoint &A, const CurvePoint &B) {
    return A.At < B.At;
  });
}

std::shared_ptr<const EstimateCharts> makeCharts(const ChartRequest &R,
                                                 const ExplainedPrediction &E) {
  auto Charts = std::make_shared<EstimateCharts>();
  const KernelModel &Kernel = *R.Launch.Kernel;
  const LaunchPlan &Plan = R.Launch.Plan;
  ChartInputs In{Kernel, R.Gpu, Plan.Used, Plan.Values, R.Options};
  Charts->Roofs = roofline(E.Estimate, Kernel, R.Gpu);
  Charts->Floor = rooflineFloor(In);
  Charts->ByOccupancy = stacksByOccupancy(In);
  Charts->ByWarps = stacksByWarps(In);
  ChartMaker Maker(R);
  Maker.parameters(*Charts, E.Estimate);
  Maker.blocks(*Charts);
  Charts->ByGpu =
      rowsByGpu(In, R.Gpus, [&](const GpuModel &Gpu) -> LaunchWithArguments {
        if (!Plan.site() || !followDevice(Plan.site()))
          return Plan;
        LaunchInputs There = *Plan.From;
        There.Gpu = &Gpu;
        return planLaunch(std::move(There));
      });
  Charts->Source = sourceExcerpts(E, R.Asked);
  return Charts;
}

} // namespace gpuestimate
