/// \file
/// Measured times as plain data: a folder with dataset.yaml and cases.csv.
/// docs/validation.md describes both files for those who write them.
///
/// A case is one measured number: usually one launch, or several ones after
/// each other whose times add up, each repeated some times.
#ifndef GPU_ESTIMATE_VALIDATE_DATASET_H
#define GPU_ESTIMATE_VALIDATE_DATASET_H

#include "gpu-estimate/Evaluate/Evaluator/Evaluate.h"
#include "gpu-estimate/Model/Kernel/DivisionOperands.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpuestimate {

/// NAME=VALUE of a row, in its order.
using CaseValues = std::vector<std::pair<std::string, double>>;

/// The launch of one row of cases.csv.
struct CaseLaunch {
  std::string Function; ///< "add", or "add<128>"
  std::string File;     ///< relative to the dataset's or the checkout's folder
  /// "owner/name" of the public repository that holds File, or "" where the
  /// dataset's folder does.
  std::string Repository;
  std::vector<std::string> Defines; ///< "TILE=16"
  /// Arguments of the compiler, after those of the dataset: "-Isrc/include". A
  /// relative folder of -I is one of the dataset's or the checkout's folder,
  /// and so is a source whose device code is linked: "--link=src/b.cu".
  std::vector<std::string> Arguments;
  /// Present for every launch of a kernel. A case of plain C is made of all
  /// loop nests of Function, each as often as its enclosing loops run it; the
  /// loops determine the grids, and the blocks unless Block is given.
  std::optional<std::array<uint64_t, 3>> Grid, Block;
  uint64_t DynamicSharedBytes = 0;
  CaseValues Parameters; ///< pointers: element count of the buffer
  /// Pointers into the buffer of another one: NAME, "OTHER+OFFSET" in elements.
  std::vector<std::pair<std::string, std::string>> Pointers;
  double Repeat = 1;
  /// Cache hit fractions that replace the computed ones, where they are known
  /// and the addresses are not (textures).
  std::optional<double> L1Hit, L2Hit;
  CacheState Caches = CacheState::Warm;
  LaunchTiming Timing = LaunchTiming::BackToBack;
  unsigned Line = 0; ///< in cases.csv
};

/// Constants without a documented source may be calibrated on Fit only.
enum class Split : uint8_t { Fit, Check };
llvm::StringRef name(Split S);

/// Returns Check if the 64-bit FNV-1a hash of the id, with its halves folded,
/// is a multiple of 3: about a third of the cases, and always the same ones.
Split splitOf(llvm::StringRef CaseId);

struct MeasuredCase {
  std::string Id;
  std::string Kernel; ///< label that groups cases in tables
  std::string Gpu;
  /// Id of the case that measures the same launches on the same GPU at the base
  /// point, the clocks from which this case is scaled; "" where there is none.
  std::string Base;
  /// CPU on Cores cores of which the loop nests ran: the case is a time of
  /// --against cpu. "" = on the GPU.
  std::string Cpu;
  unsigned Cores = 1;
  std::vector<std::string> Overrides; ///< of the GPU: "core_clock=1380MHz"
  std::vector<CaseLaunch> Launches;   ///< not empty
  double Milliseconds = 0;            ///< of all launches and repeats
  std::optional<double> Spread;       ///< standard deviation / mean
  std::string Noisy;   ///< a reason: such a case is shown and not counted
  CaseValues Counters; ///< measured: "registers", "dram_bytes", ...
  Split Part = Split::Fit;

  std::optional<double> counter(llvm::StringRef Name) const;
};

struct Dataset {
  std::string Name, Description, Source;
  std::string Folder;                 ///< with dataset.yaml
  std::string CasesFile;              ///< path, for messages
  std::vector<std::string> Arguments; ///< of the compiler
  DivisionOperands Divisions = DivisionOperands::Ordinary; ///< of all cases
  /// Cases of one kernel are configurations of one problem, among which a
  /// tuner picks the fastest.
  bool Tuning = false;
  std::vector<MeasuredCase> Cases;

  /// "owner/name" of each repository that holds sources of the cases, sorted;
  /// empty where all are ours.
  std::vector<std::string> repositories() const;
};

/// Reads a dataset. Errors say "file:line:column: " and what was expected, all
/// problems of a file at once.
llvm::Expected<Dataset> loadDataset(llvm::StringRef Folder);

/// Folders below Folder that hold a dataset.yaml, sorted by name.
llvm::Expected<std::vector<std::string>> datasetFolders(llvm::StringRef Folder);

/// Returns Override if not empty, else the build-time source folder or the
/// install folder, whichever exists.
llvm::Expected<std::string> findValidationFolder(llvm::StringRef Override);

} // namespace gpuestimate

#endif
