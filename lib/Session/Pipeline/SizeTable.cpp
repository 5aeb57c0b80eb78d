#include "SizeTable.h"

#include "gpu-estimate/Evaluate/Uncertainty/CombineEffects.h"
#include "gpu-estimate/Session/Pipeline/LaunchPipeline.h"
#include "gpu-estimate/Support/Format.h"
#include "gpu-estimate/Support/Numbers.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

namespace {

/// |d ln time / d ln size| below which a size does not matter, and the share of
/// the largest that a size which scales the grid needs to be preferred.
constexpr double LeastSensitivity = 0.05, Preferred = 0.8;
/// A table ends before a launch that takes longer, if it has three points.
constexpr Seconds LongestTime(10);
constexpr double LineDeviation = 0.1;
/// Usual sizes together make no longer launch, as far as so many steps lead
/// there.
constexpr Seconds LongestUsual(0.1);
constexpr unsigned MaxScalings = 8;

class TableMaker {
public:
  TableMaker(const LaunchPlan &Plan, KernelCopies &Copies, LaunchEvaluators &On)
      : Sizes(Plan), Copies(Copies), On(On) {}

  std::optional<SizeTable> make();

private:
  BoundLaunch launch(ArrayRef<double> Values) const {
    return cantFail(bind(Sizes.plan(Values), On.gpu(), Copies));
  }
  std::optional<Seconds> whatIf(ArrayRef<double> Values);
  void useFeasibleValues();
  /// The size that the table runs over.
  std::optional<size_t> choose();
  void addPoints(SizeCurve &Curve);
  void addFarEnd(SizeCurve &Curve);
  void addWords(SizeCurve &Curve) const;
  std::vector<double> with(double Value) const {
    std::vector<double> Values = Usual;
    Values[Chosen] = Value;
    return Values;
  }

  UnknownSizes Sizes;
  KernelCopies &Copies;
  LaunchEvaluators &On;
  std::vector<double> Usual;
  size_t Chosen = 0;
};

} // namespace

std::optional<Seconds> TableMaker::whatIf(ArrayRef<double> Values) {
  BoundLaunch L = launch(Values);
  return On.of(L).whatIfTime(L.Plan.Used, L.Plan.Values);
}

/// Whether a size is unknown whatever its effect.
static bool isLaunch(const UnknownSize &Size) {
  return Size.Kind != UnknownSize::Parameter;
}

/// Many sizes that multiply the work may make it endless, and `n / 256` blocks
/// are none where n is small.
void TableMaker::useFeasibleValues() {
  constexpr double Step = 4;
  bool HasGrown = false;
  for (unsigned I = 0; I < MaxScalings; ++I) {
    Usual = Sizes.usualValues();
    std::optional<Seconds> Time = whatIf(Usual);
    if (workExhausted() || (Time && (HasGrown || *Time < LongestUsual)))
      break;
    bool IsTooSmall = !Time && Sizes.plan(Usual).Used.blocks() == 0;
    HasGrown |= IsTooSmall;
    Sizes.scale(IsTooSmall ? Step : 1 / Step);
  }
  Usual = Sizes.usualValues();
}

std::optional<size_t> TableMaker::choose() {
  ArrayRef<UnknownSize> All = Sizes.sizes();
  useFeasibleValues();
  if (All.size() == 1 && isLaunch(All.front()))
    return 0;
  std::vector<double> Effects(All.size());
  for (size_t I = 0; I < All.size(); ++I) {
    // From the usual value to the largest: small launches hide everything.
    auto Time = [&](double Value) {
      std::vector<double> Values = Usual;
      Values[I] = Value;
      return whatIf(Values);
    };
    double Low = All[I].Usual, High = All[I].TableValues.back();
    if (High <= Low)
      Low = All[I].TableValues.front();
    std::optional<Seconds> There = Time(High), Here = Time(Low);
    if (There && Here && Here->value() > 0 && There->value() > 0)
      Effects[I] = std::fabs(std::log(*There / *Here) / std::log(High / Low));
  }
  double Largest = *max_element(Effects);
  bool IsLaunchKnown =
      none_of(All, isLaunch) &&
      none_of(All, [](const UnknownSize &Size) { return Size.ScalesGrid; });
  if (Largest < LeastSensitivity && IsLaunchKnown)
    return std::nullopt;
  for (size_t I = 0; I < All.size(); ++I)
    if (All[I].ScalesGrid && Effects[I] >= Preferred * Largest)
      return I;
  return static_cast<size_t>(max_element(Effects) - Effects.begin());
}

void TableMaker::addPoints(SizeCurve &Curve) {
  constexpr size_t Enough = 3;
  EvaluateOptions Options = On.options();
  Options.Wanted = {.Sensitivities = false};
  LaunchEvaluators Quick(On.gpu(), std::move(Options), On.overrides());
  for (double Value : Sizes.sizes()[Chosen].TableValues) {
    BoundLaunch L = launch(with(Value));
    Expected<Prediction> P = Quick.of(L).evaluate(L.Plan.Used, L.Plan.Values);
    if (!P) { // more blocks than a grid may have, or work has ended
      consumeError(P.takeError());
      continue;
    }
    if (P->Time > LongestTime && Curve.Points.size() >= Enough)
      break;
    Curve.Points.push_back({Value, P->Time, P->Bottleneck, L.Plan.Used.Grid,
                            L.Plan.Used.Block, P->Error});
  }
}

