/// \file
/// A validation for programs: schema "gpu-estimate-validate/1".
#include "gpu-estimate/Report/Validation/Validation.h"
#include "gpu-estimate/Validate/Ablation.h"
#include "gpu-estimate/Validate/IntervalStatistics.h"
#include "gpu-estimate/Validate/PtxasComparison.h"
#include "gpu-estimate/Validate/RatioStatistics.h"
#include "gpu-estimate/Validate/TransferStatistics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace gpuestimate {

static void optional(json::OStream &J, StringRef Key,
                     const std::optional<double> &Value) {
  if (Value)
    J.attribute(Key, *Value);
  else
    J.attribute(Key, nullptr);
}

/// Without a counted case the error is absent, not 0.
static void number(json::OStream &J, StringRef Key, const ErrorStatistics &E,
                   double Value) {
  optional(J, Key, E.Cases > 0 ? std::optional(Value) : std::nullopt);
}

/// Errors that recorded datasets have, too.
static void mainErrors(json::OStream &J, const ErrorStatistics &E) {
  J.attribute("cases", static_cast<int64_t>(E.Cases));
  number(J, "mean_ape", E, E.MeanApe);
  number(J, "median_ape", E, E.MedianApe);
  optional(J, "factor", E.Factor);
  number(J, "within_25", E, E.Within25);
  number(J, "bias", E, E.Bias);
  J.attribute("kernels", static_cast<int64_t>(E.Kernels));
  number(J, "kernel_mean_ape", E, E.KernelMeanApe);
}

static void errors(json::OStream &J, const ErrorStatistics &E) {
  mainErrors(J, E);
  number(J, "p90_ape", E, E.P90Ape);
  number(J, "max_ape", E, E.MaxApe);
  optional(J, "spearman", E.Spearman);
  if (E.PickLoss)
    J.attribute("pick_loss", *E.PickLoss);
}

static void numbers(json::OStream &J, StringRef Key, const CaseValues &Values) {
  J.attributeObject(Key, [&] {
    for (const auto &[Name, Value] : Values)
      J.attribute(Name, Value);
  });
}

static void caseResult(json::OStream &J, const CaseResult &C) {
  J.attribute("dataset", C.Dataset);
  J.attribute("case", C.Case);
  J.attribute("kernel", C.Kernel);
  J.attribute("gpu", C.Gpu);
  J.attribute("split", name(C.Part));
  J.attribute("model", C.Model);
  J.attribute("predicted_ms", C.PredictedMs);
  J.attribute("measured_ms", C.MeasuredMs);
  J.attribute("error", C.error());
  optional(J, "spread", C.Spread);
  if (C.counts())
    J.attribute("noisy", nullptr);
  else
    J.attribute("noisy", C.Noisy);
  J.attribute("bottleneck", C.Bottleneck);
  J.attributeArray("assumed", [&] {
    for (const std::string &What : C.Assumed)
      J.value(What);
  });
  J.attributeArray("premises", [&] {
    for (const std::string &Premise : C.Premises)
      J.value(Premise);
  });
  if (C.IntervalsMs)
    J.attributeArray("intervals_ms", [&] {
      for (const auto &[Low, High] : *C.IntervalsMs)
        J.array([&] {
          J.value(Low);
          J.value(High);
        });
    });
  numbers(J, "breakdown", C.Breakdown);
  if (!C.Without.empty())
    numbers(J, "without", C.Without);
  J.attribute("registers", C.Registers);
  J.attribute("registers_source", C.RegistersSource);
  if (C.Ptxas)
    J.attributeObject("with_ptxas", [&] {
      J.attribute("predicted_ms", C.Ptxas->PredictedMs);
      J.attribute("registers", C.Ptxas->Registers);
      J.attribute("told", C.Ptxas->Assembled);
      J.attribute("refused", C.Ptxas->Refused);
    });
  numbers(J, "counts", C.Predicted);
  numbers(J, "measured_counts", C.Measured);
}

/// The keys by which the row is grouped.
static void inputsAndDecade(json::OStream &J, const StatisticsRow &Row) {
  if (!Row.Inputs.empty())
    J.attribute("inputs", Row.Inputs);
  if (!Row.Decade.empty())
    J.attribute("decade", Row.Decade);
}

static void failures(json::OStream &J, StringRef Key,
                     ArrayRef<CaseFailure> Failures) {
  J.attributeArray(Key, [&] {
    for (const CaseFailure &F : Failures)
      J.object([&] {
        J.attribute("dataset", F.Dataset);
        J.attribute("case", F.Case);
        J.attribute("gpu", F.Gpu);
        J.attribute("place", F.Place);
        J.attribute("reason", F.Reason);
        if (!F.Model.empty())
          J.attribute("model", F.Model);
      });
  });
}

