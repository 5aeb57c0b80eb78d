/// \file
/// Summary of a validation: the statistics of ErrorStatistics.h by dataset,
/// GPU, kernel and bound; counters; the worst cases.
#ifndef GPU_ESTIMATE_VALIDATE_STATISTICS_H
#define GPU_ESTIMATE_VALIDATE_STATISTICS_H

#include "gpu-estimate/Validate/Validation.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuestimate {

/// The value below which the fraction Q of Sorted lies; 0 for no values.
double quantile(llvm::ArrayRef<double> Sorted, double Q);

/// Pearson correlation of the ranks, ties at their mean rank; nothing for
/// fewer than three pairs, or when either side has one value only.
std::optional<double> spearman(llvm::ArrayRef<double> A,
                               llvm::ArrayRef<double> B);

/// The decade of a measured time, 0 for the shortest, and its name.
size_t decadeOf(double Milliseconds);
llvm::StringRef decadeName(size_t Decade); ///< "below 10 us"

ErrorStatistics summarize(llvm::ArrayRef<const CaseResult *> Cases);

/// The means of several groups without a case or kernel in common, as one
/// group: cases, mean, bias, factor and share within 25% weighted by cases, the
/// mean by kernel by kernels. Quantiles, correlation and pick loss do not
/// combine and stay 0 or unknown.
ErrorStatistics combine(llvm::ArrayRef<ErrorStatistics> Groups);

/// The names by which cases are grouped to rows.
enum class GroupBy : uint8_t {
  Dataset,
  Gpu,
  Kernel,
  GpuAndKernel,
  Bound,
  Inputs, ///< whether the prediction had to assume something
  Decade, ///< of the measured time
  InputsAndDecade,
  InputsAndBound, ///< of intervals alone
  InputsAndGpu,   ///< likewise
};

/// Returns a row for each dataset, model and (by By) GPU, kernel or bound; for
/// GroupBy::Dataset rows for the splits precede it. Datasets in the order of V,
/// then GPUs, kernels and bounds in that of their first case, known inputs
/// before assumed ones, short times before long ones, then models. The bound of
/// a case is the one that the first model of V names, so that the models of one
/// bound are compared on the same cases.
std::vector<StatisticsRow> statistics(const Validation &V, GroupBy By);

/// The rows of whole datasets without their splits, or the rows by By, those of
/// recorded datasets among them, as far as their models are in V. Recorded are
/// rows by GPU, bound, inputs, decade, and inputs and decade.
std::vector<StatisticsRow> statisticsWithRecords(const Validation &V,
                                                 GroupBy By);

/// The errors of one model over the cases of a dataset whose launches have
/// about as many warps: within half a decade round Warps.
struct WarpsRow {
  std::string Dataset, Model;
  double Warps = 0;
  ErrorStatistics Errors;
};

/// Rows by dataset, then by model, then from few warps to many; none for groups
/// without a case that counts. This is the figure of Kleimenov & Popova 2021
/// that compares a model with measurements over 10^2 to 10^6 warps.
std::vector<WarpsRow> statisticsByWarps(const Validation &V);

/// One measured counter against its prediction, over the cases that count and
/// have it (above 0).
struct CounterRow {
  std::string Dataset, Gpu; ///< an empty GPU stands for all
  std::string Counter;      ///< "dram_bytes", "registers", ...
  size_t Cases = 0;
  double MedianRatio = 1; ///< of predicted / measured
  double MeanApe = 0;     ///< mean of |predicted / measured - 1|
  double Bias = 0;        ///< mean of predicted / measured - 1
};

/// For each dataset and counter: a row for all GPUs, then one for each if there
/// are several. Counters do not depend on the performance model; the first
/// model of V gives them.
std::vector<CounterRow> counterStatistics(const Validation &V);

/// From this utilisation on, a counter tells what bounds a launch.
inline constexpr double TellingUtilisation = 0.6;

/// The predicted bounds of the cases that count and of which one counter tells
/// the bound: the most utilised one, if its utilisation is at least
/// TellingUtilisation.
struct LabelRow {
  std::string Dataset;
  std::string Counter; ///< "dram_bytes", "flop_fp32" or "flop_fp64"
  size_t Cases = 0;
  size_t Same = 0; ///< the predicted bound is the resource that is counted
  /// Other predicted bounds with their cases, the most frequent first.
  std::vector<std::pair<std::string, size_t>> Others;
};

/// A row for each dataset and counter; the first model of V predicts.
std::vector<LabelRow> labelStatistics(const Validation &V);

/// The N cases of a dataset and model that are furthest off, worst first;
/// noisy ones are left out.
std::vector<const CaseResult *> worstCases(const Validation &V,
                                           llvm::StringRef Dataset,
                                           llvm::StringRef Model, size_t N);

/// Failures for the same reason, in the order of their first.
struct FailureGroup {
  CaseFailure First;
  size_t Count = 1;
};
std::vector<FailureGroup> groupFailures(llvm::ArrayRef<CaseFailure> Failures);

} // namespace gpuestimate

#endif