void TableMaker::addFarEnd(SizeCurve &Curve) {
  double End = Curve.last().Value;
  if (Sizes.sizes()[Chosen].Kind == UnknownSize::BlockThreads ||
      Curve.Points.size() < 3)
    return;
  std::optional<Seconds> Quarter, Half, Whole;
  // Beyond the table, where no cache holds the data, or at its end where such
  // launches are impossible.
  for (double Last : {4 * End, End}) {
    Quarter = whatIf(with(Last / 4));
    Half = whatIf(with(Last / 2));
    Whole = whatIf(with(Last));
    if (!Quarter || !Half || !Whole)
      continue;
    End = Last;
    break;
  }
  if (!Quarter || !Half || !Whole || workExhausted())
    return;
  Curve.Exponent = std::log2(*Whole / *Half);
  SizeCurve::Line Line;
  Line.PerUnit = (*Whole - *Half) / (End / 2);
  Line.Fixed = std::max(Seconds(), *Whole - Line.PerUnit * End);
  auto IsOnLine = [&](Seconds Time, double Value) {
    Seconds Expected = Line.Fixed + Line.PerUnit * Value;
    return std::fabs(Time / Expected - 1) <= LineDeviation;
  };
  // What does not grow has no time for each unit.
  if (*Curve.Exponent < LeastSensitivity || !IsOnLine(*Quarter, End / 4) ||
      !IsOnLine(*Half, End / 2))
    return;
  Curve.FarEnd = Line;
  double Crossover = Curve.Points.front().Time / Line.PerUnit;
  if (Crossover > Curve.Points.front().Value && Crossover < Curve.last().Value)
    Curve.Crossover = Crossover;
}

/// The comment that says the same as options.
static std::string annotation(StringRef Options) {
  std::string Text = "// gpu-estimate:";
  StringRef Rest = Options;
  while (!Rest.empty()) {
    auto [Option, More] = Rest.split(' ');
    auto [Value, Next] = More.split(' ');
    Option.consume_front("--");
    Text += (" " + Option + (Option == "param" ? " " : "=") + Value).str();
    Rest = Next;
  }
  return Text;
}

void TableMaker::addWords(SizeCurve &Curve) const {
  const UnknownSize &Over = Sizes.sizes()[Chosen];
  Curve.Unknown = Over.Name;
  Curve.Why = Over.Why;
  if (Sizes.openBlock()) {
    Curve.Others.push_back({"block", formatSizes(*Sizes.openBlock())});
    Curve.Settle = Sizes.settleBlock() + " ";
  }
  Curve.Settle += Over.Settle;
  for (size_t I = 0; I < Usual.size(); ++I) {
    const UnknownSize &Size = Sizes.sizes()[I];
    if (I == Chosen)
      continue;
    Curve.Others.push_back({Size.Name, formatNumber(Usual[I])});
    Curve.Settle += " " + Size.Settle;
  }
  Curve.Annotation = annotation(Curve.Settle);
}

std::optional<SizeTable> TableMaker::make() {
  if (Sizes.sizes().empty())
    return std::nullopt;
  std::optional<size_t> Size = choose();
  if (!Size)
    return std::nullopt;
  Chosen = *Size;
  SizeTable Table;
  addPoints(Table.Curve);
  if (Table.Curve.Points.empty())
    return std::nullopt;
  addFarEnd(Table.Curve);
  addWords(Table.Curve);
  Table.Shown = Sizes.plan(with(Table.Curve.last().Value));
  return Table;
}

void addIntervals(SizeCurve &Curve, const Prediction &Last) {
  if (!Last.Interval)
    return;
  for (SizeCurve::Point &Point : Curve.Points) {
    if (!Point.Error)
      continue;
    Prediction There;
    There.Bottleneck = Point.Bottleneck;
    There.Error = Point.Error;
    There.Assumptions = Last.Assumptions;
    There.Interval = TimeInterval{Last.Interval->Level, {}, {}};
    combineEffects(There);
    Point.Interval = There.Interval;
    // Assumptions are about the execution, not about what a launch costs.
    double Launch = std::min(1.0, Last.LaunchOverhead / Point.Time);
    for (double TimeFactors::*End : {&TimeFactors::Low, &TimeFactors::High}) {
      double &Factor = Point.Interval->Inputs.*End;
      Factor = Launch + (1 - Launch) * Factor;
    }
  }
}

std::string whyNoLaunch(const LaunchPlan &Plan) {
  UnknownSizes Sizes(Plan);
  std::string Names, Settle, Why;
  for (const UnknownSize &Size : Sizes.sizes())
    if (isLaunch(Size) || Size.ScalesGrid) {
      Names += (Names.empty() ? "" : ", ") + Size.Name;
      Settle += " " + Size.Settle;
      Why = Size.Why;
    }
  if (Names.empty())
    return "";
  return "its launch depends on " + Names + ", which is not known (" + Why +
         "); settle with" +
         (Sizes.openBlock() ? " " + Sizes.settleBlock() : "") + Settle;
}

std::string whyNoTime(const LaunchPlan &Plan, KernelCopies &Copies,
                      LaunchEvaluators &On) {
  if (std::optional<SizeTable> Table = sizeTable(Plan, Copies, On))
    return whyNoTime(Table->Curve);
  return whyNoLaunch(Plan);
}

std::optional<SizeTable> sizeTable(const LaunchPlan &Plan, KernelCopies &Copies,
                                   LaunchEvaluators &On) {
  if (!Plan.From)
    return std::nullopt;
  return TableMaker(Plan, Copies, On).make();
}

} // namespace gpuestimate
