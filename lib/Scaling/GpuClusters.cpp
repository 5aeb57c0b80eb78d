#include "gpu-estimate/Scaling/GpuClusters.h"

#include "ClusterFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuestimate {

StringRef name(ScalingMethod Method) {
  static constexpr StringLiteral Names[] = {"analytic", "clusters",
                                            "correction"};
  return Names[static_cast<size_t>(Method)];
}

bool ClockPoint::isNear(ClockPoint Other) const {
  auto Near = [](double A, double B) {
    return std::fabs(A - B) <= 0.01 * std::max(A, B);
  };
  return Near(Core, Other.Core) && Near(Memory, Other.Memory);
}

ClockPoint ClusterTable::base() const {
  return {grid().CoreClocks[Clusters.Base.Core],
          grid().MemoryClocks[Clusters.Base.Memory]};
}

ClockPoint ClusterTable::nearest(ClockPoint To) const {
  auto Within = [](double Value, ArrayRef<double> Range) {
    return std::clamp(Value, Range.front(), Range.back());
  };
  return {Within(To.Core, grid().CoreClocks),
          Within(To.Memory, grid().MemoryClocks)};
}

bool ClusterTable::contains(ClockPoint Point) const {
  ClockPoint Nearest = nearest(Point);
  // Drivers round clocks to whole megahertz.
  return std::fabs(Nearest.Core - Point.Core) < 1 &&
         std::fabs(Nearest.Memory - Point.Memory) < 1;
}

GpuClusters GpuClusters::of(ArrayRef<ClusterModel> Models, StringRef Gpu,
                            FeatureKind Kind) {
  GpuClusters Result;
  StringRef Wanted = Kind == FeatureKind::Static ? "static" : "counter";
  // TABLE/KIND/PREDICTOR
  auto Split = [](const ClusterModel &Model) {
    auto [Rest, Predictor] = StringRef(Model.Name).rsplit('/');
    auto [Table, Features] = Rest.rsplit('/');
    return std::pair(Table, Features);
  };
  for (const ClusterModel &Model : Models) {
    if (Model.Gpu != Gpu || Model.Corrects || Split(Model).second != Wanted)
      continue;
    const auto *Correction = find_if(Models, [&](const ClusterModel &Other) {
      return Other.Corrects && Split(Other) == Split(Model);
    });
    if (Correction != Models.end() && !Model.LeftOut.empty() &&
        !Correction->LeftOut.empty())
      Result.Tables.push_back({Model, *Correction, Kind});
  }
  return Result;
}

Expected<GpuClusters> GpuClusters::load(StringRef Gpu, FeatureKind Kind) {
  Expected<std::vector<ClusterModel>> Models = loadClusters();
  if (!Models)
    return Models.takeError();
  return of(*Models, Gpu, Kind);
}

void GpuClusters::take(const GpuClusters &Others, ClockPoint Base) {
  for (ClusterTable &Table : Tables)
    for (const ClusterTable &Other : Others.Tables)
      if (Table.base().isNear(Base) && Other.base().isNear(Base))
        Table = Other;
}

const ClusterTable &GpuClusters::tableFor(ClockPoint Point) const {
  auto Distance = [&](const ClusterTable &Table) {
    ClockPoint Nearest = Table.nearest(Point);
    return std::fabs(std::log(Nearest.Core / Point.Core)) +
           std::fabs(std::log(Nearest.Memory / Point.Memory));
  };
  return *std::min_element(Tables.begin(), Tables.end(),
                           [&](const ClusterTable &A, const ClusterTable &B) {
                             return Distance(A) < Distance(B);
                           });
}

double GpuClusters::error(ScalingMethod Method) const {
  double Sum = 0;
  for (const ClusterTable &Table : Tables)
    Sum += Method == ScalingMethod::Analytic ? Table.Clusters.AnalyticError
           : Method == ScalingMethod::Clusters
               ? Table.Clusters.leftOutError()
               : Table.Correction.leftOutError();
  return Sum / static_cast<double>(Tables.size());
}

ScalingMethod GpuClusters::best() const {
  if (empty())
    return ScalingMethod::Analytic;
  return *std::min_element(
      std::begin(ScalingMethods), std::end(ScalingMethods),
      [&](ScalingMethod A, ScalingMethod B) { return error(A) < error(B); });
}

std::string GpuClusters::describeErrors() const {
  if (empty())
    return "there are no clusters of this GPU";
  std::string Text = "errors of kernels left out of the training:";
  raw_string_ostream OS(Text);
  const char *Separator = " ";
  for (ScalingMethod Method : ScalingMethods) {
    OS << Separator << name(Method) << format(" %.1f%%", 100 * error(Method));
    Separator = ", ";
  }
  return Text;
}

Expected<Row> featureRow(const ClusterModel &Model, const NamedFeatures &Known,
                         const Elasticities &Moves) {
  Row Features;
  for (StringRef Wanted : Model.Features) {
    if (Wanted == CoreElasticity) {
      Features.push_back(Moves.Core);
    } else if (Wanted == MemoryElasticity) {
      Features.push_back(Moves.Memory);
    } else {
      auto Found = find_if(
          Known, [&](const auto &Feature) { return Feature.first == Wanted; });
      if (Found == Known.end())
        return createStringError("the clusters '" + Model.Name +
                                 "' need the feature '" + Wanted +
                                 "', which is not known of this launch");
      Features.push_back(Found->second);
    }
  }
  return Features;
}

Expected<ClockFactors> clockFactors(const ClusterModel &Model,
                                    const NamedFeatures &Known,
                                    const Elasticities &Moves) {
  Expected<Row> Features = featureRow(Model, Known, Moves);
  if (!Features)
    return Features.takeError();
  return ClockFactors(Model.Grid, Model.values(*Features), Model.Base);
}

Expected<std::vector<std::string>> gpusWithClusters() {
  Expected<std::vector<ClusterModel>> Models = loadClusters();
  if (!Models)
    return Models.takeError();
  std::vector<std::string> Gpus;
  for (const ClusterModel &Model : *Models)
    if (!is_contained(Gpus, Model.Gpu))
      Gpus.push_back(Model.Gpu);
  return Gpus;
}

} // namespace gpuestimate
