/// \file
/// Predicted times of a set of kernels, as rows that can be kept in a file,
/// reviewed, and compared with a later state: golden files and differences of
/// two runs.
#ifndef GPU_ESTIMATE_REPORT_RECORDS_SNAPSHOT_H
#define GPU_ESTIMATE_REPORT_RECORDS_SNAPSHOT_H

#include "gpu-estimate/Model/Result/TimeInterval.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace gpuestimate {

/// One kernel, on one GPU, by one of its launches.
struct SnapshotRow {
  // Key of the row: demangled name, file as it is spelled, id of the GPU, and
  // number of the launch of the kernel, from 1.
  std::string Kernel, File, Gpu;
  unsigned Ordinal = 1;

  std::string Launch; ///< "64x64 of 16x16"
  double Milliseconds = 0;
  std::string Bottleneck;
  unsigned Registers = 0;
  double Occupancy = 0; ///< fraction
  double L2Bytes = 0, DramBytes = 0;

  /// TimeError::Ratio (TimeInterval.h), where it is known; not in a golden
  /// file.
  std::optional<double> RatioError;
  /// Milliseconds by term of the breakdown and by source line; empty in a
  /// golden file.
  std::vector<std::pair<std::string, double>> Terms, Lines;
  unsigned Line = 0; ///< of the kernel

  std::string title() const; ///< "matmul #2 (matmul.cu)"
  auto key() const { return std::tie(File, Kernel, Gpu, Ordinal); }
};

/// Returns the estimates of objects of schema gpu-estimate/1 that have a time,
/// in the order of file, kernel, GPU and launch.
std::vector<SnapshotRow> snapshotOf(llvm::ArrayRef<llvm::json::Object> Objects);

/// The estimates that have no time, since a size is not known: "'scale' (f.cu)
/// on nvidia-h200 is not compared: its time depends on n, ...".
std::vector<std::string>
notCompared(llvm::ArrayRef<llvm::json::Object> Objects);

enum class ChangeKind : uint8_t { New, Gone, Worse, Improved, Moved };
llvm::StringRef name(ChangeKind Kind); ///< "WORSE"

/// A row that differs by more than the tolerance. Worse and Improved are about
/// the time; Moved has the same time but another bound, launch or number of
/// registers, or another occupancy or traffic.
struct SnapshotChange {
  ChangeKind Kind;
  const SnapshotRow *Before, *After; ///< null for New, for Gone
};

/// When times differ.
struct ChangeRule {
  double Tolerance = 0; ///< a fraction of the larger value
  VerdictRule When = VerdictRule::Likely;
};
std::vector<SnapshotChange> compareSnapshots(llvm::ArrayRef<SnapshotRow> Before,
                                             llvm::ArrayRef<SnapshotRow> After,
                                             const ChangeRule &Rule);

/// Prints the table of changes; a changed time is followed by the terms and
/// lines that changed, if both sides have them. Prints one line if there is no
/// change.
void printChanges(llvm::raw_ostream &OS, llvm::ArrayRef<SnapshotChange> Changes,
                  size_t Compared);

/// A golden file: comments, then a line for each row.
std::string goldenText(llvm::ArrayRef<SnapshotRow> Rows);

/// Errors are "file:line: what".
llvm::Expected<std::vector<SnapshotRow>> parseGolden(llvm::StringRef File,
                                                     llvm::StringRef Text);

/// A patch for `patch -p0` and `git apply -p0` that applies the changes to
/// File's Text, of which Before was parsed; all other lines stay as they are.
std::string goldenPatch(llvm::StringRef File, llvm::StringRef Text,
                        llvm::ArrayRef<SnapshotRow> Before,
                        llvm::ArrayRef<SnapshotChange> Changes);

} // namespace gpuestimate

#endif
