/// \file
/// Executes kernels of a device program on the CPU.
///
/// The device module (LLVM bitcode for NVPTX or AMDGPU, as clang generates it
/// before any pass) goes through prepareForAnalysis(), is translated to the
/// host's target, and is compiled by LLVM's ORC JIT when a kernel is launched
/// for the first time. Device pointers are pointers of this process.
///
/// Threads of a block execute together in the vectors of the host, 16 or 32 at
/// a time, where the kernel allows that
/// (lib/Execute/Vectorise/LaneVectoriser.h).
///
/// A kernel whose threads do not wait for each other is a loop over the threads
/// of a block. Otherwise every thread, or vector of threads, of a block is a
/// fiber with a stack of its own: it runs until it waits at a barrier, for
/// other lanes of its warp, or in a loop that reads memory which others write.
/// Blocks are spread over the cores and start in the order of their index.
#ifndef GPU_ESTIMATE_EXECUTE_EXECUTOR_H
#define GPU_ESTIMATE_EXECUTE_EXECUTOR_H

#include "gpu-estimate/Execute/DeviceAllocations.h"
#include "gpu-estimate/Run/Records.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuestimate {

struct ExecuteOptions {
  unsigned Threads = 0; ///< of the host; 0: one for each core
  /// Accesses behind an allocation go on where a GPU has mapped the memory, too
  /// (DeviceAllocations::openBehind()), instead of being a fault.
  bool OpensGranules = false;
  bool Checks = true; ///< faults of kernels become RunFaults
  /// With Checks: races on shared memory are searched in all thread blocks, not
  /// only in those that are traced and the first ones of each launch shape, and
  /// also between the lanes of a warp.
  bool AllRaces = false;
  /// Accesses of a thread block after which the search for races ends, without
  /// AllRaces: about two seconds.
  uint64_t MaxCheckedAccesses = 1 << 27;
  /// Whether kernels execute several threads at a time, in the vectors of the
  /// host: where a launch is long enough to make up for the time to compile
  /// that, or wherever a kernel has such a form.
  enum class VectorUse : uint8_t { Never, WhereUseful, Always };
  VectorUse Vectors = VectorUse::WhereUseful;
};

struct ExecutionRequest {
  std::array<uint64_t, 3> Grid = {1, 1, 1}, Block = {1, 1, 1};
  uint64_t DynamicSharedBytes = 0;
  /// A pointer to each parameter, as cudaLaunchKernel takes them.
  llvm::ArrayRef<const void *> Arguments;
  bool Cooperative = false; ///< all blocks are resident at once
  /// The launch ends when so many seconds of this host have passed.
  double Seconds = 3600;
  bool Trace = false; ///< counts the executions of some warps
  /// Only the thread blocks that the trace samples execute, in an order in
  /// which those of any first part are spread over the grid.
  bool SampledOnly = false;
  unsigned Lanes = 0; ///< of a warp; 0: as the module's target has
};

/// A launch in device code (dynamic parallelism).
struct ChildLaunch {
  std::string Kernel; ///< mangled, of the same module
  std::array<uint64_t, 3> Grid = {1, 1, 1}, Block = {1, 1, 1};
  uint64_t DynamicSharedBytes = 0;
  std::vector<std::string> Arguments; ///< the bytes of each
};

struct ExecutionResult {
  /// All blocks ran to their end (with SampledOnly: all sampled ones).
  bool Completed = false;
  std::optional<RunTrace> Trace;
  uint64_t TracedInstructions = 0; ///< instructions of the kernel that has it
  /// What ended the launch; Kernel is left to the caller.
  std::optional<RunFault> Fault;
  /// Races on shared memory, one for each pair of lines; the launch went on.
  std::vector<RunFault> Races;
  /// After so many accesses the search for races in a block ended; nullopt: no
  /// block had that many.
  std::optional<uint64_t> CheckedAccesses;
  /// What the executor cannot execute: "call of 'foo'". "" if nothing.
  std::string Unsupported;
  /// Threads that executed together; 1 if the kernel has no vector form, or was
  /// not worth one.
  unsigned ThreadsAtOnce = 1;
  /// The same for blocks that are traced, or else searched for races.
  unsigned RecordedAtOnce = 1;
  bool BudgetSpent = false; ///< Seconds have passed; Fault tells where it was
  /// What the kernel has launched: the caller is to execute it.
  std::vector<ChildLaunch> ChildLaunches;
};

/// What cudaFuncGetAttributes tells of a kernel.
struct KernelFacts {
  uint64_t StaticSharedBytes = 0, LocalBytes = 0, ConstantBytes = 0;
  unsigned MaxThreadsPerBlock = 1024; ///< __launch_bounds__
  unsigned Parameters = 0;
  bool WaitsForMemory = false; ///< in a loop, for what others write to it
};

/// The memory of the device that a kernel accesses. Kernels that print, read a
/// clock or a texture, or follow pointers that lie in memory have effects that
/// are not known.
struct KernelEffects {
  bool AreKnown = false;
  /// Numbers of parameters that are, or hold, pointers to what is accessed.
  std::vector<unsigned> ReadParameters, WrittenParameters;
  std::vector<std::string> ReadVariables, WrittenVariables; ///< mangled
};

enum class DeviceCode : uint8_t {
  Generated, ///< as clang generates it
  Prepared   ///< after prepareForAnalysis()
};

/// Thread-safe: launches run one after the other.
class Executor {
public:
  static llvm::Expected<std::unique_ptr<Executor>> create(ExecuteOptions);
  ~Executor();

  /// Takes the bitcode of a device module; the result is its number. Nothing is
  /// parsed before the module is used.
  llvm::Expected<uint64_t> load(llvm::StringRef Bitcode,
                                DeviceCode Code = DeviceCode::Generated);
  /// The storage of a __device__, __constant__ or __managed__ variable.
  llvm::Expected<void *> variable(uint64_t Module, llvm::StringRef Mangled);
  /// Fails for a kernel that does not exist, never for what the kernel does.
  llvm::Expected<ExecutionResult> launch(uint64_t Module,
                                         llvm::StringRef Kernel,
                                         const ExecutionRequest &Request);
  llvm::Expected<KernelFacts> facts(uint64_t Module, llvm::StringRef Kernel);
  llvm::Expected<KernelEffects> effects(uint64_t Module,
                                        llvm::StringRef Kernel);
  /// Memory for programs; kernels that access other memory of the process by
  /// mistake are not stopped.
  DeviceAllocations &memory();

private:
  class Implementation;
  explicit Executor(std::unique_ptr<Implementation> I);
  std::unique_ptr<Implementation> Impl;
};

} // namespace gpuestimate

#endif
