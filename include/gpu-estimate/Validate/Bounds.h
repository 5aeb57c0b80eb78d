/// \file
/// The recorded error of each dataset, as a ratchet: a change that raises an
/// error above the record fails; a change that lowers it must lower the record.
///
///   schema: gpu-estimate-bounds/1
///   mean_ape:
///     small-kernels: 0.1873
#ifndef GPU_ESTIMATE_VALIDATE_BOUNDS_H
#define GPU_ESTIMATE_VALIDATE_BOUNDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace gpuestimate {

/// Mean absolute percentage error (a fraction) of a dataset, in file order.
using RecordedBounds = std::vector<std::pair<std::string, double>>;

enum class BoundVerdict : uint8_t {
  New,      ///< nothing is recorded
  Improved, ///< the error is below the record
  Same,
  Worse, ///< above the record
};
llvm::StringRef name(BoundVerdict V); ///< "NEW", ...

struct BoundCheck {
  std::string Dataset;
  std::optional<double> Recorded;
  double Current = 0; ///< error of this run, rounded up as a record
  BoundVerdict Verdict = BoundVerdict::Same;

  /// "  small-kernels: 0.1873", as it stands in the file.
  std::string line() const;
};

/// Rounds an error up to the four digits of a record.
double recorded(double MeanApe);

BoundCheck checkBound(const RecordedBounds &Bounds, llvm::StringRef Dataset,
                      double MeanApe);

/// Returns the file's text with the errors of Checks, datasets by name.
/// Datasets that were not checked keep their record.
std::string boundsText(const RecordedBounds &Bounds,
                       llvm::ArrayRef<BoundCheck> Checks);

/// Reads a bounds file; one that is missing records nothing. Errors say
/// "file:line:column: ".
llvm::Expected<RecordedBounds> loadBounds(llvm::StringRef File);

} // namespace gpuestimate

#endif
