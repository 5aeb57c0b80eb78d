/// \file
/// Configurations of one kernel, ranked by their predicted time.
#ifndef GPU_ESTIMATE_ADVICE_TUNING_H
#define GPU_ESTIMATE_ADVICE_TUNING_H

#include "gpu-estimate/Model/Result/OpenSize.h"
#include "gpu-estimate/Model/Result/Prediction.h"
#include "gpu-estimate/Model/Result/Refusals.h"
#include <optional>

namespace gpuestimate {

/// A macro or argument that is varied, with its values as the user wrote them.
struct TunedName {
  std::string Name;
  std::vector<std::string> Values;
};

struct TunedConfiguration {
  std::vector<uint32_t>
      Choice;   ///< for each of Tuning::Names, an index of a value
  Launch Used;  ///< of several launches the first one
  Seconds Time; ///< of one launch each
  std::string Bottleneck;
  double Occupancy = 0; ///< fraction of the warps that a multiprocessor holds
  unsigned RegistersPerThread = 0;
  uint64_t SharedBytesPerBlock = 0;
  double DramBytes = 0;
  /// TimeError::Ratio, where it is known: of the longest launch.
  std::optional<double> RatioError;
  /// Time with the least and the largest values of Tuning::Unknown, from fewer
  /// samples; nothing where there are none, the launch is impossible there, or
  /// the configuration is far from the fastest of very many.
  std::optional<Seconds> AtLeast, AtLargest;
  /// Estimated from fewer samples than an analysis uses, because it is far from
  /// the fastest one, or one of very many that are close to it.
  bool Screened = false;
  /// Not evaluated, but interpolated between screened launches.
  bool Interpolated = false;
  /// 1 = fastest; configurations of one rank are a tie, and the rank after
  /// them counts all of them.
  size_t Rank = 0;
  bool Tied = false; ///< shares its rank
};

/// The source without changes.
struct WrittenConfiguration : TunedConfiguration {
  /// Shortest and longest time in milliseconds; nothing where it is not known
  /// how sure the time is.
  std::optional<std::pair<double, double>> IntervalMs;
  std::vector<std::string> Premises;
};

/// The configurations of one kernel on one GPU.
struct Tuning {
  std::string Kernel, Name; ///< mangled, demangled
  SourceLocation Location;
  std::string Gpu, GpuName, Model;
  std::vector<TunedName> Names; ///< macros, then arguments
  size_t Launches = 1;          ///< different launches, whose times are added
  bool IsNest = false; ///< a loop nest of plain C, which guards its bounds
  /// Relative difference of times that is a tie; nothing: times that the model
  /// cannot tell apart are a tie.
  std::optional<double> Tie;
  double Level = DefaultIntervalLevel;    ///< probability of the intervals
  std::vector<TunedConfiguration> Ranked; ///< fastest first, after rank()
  /// Why configurations cannot run, with their number. Reasons that differ only
  /// in their numbers are merged.
  RefusalCounts Refused;
  /// Sizes that are not known: times are for the middle of their tables.
  std::vector<OpenSize> Unknown;
  std::optional<WrittenConfiguration> AsWritten;
  std::string WhyNotAsWritten;         ///< if it has no time
  std::vector<Assumption> Assumptions; ///< of the first of Ranked
  std::vector<std::string> Premises;   ///< of the first of Ranked

  /// Sorts Ranked and sets ranks: configurations that tie with the fastest one
  /// of a rank share it.
  void rank();
  /// The fastest with the sizes of Unknown at an end of their tables; null
  /// where no configuration was evaluated there.
  const TunedConfiguration *fastestAt(SizePlace End) const;
  /// Whether the first of Ranked may be as fast as fastestAt(End).
  bool holdsAt(SizePlace End) const;
  /// Shortest and longest time of C by the fastest time, which includes 1 where
  /// C may be the faster one; nothing where the error is not known.
  std::optional<TimeFactors> byFastest(const TunedConfiguration &C) const;

private:
  /// Largest ratio of two times that is a tie.
  double tieFactor(const TunedConfiguration &A,
                   const TunedConfiguration &B) const;
};

/// Empty where times and ranks rise together and every choice is one of its
/// name; else the first violation (Support/Invariants.h).
std::string checkRanking(const Tuning &T);

} // namespace gpuestimate

#endif
