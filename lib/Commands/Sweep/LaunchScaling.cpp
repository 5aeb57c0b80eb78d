#include "LaunchScaling.h"

#include "gpu-estimate/Model/Machine/Configuration.h"
#include "gpu-estimate/Support/Numbers.h"

using namespace llvm;

namespace gpuestimate {

ClockPoint clockPoint(const GpuModel &Gpu, Hertz Core,
                      std::optional<Hertz> Memory) {
  if (!Memory)
    Memory = memoryClock(Gpu);
  return {Core.value() * 1e-6, Memory ? Memory->value() * 1e-6 : 0};
}

static std::string range(ArrayRef<double> Clocks) {
  std::string Text;
  if (Clocks.size() > 1)
    Text = formatNumber(Clocks.front()) + " to ";
  return Text + formatNumber(Clocks.back()) + " MHz";
}

std::string describeRange(const ClusterTable &Table) {
  return range(Table.grid().CoreClocks) + " of core clock at " +
         range(Table.grid().MemoryClocks) + " of memory clock";
}

LaunchScaling::LaunchScaling(const GpuClusters &Clusters, KernelEvaluator &By,
                             LaunchAtClocks &Launch, const LaunchPlan &Plan,
                             const EvaluateOptions &Options,
                             NamedFeatures Counters)
    : Clusters(Clusters), By(By), Launch(Launch), Plan(Plan), Options(Options),
      Counters(std::move(Counters)) {}

static Hertz megahertz(double Clock) { return Hertz(Clock * 1e6); }

Expected<Seconds> LaunchScaling::analytic(ClockPoint Point) {
  Expected<ClockedPrediction> P =
      Launch.at(megahertz(Point.Core), megahertz(Point.Memory));
  if (!P)
    return P.takeError();
  return P->Time;
}

Expected<const LaunchScaling::AtTable *>
LaunchScaling::atTable(const ClusterTable &Table) {
  auto Found = Known.find(&Table);
  if (Found != Known.end())
    return &Found->second;
  ClockPoint Base = Table.base();
  Expected<GpuModel> Gpu = hypothetical(
      By.gpu(), {std::nullopt, megahertz(Base.Core), megahertz(Base.Memory)});
  if (!Gpu)
    return Gpu.takeError();
  ConfigurationGrid Grid = Table.grid();
  Grid.SmCounts = {static_cast<double>(Gpu->SmCount)};
  GridPoint BasePoint = Table.Clusters.Base;
  BasePoint.Sm = 0;
  std::vector<double> Times;
  for (double Core : Grid.CoreClocks)
    for (double Memory : Grid.MemoryClocks) {
      Expected<Seconds> Time = analytic({Core, Memory});
      if (!Time)
        return Time.takeError();
      Times.push_back(Time->value());
    }
  Elasticities Moves = elasticities(Grid, Times, BasePoint);
  NamedFeatures Features = Counters;
  if (Table.Kind == FeatureKind::Static) {
    KernelEvaluator AtBase(By.kernel(), *Gpu, Options);
    Expected<Prediction> P = AtBase.evaluate(Plan.Used, Plan.Values);
    if (!P)
      return P.takeError();
    Features = staticFeatures(*P, *Gpu);
  }
  Expected<ClockFactors> Scaling =
      clockFactors(Table.Clusters, Features, Moves);
  if (!Scaling)
    return Scaling.takeError();
  Expected<ClockFactors> Correction =
      clockFactors(Table.Correction, Features, Moves);
  if (!Correction)
    return Correction.takeError();
  Seconds BaseTime(Times[indexOf(Grid, BasePoint)]);
  return &Known
              .emplace(&Table, AtTable{BaseTime, std::move(*Scaling),
                                       std::move(*Correction)})
              .first->second;
}

Expected<ScaledTimes> LaunchScaling::at(Hertz Core, std::optional<Hertz> Memory,
                                        Seconds Analytic) {
  ClockPoint Point = clockPoint(By.gpu(), Core, Memory);
  const ClusterTable &Table = Clusters.tableFor(Point);
  Expected<const AtTable *> Here = atTable(Table);
  if (!Here)
    return Here.takeError();
  ClockPoint Nearest = Table.nearest(Point);
  double Beyond = 1;
  if (!Table.contains(Point)) {
    Expected<Seconds> AtNearest = analytic(Nearest);
    if (!AtNearest)
      return AtNearest.takeError();
    Beyond = Analytic / *AtNearest;
  }
  return ScaledTimes{
      Analytic,
      (*Here)->Base *
          ((*Here)->Clusters.at(Nearest.Core, Nearest.Memory) * Beyond),
      Analytic * (*Here)->Correction.at(Nearest.Core, Nearest.Memory)};
}

} // namespace gpuestimate
