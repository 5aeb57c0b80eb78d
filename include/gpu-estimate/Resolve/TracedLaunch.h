/// \file
/// What the traced warps of a launch have executed, by the code of the kernel's
/// function (of a module after prepareForAnalysis()).
#ifndef GPU_ESTIMATE_RESOLVE_TRACEDLAUNCH_H
#define GPU_ESTIMATE_RESOLVE_TRACEDLAUNCH_H

#include "gpu-estimate/Model/Kernel/ExecutedLaunch.h"
#include "gpu-estimate/Run/Records.h"
#include "gpu-estimate/Support/SourceLocation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
} // namespace llvm

namespace gpuestimate {

/// The counts of one warp.
struct TracedWarp {
  std::array<uint64_t, 3> Block{};
  unsigned Warp = 0;             ///< index in its thread block
  double Weight = 1;             ///< warps of the launch that it represents
  unsigned Sampled = 0;          ///< number of the sampled thread block
  std::vector<uint64_t> Runs;    ///< [block] executions by the warp
  std::vector<uint64_t> Entries; ///< [loop] entries from outside
  /// The sequences of ExecutedWarp::ReuseBytes, by load.
  llvm::DenseMap<const llvm::Instruction *, std::vector<double>> ReuseBytes;
};

// Sums over the warps, weighted by TracedWarp::Weight.
struct ConditionCounts {
  double Lanes = 0, True = 0;
};
struct BranchCounts {
  double Warps = 0, Divergent = 0;
  std::vector<double> Lanes; ///< [successor]
};
struct AccessCounts {
  double Requests = 0, Lanes = 0;
  double Sectors = 0; ///< 32-byte sectors
  /// A uniform sample of the requests: [lane] byte offset, NaN for inactive
  /// lanes.
  std::vector<std::vector<double>> Samples;
  std::vector<double> Weights; ///< [sample] requests that it stands for
  ExecutedReuse Reuse;
};

struct TracedLaunch {
  std::vector<const llvm::BasicBlock *> Blocks; ///< of the kernel
  std::vector<const llvm::BasicBlock *> Loops;  ///< headers
  std::vector<TracedWarp> Warps;                ///< that ran to their end
  std::vector<double> Runs, Lanes; ///< [block] executions by warps and lanes
  std::vector<double> Entries;     ///< [loop] by warps
  llvm::DenseMap<const llvm::Instruction *, ConditionCounts> Conditions;
  llvm::DenseMap<const llvm::Instruction *, BranchCounts> Branches;
  llvm::DenseMap<const llvm::Instruction *, AccessCounts> Accesses;
  uint64_t WantedWarps = 0; ///< number of sampled warps
  std::string Stop;         ///< why the trace ended early, "" if it did not
};

/// Kernel: the function that was traced. Fails if the trace is about a function
/// of another shape: then the program was built by another version.
llvm::Expected<TracedLaunch> readTrace(const RunTrace &Trace,
                                       const llvm::Function &Kernel);

} // namespace gpuestimate

#endif
