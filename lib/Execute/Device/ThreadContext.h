/// \file
/// What compiled code knows of the GPU thread that it executes. The code reads
/// the members by their offsets (HostModule.cpp).
#ifndef GPU_ESTIMATE_LIB_EXECUTE_DEVICE_THREADCONTEXT_H
#define GPU_ESTIMATE_LIB_EXECUTE_DEVICE_THREADCONTEXT_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace gpuestimate {

class Fiber;
class RaceDetector;
struct TracedBlock;

/// The address space of shared memory in IR for NVPTX and AMDGPU.
inline constexpr unsigned SharedSpace = 3;

struct ThreadContext {
  uint32_t Thread[3] = {};    ///< threadIdx
  uint32_t Block[3] = {};     ///< blockIdx
  uint32_t BlockSize[3] = {}; ///< blockDim
  uint32_t Grid[3] = {};      ///< gridDim
  uint32_t Lane = 0, Warp = 0;
  /// Iterations of loops that wait for memory before other threads run.
  uint32_t SpinsLeft = 0;
  uint32_t DynamicSharedBytes = 0;
  char *Shared = nullptr; ///< static, then dynamic shared memory
  Fiber *Self = nullptr;
  uint64_t WarpSize = 32;
  TracedBlock *Trace = nullptr; ///< where the kernel is traced
  /// [block of code] executions, by a thread of which no more is traced.
  uint64_t *BlockCounts = nullptr;
  RaceDetector *Races = nullptr;
  /// GridWorkspace of a cooperative launch, which environment registers name.
  uint64_t GridWorkspace = 0;

  static constexpr uint32_t SpinsPerTurn = 16;
};

/// A static variable of shared memory.
struct SharedVariable {
  std::string Name;               ///< "tile"
  uint64_t Offset = 0, Bytes = 0; ///< in the shared memory of a block
};

/// Ends the launch of the thread that calls: a failed assertion, a call of
/// something that is not there.
[[noreturn]] void stopWithFault(ThreadContext *Context, std::string What,
                                const void *Site, std::string Buffer = {});

/// A kernel as compiled for the host: executes threads First to Last - 1 of a
/// block, by their linear index. Arguments has a pointer to each parameter.
using HostKernelFunction = void (*)(ThreadContext *Context,
                                    const void *const *Arguments,
                                    uint32_t First, uint32_t Last);

/// The operations for which the lanes of a warp wait for each other.
enum class CollectiveKind : uint32_t {
  ShuffleUp,
  ShuffleDown,
  ShuffleXor,
  ShuffleIndex,
  VoteAll,
  VoteAny,
  VoteUniform,
  Ballot,
  ActiveMask,
  MatchAny,
  MatchAll,
  AddReduce,
  UnsignedMin,
  UnsignedMax,
  SignedMin,
  SignedMax,
  AndReduce,
  OrReduce,
  XorReduce,
  Sync,
  Elect,
  FirstLane, ///< AMD: readfirstlane
  Permute,   ///< AMD: ds_bpermute
  MatrixProduct,
  WarpMatrix, ///< WarpMatrix.h
};

} // namespace gpuestimate

#endif
