/// \file
/// Functional emulation of some warps of a launch: their device IR (of a module
/// that prepareForAnalysis() has seen) is executed on given buffers, and what
/// they did is counted.
///
/// The lanes of a warp go in lock-step. Where a branch divides them the sides
/// run one after the other and meet at the branch's immediate post-dominator.
/// Where a kernel has barriers or shared memory, all warps of a sampled block
/// run, else only those that are looked at. Blocks run one after the other, in
/// a spread order: what the other blocks of the launch would have written is
/// not there.
#ifndef GPU_ESTIMATE_EMULATE_EMULATE_H
#define GPU_ESTIMATE_EMULATE_EMULATE_H

#include "gpu-estimate/Emulate/DeviceMemory.h"
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
  unsigned Bytes = 4; ///< of one lane
  uint64_t Mask = 0;  ///< lanes that take part
  /// [lane] bytes from the start of the buffer, of shared or of private memory.
  std::vector<uint64_t> Addresses;
};

struct EmulationRequest {
  const llvm::Function *Kernel = nullptr;
  Launch L;
  unsigned Lanes = 32; ///< of a warp, at most 64
  /// Bits of each argument of Kernel, one entry for each scalar of a structure;
  /// of one passed by value in memory, its address.
  std::vector<llvm::SmallVector<uint64_t, 1>> Arguments;
  DeviceMemory *Memory = nullptr;
  /// Address of a variable that Memory has already, 0: there is none.
  std::function<uint64_t(const llvm::GlobalVariable &)> Variable;
  /// Warps to look at, about; at least one block where blocks run whole.
  uint64_t Warps = 64;
  /// Warp instructions in all.
  uint64_t MaxSteps = 4000000;
  std::function<void(const EmulatedRequest &)> OnRequest; ///< may be empty
};

/// Why the emulation ended early.
struct EmulationStop {
  std::string Reason;
  const llvm::Instruction *At = nullptr; ///< null: of no place
};

/// An Error of decoding: the kernel cannot be emulated.
class NotEmulated : public llvm::ErrorInfo<NotEmulated> {
public:
  static char ID;
  NotEmulated(std::string Reason, const llvm::Instruction *At)
      : Stop{std::move(Reason), At} {}
  void log(llvm::raw_ostream &OS) const override;
  std::error_code convertToErrorCode() const override;

  EmulationStop Stop;
};

struct EmulatedWarp {
  std::array<uint64_t, 3> Block{};
  unsigned Warp = 0;             ///< of the block
  double Weight = 1;             ///< warps of the launch that it stands for
  unsigned Sampled = 0;          ///< number of the sampled thread block
  std::vector<uint64_t> Runs;    ///< [block] executions by the warp
  std::vector<uint64_t> Entries; ///< [loop] entries from outside
};

// Sums over the warps, each times the warps that it stands for.
struct ConditionCounts {
  double Lanes = 0, True = 0;
};
struct BranchCounts {
  double Warps = 0, Divergent = 0;
  std::vector<double> Lanes; ///< [successor]
};
struct AccessCounts {
  double Requests = 0, Lanes = 0;
  double Sectors = 0; ///< of 32 bytes
  /// Some of the requests, evenly: [lane] the address, NaN of idle lanes.
  std::vector<std::vector<double>> Samples;
};

struct Emulation {
  std::vector<const llvm::BasicBlock *> Blocks; ///< of the kernel
  std::vector<const llvm::BasicBlock *> Loops;  ///< headers
  std::vector<EmulatedWarp> Warps; ///< those that came to their end
  std::vector<double> Runs, Lanes; ///< [block] executions by warps and lanes
  std::vector<double> Entries;     ///< [loop] by warps
  llvm::DenseMap<const llvm::Instruction *, ConditionCounts> Conditions;
  llvm::DenseMap<const llvm::Instruction *, BranchCounts> Branches;
  llvm::DenseMap<const llvm::Instruction *, AccessCounts> Accesses;
  uint64_t WantedWarps = 0; ///< that were chosen
  std::optional<EmulationStop> Stop;
};

/// An error where nothing could be emulated; when the emulation stopped after
/// some warps had ended, these and the reason.
llvm::Expected<Emulation> emulate(const EmulationRequest &Request);

/// Do its blocks have to run whole: barriers, or memory that warps share?
bool runsWholeBlocks(const llvm::Function &Kernel);

} // namespace gpuestimate

#endif
