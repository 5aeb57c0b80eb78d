#include "gpu-estimate/Validate/RatioStatistics.h"

#include "gpu-estimate/Validate/Statistics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <map>

using namespace llvm;

namespace gpuestimate {

namespace {

/// A case and its base point.
struct ScaledCase {
  const CaseResult *Case, *Base;

  double measured() const { return Case->MeasuredMs / Base->MeasuredMs; }
  double predicted() const { return Case->PredictedMs / Base->PredictedMs; }
  /// Error of the ratio of the board power; nothing where one is not known.
  std::optional<double> powerError() const {
    auto Ratio = [&](CaseValues CaseResult::*Values) -> std::optional<double> {
      std::optional<double> Here = power(Case->*Values),
                            There = power(Base->*Values);
      return Here && There && *There > 0 ? std::optional(*Here / *There)
                                         : std::nullopt;
    };
    std::optional<double> Predicted = Ratio(&CaseResult::Predicted),
                          Measured = Ratio(&CaseResult::Measured);
    return Predicted && Measured && *Measured > 0
               ? std::optional(*Predicted / *Measured - 1)
               : std::nullopt;
  }
  static std::optional<double> power(const CaseValues &Values) {
    for (const auto &[Name, Value] : Values)
      if (Name == "power_w")
        return Value;
    return std::nullopt;
  }
  std::string basePoint() const { return join(Base->Overrides, " "); }
  /// Names the surface and the point on it, for all kernels.
  std::string place() const {
    return Case->Gpu + "\n" + basePoint() + "\n" + join(Case->Overrides, " ");
  }
};

} // namespace

static std::vector<ScaledCase> scaledCases(const Validation &V,
                                           StringRef Dataset, StringRef Model) {
  std::map<StringRef, const CaseResult *> ById;
  auto Selected = [&](const CaseResult &C) {
    return C.Dataset == Dataset && C.Model == Model && C.counts();
  };
  for (const CaseResult &C : V.Cases)
    if (Selected(C))
      ById[C.Case] = &C;
  std::vector<ScaledCase> Scaled;
  for (const CaseResult &C : V.Cases) {
    if (!Selected(C) || C.Base.empty() || C.Base == C.Case)
      continue;
    if (auto Base = ById.find(C.Base);
        Base != ById.end() && Base->second->PredictedMs > 0)
      Scaled.push_back({&C, Base->second});
  }
  return Scaled;
}

/// Sums of the measured ratios of all kernels at each place.
using RatioSums = std::map<std::string, std::pair<double, unsigned>>;

static RatioRow summarizeRatios(ArrayRef<ScaledCase> Cases,
                                const RatioSums &Sums) {
  RatioRow Row;
  Row.Cases = Cases.size();
  double Count = static_cast<double>(Cases.size());
  std::vector<double> Ape;
  std::map<StringRef, unsigned> Kernels;
  double Others = 0, Power = 0, PowerCases = 0;
  bool HasOthers = true;
  for (const ScaledCase &C : Cases) {
    ++Kernels[C.Case->Kernel];
    double Error = C.predicted() / C.measured() - 1;
    Ape.push_back(std::fabs(Error));
    Row.MeanApe += std::fabs(Error) / Count;
    Row.Bias += Error / Count;
    double Slower =
        C.Base->Configuration.CoreMhz / C.Case->Configuration.CoreMhz;
    Row.InverseClock += std::fabs(Slower / C.measured() - 1) / Count;
    if (std::optional<double> OfPower = C.powerError()) {
      Power += std::fabs(*OfPower);
      ++PowerCases;
    }
    auto [Sum, Members] = Sums.at(C.place());
    HasOthers &= Members > 1;
    if (HasOthers)
      Others +=
          std::fabs((Sum - C.measured()) / (Members - 1) / C.measured() - 1) /
          Count;
  }
  llvm::sort(Ape);
  Row.Kernels = Kernels.size();
  Row.MedianApe = quantile(Ape, 0.5);
  Row.MaxApe = Ape.back();
  if (HasOthers)
    Row.MeanOfOthers = Others;
  if (PowerCases > 0)
    Row.Power = Power / PowerCases;
  return Row;
}

/// Means over the kernels that Row is about.
static void addScaling(RatioRow &Row, ArrayRef<ScalingErrors> Known) {
  double Cases = 0, Clusters = 0, Correction = 0;
  for (const ScalingErrors &E : Known) {
    if (E.Dataset != Row.Dataset || E.Gpu != Row.Gpu || E.Base != Row.Base ||
        (!Row.Kernel.empty() && E.Kernel != Row.Kernel))
      continue;
    double Weight = static_cast<double>(E.Cases);
    Cases += Weight;
    Clusters += Weight * E.Clusters;
    Correction += Weight * E.Correction;
  }
  if (Cases == 0)
    return;
  Row.Clusters = Clusters / Cases;
  Row.Correction = Correction / Cases;
}

std::vector<RatioRow> ratioStatistics(const Validation &V, bool ByKernel) {
  std::vector<RatioRow> Rows;
  for (const ValidatedDataset &D : V.Datasets) {
    using GroupName = std::vector<std::string>; // GPU, base point, kernel
    std::vector<GroupName> Order;
    std::map<GroupName, std::map<std::string, std::vector<ScaledCase>>> Groups;
    std::map<std::string, RatioSums> Sums; // by model
    for (const std::string &Model : V.Models)
      for (const ScaledCase &C : scaledCases(V, D.Name, Model)) {
        GroupName Name = {C.Case->Gpu, C.basePoint(),
                          ByKernel ? C.Case->Kernel : ""};
        if (!Groups.count(Name))
          Order.push_back(Name);
        Groups[Name][Model].push_back(C);
        auto &[Sum, Members] = Sums[Model][C.place()];
        Sum += C.measured();
        ++Members;
      }
    for (const GroupName &Name : Order)
      for (const auto &Model : V.Models)
        if (const auto &Cases = Groups[Name][Model]; !Cases.empty()) {
          RatioRow &Row =
              Rows.emplace_back(summarizeRatios(Cases, Sums[Model]));
          Row.Dataset = D.Name;
          Row.Gpu = Name[0];
          Row.Base = Name[1];
          Row.Kernel = Name[2];
          Row.Model = Model;
          if (Model == DefaultModel)
            addScaling(Row, V.Scaling);
        }
  }
  return Rows;
}

} // namespace gpuestimate
