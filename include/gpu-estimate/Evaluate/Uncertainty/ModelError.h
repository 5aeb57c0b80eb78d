/// \file
/// How far a prediction may be off, as validation has shown for other programs.
///
/// The error r = ln(measured / predicted) is expected to be as large as the
/// parts of the time usually are off (locally weighted conformal prediction,
/// Lei et al. 2018, J. Am. Stat. Assoc. 113:1094):
///
///   spread = vendor * sum over parts (share of the predicted time * spread)
///   low, high = exp(q * b * spread), q: quantiles of r / spread
///   ratio = exp(q * mean spread), q: quantile of |r1 - r2| / mean spread
///   transfer                      the same of one launch on two GPUs
///
/// b is a factor for the part of the time that bounds the launch: launches that
/// wait for latency have more errors that are far beyond the median than those
/// that DRAM bounds. It is the quantile of r / (q * spread) over the launches
/// of that bound (Mondrian conformal prediction, Vovk et al. 2005, Algorithmic
/// Learning in a Random World, 4.5), in which all other launches count, too,
/// with the weight of OtherBoundsWeight programs.
///
/// Where something was assumed, the model's factors and those of the
/// assumptions (CombineEffects.h) are raised to the power a * b', one exponent
/// a for each end of the interval and a factor b' for each bound, found in the
/// same way from launches with assumptions.
///
/// The ratio is that of two times of one kernel on one GPU, for example with
/// another thread block: of the configurations that autotuners have measured
/// (dataset.yaml: tuning), those pairs count whose predicted times are within
/// MaxTrainedRatio of each other. Spreads and quantiles stand in
/// ErrorTable.inc, which `gpu-estimate validate
/// --format errors` writes. The table has a row without each group of cases
/// (heldOutGroup): the row that says how well the intervals hold for programs
/// that took no part.
#ifndef GPU_ESTIMATE_EVALUATE_UNCERTAINTY_MODELERROR_H
#define GPU_ESTIMATE_EVALUATE_UNCERTAINTY_MODELERROR_H

#include "gpu-estimate/Model/Result/TimeInterval.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <string>
#include <utility>

namespace gpuestimate {

/// Parts of a time that are off by different amounts; each is made of the
/// components of a breakdown (Term.h).
enum class ErrorPart : uint8_t {
  Memory,   ///< DRAM, what lies between it and L2, and the host's link
  L2,       ///< L2 bandwidth
  L1,       ///< L1, shared memory, load-store units
  Compute,  ///< issue slots, execution units, registers
  Latency,  ///< dependencies, barriers, waits
  Dispatch, ///< start of thread blocks, and the last wave
  Launch,   ///< launch overhead, and cold caches
  Atomics,
};
inline constexpr unsigned NumErrorParts = 8;
llvm::StringRef name(ErrorPart Part); ///< "memory"

/// Configurations that differ by more are nearly always ranked right
/// (docs/tuning.md).
inline constexpr double MaxTrainedRatio = 1.5;

/// Component -> fraction of the time, of any order.
using TimeBreakdown = std::vector<std::pair<std::string, double>>;
/// [part] share of the time; the shares sum to 1.
using ErrorShares = std::array<double, NumErrorParts>;
ErrorShares errorShares(const TimeBreakdown &Breakdown);

/// What validation has found.
struct ErrorTable {
  llvm::StringRef Without; ///< the group that took no part; "": none
  std::array<double, NumErrorParts> Spread;
  double Amd; ///< spread on AMD GPUs by that on NVIDIA's
  /// [level of intervalLevels()] quantiles of r / spread.
  std::array<std::pair<double, double>, NumIntervalLevels> Quantiles;
  /// [part that bounds the launch] factor b of the spread.
  std::array<double, NumErrorParts> OfBound;
  /// [level of intervalLevels()] exponents a of the shortest and of the longest
  /// time where something was assumed.
  std::array<std::pair<double, double>, NumIntervalLevels> Assumed;
  /// [part that bounds the launch] factor b' of these exponents.
  std::array<double, NumErrorParts> AssumedOfBound;
  /// [level of intervalLevels()] quantiles of |r1 - r2| / mean spread.
  std::array<double, NumIntervalLevels> RatioQuantiles;
  /// Quantiles of the ratio of one launch on two GPUs.
  std::array<double, NumIntervalLevels> TransferQuantiles;
};

/// The row without that group, or that of all data if no row is without it.
const ErrorTable &errorTable(llvm::StringRef Without = "");

/// The program of a case: "bfs" of a kernel "bfs/traverse", which stands for
/// whole programs that others wrote; else the kernel, which we wrote for the
/// dataset.
std::string programOf(llvm::StringRef Dataset, llvm::StringRef Kernel);
inline bool isOfWholeProgram(llvm::StringRef Kernel) {
  return Kernel.contains('/');
}

/// The group that a case is left out with: one of HeldOutParts parts of all
/// whole programs, whose cases on all GPUs stay together, or the dataset.
std::string heldOutGroup(llvm::StringRef Dataset, llvm::StringRef Kernel);
inline constexpr unsigned HeldOutParts = 8;

/// The spread of a time of these shares.
double errorSpread(const ErrorTable &Table, const ErrorShares &Shares,
                   bool IsAmd);

/// The part of the time that Prediction::Bottleneck names: Memory of
/// "dram-bandwidth".
ErrorPart boundPart(llvm::StringRef Bottleneck);

/// The error of a predicted time of which everything is known. Level: of
/// intervalLevels().
TimeError modelError(const ErrorTable &Table, const ErrorShares &Shares,
                     ErrorPart Bound, bool IsAmd, double Level);

/// TimeError::Transfer of a time with that spread. Level: of intervalLevels().
double transferFactor(const ErrorTable &Table, double Spread, double Level);

/// The factors of a time for which something was assumed, from those of the
/// model or of the assumptions by themselves. Level: of intervalLevels().
TimeFactors whereAssumed(const ErrorTable &Table, ErrorPart Bound, double Level,
                         const TimeFactors &Factors);

/// The factors at another level than 0.8, as if their logarithm had a normal
/// distribution. Level: of intervalLevels().
TimeFactors atLevel(const TimeFactors &Factors, double Level);

} // namespace gpuestimate

#endif