static void ptxasRow(json::OStream &J, const PtxasRow &Row) {
  J.attribute("dataset", Row.Dataset);
  J.attribute("told", static_cast<int64_t>(Row.Assembled));
  J.attribute("refused", static_cast<int64_t>(Row.Refused));
  J.attributeObject("estimated", [&] { errors(J, Row.Estimated); });
  J.attributeObject("ptxas", [&] { errors(J, Row.WithPtxas); });
  if (Row.Counted == 0)
    return;
  J.attribute("registers_measured", static_cast<int64_t>(Row.Counted));
  J.attribute("registers_near_estimated", Row.NearEstimated);
  J.attribute("registers_near_ptxas", Row.NearWithPtxas);
}

static void intervalRow(json::OStream &J, const IntervalRow &Row) {
  J.attribute("dataset", Row.Dataset);
  if (!Row.Inputs.empty())
    J.attribute("inputs", Row.Inputs);
  if (!Row.Decade.empty())
    J.attribute("decade", Row.Decade);
  if (!Row.Gpu.empty())
    J.attribute("gpu", Row.Gpu);
  if (!Row.Bound.empty())
    J.attribute("bottleneck", Row.Bound);
  J.attribute("cases", static_cast<int64_t>(Row.Cases));
  J.attributeArray("covered", [&] {
    for (double Share : Row.Covered)
      J.value(Share);
  });
  J.attribute("shorter", Row.Shorter);
  J.attribute("longer", Row.Longer);
  J.attribute("median_ratio", Row.MedianRatio);
  J.attribute("mean_ratio", Row.MeanRatio);
}

static void ratioRow(json::OStream &J, const RatioRow &Row) {
  J.attribute("dataset", Row.Dataset);
  J.attribute("gpu", Row.Gpu);
  J.attribute("base", Row.Base);
  if (!Row.Kernel.empty())
    J.attribute("kernel", Row.Kernel);
  J.attribute("model", Row.Model);
  J.attribute("cases", static_cast<int64_t>(Row.Cases));
  J.attribute("kernels", static_cast<int64_t>(Row.Kernels));
  J.attribute("mean_ape", Row.MeanApe);
  J.attribute("median_ape", Row.MedianApe);
  J.attribute("max_ape", Row.MaxApe);
  J.attribute("bias", Row.Bias);
  J.attribute("inverse_clock_mean_ape", Row.InverseClock);
  optional(J, "mean_of_others_mean_ape", Row.MeanOfOthers);
  optional(J, "power_mean_ape", Row.Power);
  optional(J, "clusters_mean_ape", Row.Clusters);
  optional(J, "correction_mean_ape", Row.Correction);
}

/// Errors by dataset, and by what else groups cases.
static void errorTables(json::OStream &J, const Validation &V) {
  J.attributeArray("datasets", [&] {
    for (const StatisticsRow &Row : statistics(V, GroupBy::Dataset))
      J.object([&] {
        J.attribute("name", Row.Dataset);
        J.attribute("split", Row.Part ? name(*Row.Part) : "all");
        J.attribute("model", Row.Model);
        errors(J, Row.Errors);
      });
  });
  for (auto [Key, By] : {std::pair{"gpus", GroupBy::Gpu},
                         {"bottlenecks", GroupBy::Bound},
                         {"kernels", GroupBy::Kernel},
                         {"gpus_and_kernels", GroupBy::GpuAndKernel},
                         {"inputs", GroupBy::Inputs},
                         {"decades", GroupBy::Decade},
                         {"inputs_and_decades", GroupBy::InputsAndDecade}})
    J.attributeArray(Key, [&, By = By] {
      for (const StatisticsRow &Row : statistics(V, By))
        J.object([&] {
          J.attribute("dataset", Row.Dataset);
          if (By == GroupBy::Gpu || By == GroupBy::GpuAndKernel)
            J.attribute("gpu", Row.Gpu);
          if (By == GroupBy::Kernel || By == GroupBy::GpuAndKernel)
            J.attribute("kernel", Row.Kernel);
          if (By == GroupBy::Bound)
            J.attribute("bottleneck", Row.Bound);
          inputsAndDecade(J, Row);
          J.attribute("model", Row.Model);
          errors(J, Row.Errors);
        });
    });
}

/// How often intervals hold, and how long they are.
static void intervalTables(json::OStream &J, const Validation &V) {
  for (auto [Key, By] :
       {std::pair{"intervals", GroupBy::Dataset},
        {"intervals_by_inputs", GroupBy::Inputs},
        {"intervals_by_inputs_and_decades", GroupBy::InputsAndDecade},
        {"intervals_by_inputs_and_gpus", GroupBy::InputsAndGpu},
        {"intervals_by_inputs_and_bottlenecks", GroupBy::InputsAndBound}})
    J.attributeArray(Key, [&, By = By] {
      for (const IntervalRow &Row : intervalStatistics(V, By))
        J.object([&] { intervalRow(J, Row); });
    });
  J.attribute("interval_sharpness", sharpness(V));
  J.attributeArray("transfers", [&] {
    for (const TransferRow &Row : transferStatistics(V))
      J.object([&] {
        J.attribute("from", Row.From);
        J.attribute("to", Row.To);
        J.attribute("pairs", Row.Pairs);
        J.attribute("programs", Row.Programs);
        J.attribute("median_ape", Row.MedianApe);
        J.attribute("factor", Row.Factor);
        J.attribute("factor_of_times", Row.FactorOfTimes);
        J.attribute("covered", Row.Covered);
        J.attribute("median_ratio", Row.MedianRatio);
      });
  });
}

