/// \file
/// Functional emulation of some warps of a launch: executes their device IR (of
/// a module after prepareForAnalysis()) on given buffers and counts executions,
/// branches and memory requests.
///
/// The lanes of a warp execute in lock-step. The paths of a divergent branch
/// run one after the other and reconverge at its immediate post-dominator.
/// Where a kernel has barriers or shared memory, all warps of a sampled thread
/// block run, else only the sampled warps. Thread blocks run one after the
/// other; writes of blocks that are not sampled are missing.
#ifndef GPU_ESTIMATE_EMULATE_EMULATE_H
#define GPU_ESTIMATE_EMULATE_EMULATE_H

#include "gpu-estimate/Emulate/DeviceMemory.h"
#include "gpu-estimate/Model/Kernel/ExecutedLaunch.h"
#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Model/Kernel/Launch.h"
#include "llvm/Support/Error.h"
#include <functional>

namespace llvm {
class BasicBlock;
class Function;
class GlobalVariable;
class Instruction;
} // namespace llvm

namespace gpuestimate {

/// One request of a warp to memory.
struct EmulatedRequest {
  const llvm::Instruction *At = nullptr;
  MemorySpace Space = MemorySpace::Global;
  unsigned Bytes = 4;              ///< per lane
  uint64_t Mask = 0;               ///< active lanes
  std::array<uint64_t, 3> Block{}; ///< of the warp
  unsigned Warp = 0;               ///< index in its thread block
  /// A number that no other buffer has.
  uint64_t Buffer = 0;
  /// [lane] byte offset in the buffer, or in shared or private memory.
  std::vector<uint64_t> Addresses;
};

struct EmulationRequest {
  const llvm::Function *Kernel = nullptr;
  Launch L;
  unsigned Lanes = 32; ///< per warp, at most 64
  /// The bits of each argument of Kernel, one entry per scalar of a structure;
  /// the address of an argument that is passed by value in memory.
  std::vector<llvm::SmallVector<uint64_t, 1>> Arguments;
  DeviceMemory *Memory = nullptr;
  /// The address of a variable that Memory holds already, 0 if it does not.
  std::function<uint64_t(const llvm::GlobalVariable &)> Variable;
  /// Number of warps to sample, about; at least one thread block where blocks
  /// run whole.
  uint64_t Warps = 64;
  /// Limit of the warp instructions of all warps.
  uint64_t MaxSteps = 4000000;
  std::function<void(const EmulatedRequest &)> OnRequest; ///< may be empty
};

/// Why the emulation ended early.
struct EmulationStop {
  std::string Reason;
  const llvm::Instruction *At = nullptr; ///< null: no instruction
};

/// The error of a kernel that cannot be emulated.
class EmulationUnsupported : public llvm::ErrorInfo<EmulationUnsupported> {
public:
  static char ID;
  EmulationUnsupported(std::string Reason, const llvm::Instruction *At)
      : Stop{std::move(Reason), At} {}
  void log(llvm::raw_ostream &OS) const override;
  std::error_code convertToErrorCode() const override;

  EmulationStop Stop;
};

/// The counts of one warp that ran to its end.
struct EmulatedWarp {
  std::array<uint64_t, 3> Block{};
  unsigned Warp = 0;             ///< index in its thread block
  double Weight = 1;             ///< warps of the launch that it represents
  unsigned Sampled = 0;          ///< number of the sampled thread block
  std::vector<uint64_t> Runs;    ///< [block] executions by the warp
  std::vector<uint64_t> Entries; ///< [loop] entries from outside
  /// The sequences of ExecutedWarp::ReuseBytes, by load.
  llvm::DenseMap<const llvm::Instruction *, std::vector<double>> ReuseBytes;
};

// Sums over the warps, weighted by EmulatedWarp::Weight.
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
  ExecutedReuse Reuse;
};

struct Emulation {
  std::vector<const llvm::BasicBlock *> Blocks; ///< of the kernel
  std::vector<const llvm::BasicBlock *> Loops;  ///< headers
  std::vector<EmulatedWarp> Warps;              ///< that ran to their end
  std::vector<double> Runs, Lanes; ///< [block] executions by warps and lanes
  std::vector<double> Entries;     ///< [loop] by warps
  llvm::DenseMap<const llvm::Instruction *, ConditionCounts> Conditions;
  llvm::DenseMap<const llvm::Instruction *, BranchCounts> Branches;
  llvm::DenseMap<const llvm::Instruction *, AccessCounts> Accesses;
  uint64_t WantedWarps = 0; ///< number of sampled warps
  std::optional<EmulationStop> Stop;
};

/// Emulates the sampled warps. Fails if no warp ran to its end; if the
/// emulation stopped later, returns the warps that ended and the reason.
llvm::Expected<Emulation> emulate(const EmulationRequest &Request);

/// Do all warps of a thread block have to run, because of barriers or shared
/// memory?
bool runsWholeBlocks(const llvm::Function &Kernel);

} // namespace gpuestimate

#endif
