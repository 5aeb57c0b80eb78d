/// \file
/// The configurations that `gpu-estimate tune` tries: combinations of values of
/// macros, of arguments and of block shapes that satisfy the conditions.
///
///   values     32,64,128    32:1024:32 (first, last, step)    8:256:*2
///   shapes     32:1024:32   8:32:8x1:8   16x16,32x8
///
/// A range includes its last value where a step meets it. Errors are
/// UsageErrors that say what was expected.
#ifndef GPU_ESTIMATE_SESSION_SETTINGS_TUNINGSPACE_H
#define GPU_ESTIMATE_SESSION_SETTINGS_TUNINGSPACE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace gpuestimate {

using BlockShape = std::array<uint64_t, 3>;

/// A macro or an argument with its values, as they are spelled.
struct TuningAxis {
  std::string Name;
  std::vector<std::string> Values;
};

/// The options of `tune`, as text.
struct TuningRequest {
  std::vector<TuningAxis> Macros, Parameters;
  std::vector<BlockShape> Blocks; ///< empty: the launch's own
  /// Expressions over macros, arguments and blockDim.x, .y, .z; empty: the
  /// launch's own, with as many threads as it has.
  std::vector<std::string> Grid;       ///< up to three
  std::string DynamicShared;           ///< bytes; empty: the launch's own
  std::vector<std::string> Conditions; ///< all must be other than 0
  /// Largest relative difference of times that are called a tie.
  std::optional<double> Tie;
  unsigned Top = 20; ///< rows of reports for people; 0: all
};

/// "8,16,32", "32:1024:32", or both mixed; at least one value. Text that is no
/// range is a value as it stands; commas in brackets do not separate.
llvm::Expected<std::vector<std::string>>
parseTuningValues(llvm::StringRef Text);
llvm::Expected<std::vector<BlockShape>> parseShapes(llvm::StringRef Text);
/// "NAME=VALUES".
llvm::Expected<TuningAxis> parseAxis(llvm::StringRef Text);

/// One configuration as indices into the request's lists.
struct TuningPoint {
  std::vector<uint32_t> Macros, Parameters; ///< one for each axis
  uint32_t Block = 0; ///< 0 where the request has no shapes
};

/// Values of names in the expressions of a request.
class TuningNames {
public:
  /// Names of a point: macros whose value is a number, arguments, and blockDim.
  /// Block: null if the block of the launch is not known yet.
  TuningNames(const TuningRequest &Request, const TuningPoint &Point,
              const BlockShape *Block);

  llvm::Expected<double> evaluate(llvm::StringRef What,
                                  llvm::StringRef Expression) const;
  llvm::Expected<uint64_t> size(llvm::StringRef What,
                                llvm::StringRef Expression) const;

private:
  llvm::StringMap<double> Values;
};

/// Points of one set of macros stand together; within it those of one set of
/// arguments. Errors: more than MaxPoints combinations, a condition that names
/// nothing known, or none that is left.
inline constexpr size_t MaxTuningPoints = 4'000'000;
llvm::Expected<std::vector<TuningPoint>>
enumeratePoints(const TuningRequest &Request);

} // namespace gpuestimate

#endif
