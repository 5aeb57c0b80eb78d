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
  // Key of the row: demangled name, file as it is spelled, id of the GPU,
  // number of the launch of the kernel, from 1, and the compiler ("clang"),
  // which is empty unless several were asked.
  std::string Kernel, File, Gpu;
  unsigned Ordinal = 1;
  std::string Compiler;

  std::string Launch; ///< "64x64 of 16x16"
  double Milliseconds = 0;
  std::string Bottleneck;
  unsigned Registers = 0;
  double Occupancy = 0; ///< fraction
  double L2Bytes = 0, DramBytes = 0;

  /// TimeError::Ratio (TimeInterval.h), where it is known; not in a golden
  /// file.
  std::optional<double> RatioError;
  // The following are empty or 0 in a golden file.
  double SharedBytes = 0; ///< of a block, static and dynamic
  double Instructions = 0, Loads = 0, Stores = 0; ///< of all warps
  double Sectors = 0;           ///< that loads and stores touch
  double SharedWavefronts = 0;  ///< passes through shared memory
  double LocalInstructions = 0; ///< spills and arrays in local memory

  /// Milliseconds by term of the breakdown and by source line.
  std::vector<std::pair<std::string, double>> Terms, Lines;
  unsigned Line = 0; ///< of the kernel

  std::string title() const; ///< "matmul #2 (matmul.cu), clang"
  auto key() const { return std::tie(File, Kernel, Gpu, Ordinal, Compiler); }
};

/// Sorts rows by their keys.
void sortRows(std::vector<SnapshotRow> &Rows);

/// Returns the estimates of objects of schema gpu-estimate/1 that have a time,
/// in the order of file, kernel, GPU and launch.
std::vector<SnapshotRow> snapshotOf(llvm::ArrayRef<llvm::json::Object> Objects);

/// The estimates that have no time, since a size is not known: "'scale' (f.cu)
/// on nvidia-h200 is not compared: its time depends on n, ...".
std::vector<std::string>
notCompared(llvm::ArrayRef<llvm::json::Object> Objects);

enum class ChangeKind : uint8_t { New, Gone, Worse, Improved, Moved };
llvm::StringRef name(ChangeKind Kind); ///< "WORSE"

/// An edit of the source between two states of it.
struct SourceChange {
  std::string File;
  unsigned Line = 0;          ///< in the later state
  std::string Removed, Added; ///< the words that differ, in one line
  /// Time with this edit alone by the time before; nothing where it does not
  /// compile alone, or was not tried.
  std::optional<double> Alone;
};

/// A row that differs by more than the tolerance. Worse and Improved are about
/// the time; Moved has the same time but another bound, launch or number of
/// registers, or another occupancy or traffic.
struct SnapshotChange {
  ChangeKind Kind;
  const SnapshotRow *Before, *After; ///< null for New, for Gone
  /// Before with what a golden file does not have; null if it is not known.
  const SnapshotRow *Earlier = nullptr;
  /// The edits that the change comes from, that with the largest effect first.
  std::vector<SourceChange> Edits;
};

/// What a change means, given the error of the model.
enum class ChangeVerdict : uint8_t { Slower, Faster, Benign, New, Gone };
llvm::StringRef name(ChangeVerdict Verdict); ///< "slower"

/// Slower and Faster if the interval of the ratio of both times does not hold
/// 1, or is not known and the times differ by more than the tolerance (Worse,
/// Improved); else Benign.
ChangeVerdict verdict(const SnapshotChange &C);

/// The cause of a change of both rows in one word, from what differs between
/// them: launch, local-memory, dram-traffic, l2-traffic, loads, stores,
/// coalescing, shared-accesses, instructions, shared-memory, registers,
/// occupancy, bound, or the term of the time that changed most; "-" for a row
/// that only one side has. The part of the time that changed most is asked
/// first.
std::string causeOf(const SnapshotChange &C);

/// Lowest and highest ratio of the times that the error of the model allows;
/// nullopt without an error.
std::optional<std::pair<double, double>> ratioRange(const SnapshotRow &Before,
                                                    const SnapshotRow &After);

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

/// Prints the changes as a comment on a pull request: one Markdown table with
/// verdict, kernel, times, ratio with its interval, GPUs, cause and place; a
/// kernel's GPUs share a row, which shows the one that changed most.
void printChangesMarkdown(llvm::raw_ostream &OS,
                          llvm::ArrayRef<SnapshotChange> Changes,
                          llvm::ArrayRef<SnapshotRow> After, size_t Compared);

/// "`__restrict__` removed", "`32` became `64`"
std::string describe(const SourceChange &Edit);

/// A golden file: comments, then a line for each row, which ends with the
/// compiler where the row has one.
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
