#include "ScalingCases.h"

#include "gpu-estimate/Evaluate/Models/Models.h"
#include "gpu-estimate/Scaling/GpuClusters.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

/// The cases that share a base point, it included.
using CasesOfBase = std::vector<const CaseResult *>;

static ClockPoint clockPoint(const CaseResult &C) {
  return {C.Configuration.CoreMhz, C.Configuration.MemoryMhz};
}

/// d ln(predicted time) / d ln(1 / clock) between the ends of one clock, at the
/// base value of the other one.
static double elasticity(const CasesOfBase &Cases, const CaseResult &Base,
                         double ClockPoint::*Moving,
                         double ClockPoint::*Fixed) {
  const CaseResult *Low = &Base, *High = &Base;
  for (const CaseResult *C : Cases) {
    if (clockPoint(*C).*Fixed != clockPoint(Base).*Fixed)
      continue;
    if (clockPoint(*C).*Moving < clockPoint(*Low).*Moving)
      Low = C;
    if (clockPoint(*C).*Moving > clockPoint(*High).*Moving)
      High = C;
  }
  double Clocks =
      std::log(clockPoint(*High).*Moving / clockPoint(*Low).*Moving);
  return Clocks > 0 ? std::log(Low->PredictedMs / High->PredictedMs) / Clocks
                    : 0;
}

/// The error of the training that left the kernel of Base out, if there was
/// one.
static std::optional<double> leftOutError(const ClusterModel &Model,
                                          const CaseResult &Base) {
  if (!is_contained(Model.Record, std::pair<std::string, std::string>(
                                      "dataset", Base.Dataset)))
    return std::nullopt;
  for (const auto &[Kernel, Error] : Model.LeftOut)
    if (Kernel == Base.Kernel)
      return Error;
  return std::nullopt;
}

static Expected<std::optional<ScalingErrors>>
scalingErrors(const CasesOfBase &Cases, const CaseResult &Base,
              const GpuClusters &Clusters) {
  const ClusterTable &Table = Clusters.tableFor(clockPoint(Base));
  ScalingErrors Result{Base.Dataset, Base.Gpu, Base.Kernel,
                       join(Base.Overrides, " ")};
  if (auto Scaling = leftOutError(Table.Clusters, Base),
      Correction = leftOutError(Table.Correction, Base);
      Scaling && Correction) {
    Result.Cases = Cases.size() - 1;
    Result.Clusters = *Scaling;
    Result.Correction = *Correction;
    return Result;
  }
  Elasticities Moves = {
      elasticity(Cases, Base, &ClockPoint::Core, &ClockPoint::Memory),
      elasticity(Cases, Base, &ClockPoint::Memory, &ClockPoint::Core)};
  Expected<ClockFactors> Scaling =
      clockFactors(Table.Clusters, Base.StaticFeatures, Moves);
  if (!Scaling)
    return Scaling.takeError();
  Expected<ClockFactors> Correction =
      clockFactors(Table.Correction, Base.StaticFeatures, Moves);
  if (!Correction)
    return Correction.takeError();
  auto Factor = [&](const ClockFactors &Of, const CaseResult &C) {
    return Of.at(clockPoint(C).Core, clockPoint(C).Memory) /
           Of.at(clockPoint(Base).Core, clockPoint(Base).Memory);
  };
  for (const CaseResult *C : Cases) {
    if (C == &Base || !Table.contains(clockPoint(*C)))
      continue;
    double Measured = C->MeasuredMs / Base.MeasuredMs,
           Analytic = C->PredictedMs / Base.PredictedMs;
    ++Result.Cases;
    Result.Clusters += std::fabs(Factor(*Scaling, *C) / Measured - 1);
    Result.Correction +=
        std::fabs(Analytic * Factor(*Correction, *C) / Measured - 1);
  }
  if (Result.Cases == 0)
    return std::nullopt;
  double Count = static_cast<double>(Result.Cases);
  Result.Clusters /= Count;
  Result.Correction /= Count;
  return Result;
}

Error addScalingErrors(Validation &V) {
  auto Counts = [](const CaseResult &C) {
    return C.Model == DefaultModel && C.counts() && C.PredictedMs > 0;
  };
  StringMap<GpuClusters> Known;
  for (const CaseResult &Base : V.Cases) {
    if (!Counts(Base) || !Base.Base.empty() || Base.StaticFeatures.empty())
      continue;
    CasesOfBase Cases = {&Base};
    for (const CaseResult &C : V.Cases)
      if (Counts(C) && C.Dataset == Base.Dataset && C.Base == Base.Case)
        Cases.push_back(&C);
    if (Cases.size() < 2)
      continue;
    auto Clusters = Known.find(Base.Gpu);
    if (Clusters == Known.end()) {
      Expected<GpuClusters> Loaded =
          GpuClusters::load(Base.Gpu, FeatureKind::Static);
      if (!Loaded)
        return Loaded.takeError();
      Clusters = Known.try_emplace(Base.Gpu, std::move(*Loaded)).first;
    }
    if (Clusters->second.empty())
      continue;
    Expected<std::optional<ScalingErrors>> Errors =
        scalingErrors(Cases, Base, Clusters->second);
    if (!Errors)
      return Errors.takeError();
    if (*Errors)
      V.Scaling.push_back(std::move(**Errors));
  }
  return Error::success();
}

} // namespace gpuestimate
