/// \file
/// Error statistics. With e = (predicted - measured) / measured over the cases
/// that count:
///
///   mean, median, 90th percentile and maximum of |e| (absolute percentage
///   error; percentiles interpolate linearly between the ordered values)
///   bias: mean of e, above 0 where times are predicted too long
///   spearman: rank correlation of predicted and measured times within the
///     sizes of one kernel on one GPU; over more than one such group their mean
///     (groups of fewer than three cases say nothing and are left out)
///   pick loss, for tuning tables: how much slower than the best measured
///     configuration the one is that the prediction would pick; mean of groups
#ifndef GPU_ESTIMATE_VALIDATE_STATISTICS_H
#define GPU_ESTIMATE_VALIDATE_STATISTICS_H

#include "gpu-estimate/Validate/Validation.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuestimate {

struct ErrorStatistics {
  size_t Cases = 0; ///< that count; the rest is 0 or unknown without any
  double MeanApe = 0, MedianApe = 0, P90Ape = 0, MaxApe = 0, Bias = 0;
  std::optional<double> Spearman, PickLoss;
};

/// The value below which the fraction Q of Sorted lies; 0 for no values.
double quantile(llvm::ArrayRef<double> Sorted, double Q);

/// Pearson correlation of the ranks, ties at their mean rank; nothing for
/// fewer than three pairs, or when either side has one value only.
std::optional<double> spearman(llvm::ArrayRef<double> A,
                               llvm::ArrayRef<double> B);

ErrorStatistics summarize(llvm::ArrayRef<const CaseResult *> Cases);

/// One line of a table; an empty name or no split stands for all.
struct StatisticsRow {
  std::string Dataset, Gpu, Kernel, Model;
  std::optional<Split> Part;
  ErrorStatistics Errors;
};

/// Which names tell rows apart.
enum class GroupBy : uint8_t { Dataset, Gpu, Kernel, GpuAndKernel };

/// For each dataset, model and (as By says) GPU and kernel: a row for all its
/// cases; By Dataset also rows for the splits, before it. Datasets in the order
/// of V, then GPUs and kernels in that of their first case, then models.
std::vector<StatisticsRow> statistics(const Validation &V, GroupBy By);

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
/// are several. Counters do not depend on the model of the time: those of the
/// first model of V.
std::vector<CounterRow> counterStatistics(const Validation &V);

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
