/// \file
/// The recorded error of each dataset, and how often its measured times lie in
/// the intervals, as a ratchet: a change that raises an error above the record,
/// or lowers a share below it, fails; a change for the better must be recorded.
///
///   schema: gpu-estimate-bounds/1
///   mean_ape:
///     small-kernels: 0.1873
///   coverage:
///     lbm/assumed: 0.61
#ifndef GPU_ESTIMATE_VALIDATE_BOUNDS_H
#define GPU_ESTIMATE_VALIDATE_BOUNDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace gpuestimate {

/// Fractions by name, in file order.
using BoundTable = std::vector<std::pair<std::string, double>>;

struct RecordedBounds {
  BoundTable MeanApe;  ///< mean absolute percentage error by dataset
  BoundTable Coverage; ///< by "dataset/inputs", of those below LeastCoverage

  bool operator==(const RecordedBounds &) const = default;
};

/// Share of the measured times of a group of at least GroupedCases that must
/// lie in intervals of DefaultIntervalLevel (0.8), unless a smaller one is
/// recorded.
inline constexpr double LeastCoverage = 0.7;
inline constexpr size_t GroupedCases = 30;

enum class BoundVerdict : uint8_t {
  New,      ///< nothing is recorded
  Improved, ///< the error is below the record, or the share above it
  Same,
  Worse, ///< the reverse
};
llvm::StringRef name(BoundVerdict V); ///< "NEW", ...

struct BoundCheck {
  std::string Dataset; ///< of a share "dataset/inputs"
  std::optional<double> Recorded;
  /// Error of this run, rounded up as a record, or the share, rounded down.
  double Current = 0;
  BoundVerdict Verdict = BoundVerdict::Same;
  bool IsCoverage = false;

  /// "  small-kernels: 0.1873", as it stands in the file.
  std::string line() const;
};

/// Rounds an error up to the four digits of a record.
double recorded(double MeanApe);

BoundCheck checkBound(const RecordedBounds &Bounds, llvm::StringRef Dataset,
                      double MeanApe);

/// The share of the cases of Group that lie in intervals of the default level.
BoundCheck checkCoverage(const RecordedBounds &Bounds, llvm::StringRef Group,
                         double Share);

/// Returns the file's text with the errors and shares of Checks, by name.
/// Datasets that were not checked keep their record.
std::string boundsText(const RecordedBounds &Bounds,
                       llvm::ArrayRef<BoundCheck> Checks);

/// Reads a bounds file; one that is missing records nothing. Errors say
/// "file:line:column: ".
llvm::Expected<RecordedBounds> loadBounds(llvm::StringRef File);

} // namespace gpuestimate

#endif