/// What changes with the warps, a term of the model, ptxas and the clocks.
static void variantTables(json::OStream &J, const Validation &V) {
  J.attributeArray("warps", [&] {
    for (const WarpsRow &Row : statisticsByWarps(V))
      J.object([&] {
        J.attribute("dataset", Row.Dataset);
        J.attribute("model", Row.Model);
        J.attribute("warps", Row.Warps);
        errors(J, Row.Errors);
      });
  });
  if (std::vector<AblationRow> Rows = ablation(V); !Rows.empty())
    J.attributeArray("ablation", [&] {
      for (const AblationRow &Row : Rows)
        J.object([&] {
          J.attribute("term", Row.Term);
          J.attribute("dataset", Row.Dataset);
          J.attribute("cases", static_cast<int64_t>(Row.With.Cases));
          J.attribute("changed", static_cast<int64_t>(Row.Changed));
          optional(J, "factor", Row.With.Factor);
          optional(J, "factor_without", Row.Without.Factor);
          J.attribute("mean_ape", Row.With.MeanApe);
          J.attribute("mean_ape_without", Row.Without.MeanApe);
        });
    });
  if (std::vector<PtxasRow> Rows = ptxasComparison(V); !Rows.empty())
    J.attributeArray("ptxas", [&] {
      for (const PtxasRow &Row : Rows)
        J.object([&] { ptxasRow(J, Row); });
    });
  if (std::vector<RatioRow> Rows = ratioStatistics(V, /*ByKernel=*/false);
      !Rows.empty()) {
    append_range(Rows, ratioStatistics(V, /*ByKernel=*/true));
    J.attributeArray("ratios", [&] {
      for (const RatioRow &Row : Rows)
        J.object([&] { ratioRow(J, Row); });
    });
  }
}

/// Predicted counts against those of a profiler.
static void counterTables(json::OStream &J, const Validation &V) {
  J.attributeArray("counters", [&] {
    for (const CounterRow &Row : counterStatistics(V))
      J.object([&] {
        J.attribute("dataset", Row.Dataset);
        J.attribute("gpu", Row.Gpu);
        J.attribute("counter", Row.Counter);
        J.attribute("cases", static_cast<int64_t>(Row.Cases));
        J.attribute("median_ratio", Row.MedianRatio);
        J.attribute("mean_ape", Row.MeanApe);
        J.attribute("bias", Row.Bias);
      });
  });
  J.attributeArray("bounds_by_counters", [&] {
    for (const LabelRow &Row : labelStatistics(V))
      J.object([&] {
        J.attribute("dataset", Row.Dataset);
        J.attribute("counter", Row.Counter);
        J.attribute("cases", static_cast<int64_t>(Row.Cases));
        J.attribute("same", static_cast<int64_t>(Row.Same));
        J.attributeObject("others", [&] {
          for (const auto &[Bound, Cases] : Row.Others)
            J.attribute(Bound, static_cast<int64_t>(Cases));
        });
      });
  });
}

/// The record of datasets that were not predicted, and the bounds of those that
/// were.
static void recordedTables(json::OStream &J, const Validation &V) {
  J.attributeArray("recorded", [&] {
    for (const RecordedDataset &D : V.Recorded)
      for (const StatisticsRow &Row : D.Rows)
        J.object([&] {
          J.attribute("dataset", D.Name);
          J.attribute("date", D.Date);
          J.attribute("commit", D.Commit);
          J.attribute("not_predicted", D.NotPredicted);
          J.attribute("gpu", Row.Gpu);
          J.attribute("bottleneck", Row.Bound);
          inputsAndDecade(J, Row);
          J.attribute("model", Row.Model);
          mainErrors(J, Row.Errors);
        });
  });
  J.attributeArray("bounds", [&] {
    for (const BoundCheck &C : V.Bounds)
      J.object([&] {
        J.attribute("dataset", C.Dataset);
        J.attribute("verdict", name(C.Verdict));
        J.attribute("found", C.Current);
        optional(J, "recorded", C.Recorded);
      });
  });
}

void printValidationJson(raw_ostream &OS, const Validation &V,
                         StringRef ToolVersion) {
  json::OStream J(OS, /*IndentSize=*/1);
  J.object([&] {
    J.attribute("schema", "gpu-estimate-validate/1");
    J.attribute("tool_version", ToolVersion);
    errorTables(J, V);
    intervalTables(J, V);
    variantTables(J, V);
    counterTables(J, V);
    J.attributeArray("cases", [&] {
      for (const CaseResult &C : V.Cases)
        J.object([&] { caseResult(J, C); });
    });
    failures(J, "failures", V.Failures);
    failures(J, "refusals", V.Refusals);
    J.attributeArray("skipped", [&] {
      for (const std::string &Line : V.Skipped)
        J.value(Line);
    });
    recordedTables(J, V);
  });
  OS << '\n';
}

} // namespace gpuestimate
