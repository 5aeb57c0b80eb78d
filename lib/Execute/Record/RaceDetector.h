/// \file
/// Finds races on shared memory: two accesses of different threads of a block
/// to the same bytes, one of them a write, without a barrier in between.
///
/// Each word of shared memory has a shadow with its last write and two of its
/// reads. Barriers of the block number its epochs: accesses in different epochs
/// are ordered. Accesses of one warp are ordered by its collectives
/// (__syncwarp(), shuffles, votes), too, or not looked at: much code from
/// before Volta relies on the lock-step of a warp. What orders only some
/// threads (named barriers, waits for memory, locks) starts a new epoch for
/// all: races behind it are missed, none is invented. Atomic and volatile
/// accesses do not race with each other, nor do two writes of the same value
/// (as compute-sanitizer's racecheck takes them). Copies by hardware (cp.async)
/// and matrix instructions are not seen.
#ifndef GPU_ESTIMATE_LIB_EXECUTE_RECORD_RACEDETECTOR_H
#define GPU_ESTIMATE_LIB_EXECUTE_RECORD_RACEDETECTOR_H

#include "Execute/Device/ThreadContext.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include <utility>
#include <vector>

namespace llvm {
class Function;
class Value;
} // namespace llvm

namespace gpuestimate {

/// Two accesses that race: the later one in this execution is the second.
struct Race {
  uint64_t Sites[2] = {};   ///< in compiled code
  uint32_t Threads[2] = {}; ///< linear indices in the block
  bool Writes[2] = {};
  uint64_t Offset = 0; ///< in the block's shared memory
  uint32_t Bytes = 0;  ///< of the second access
};

/// The shadow of one block's shared memory. Blocks use it one after the other.
class RaceDetector {
public:
  /// Begins a block whose shared memory lies there. Lanes is a power of two.
  /// The search ends after so many accesses.
  void start(const char *Memory, uint64_t Bytes, unsigned Lanes, unsigned Warps,
             bool WithinWarps, uint64_t MaxAccesses = UINT64_MAX);
  bool hasEnded() const { return AccessesLeft == 0; }
  /// Accesses before and after are ordered, for all threads of the block.
  void order() { ++Epoch; }
  /// For the lanes of a warp.
  void orderWarp(unsigned Warp) { ++WarpEpochs[Warp]; }

  enum Flag : uint32_t {
    Write = 1,
    Synchronising = 2, ///< atomic or volatile
    HasValue = 4,
  };
  /// Value: what a write of up to eight bytes stores.
  void access(uint32_t Thread, uint64_t Address, uint32_t Bytes, uint32_t Flags,
              uint64_t Value, uint64_t Site);

  /// The first race of each pair of places in the code, since the last call.
  std::vector<Race> take() { return std::exchange(Found, {}); }

private:
  struct Access {
    uint64_t Site = 0;
    uint32_t Thread = 0, Epoch = 0, WarpEpoch = 0;
    uint8_t Mask = 0; ///< of the word's bytes
    uint8_t Flags = 0;
  };
  struct Word {
    Access Written, Read[2];
  };
  bool races(const Access &Before, const Access &Now) const;
  void report(const Access &Before, const Access &Now, uint64_t Offset,
              uint32_t Bytes);

  static constexpr uint64_t WordBytes = 4;
  uint64_t Begin = 0, End = 0;
  uint64_t AccessesLeft = UINT64_MAX;
  unsigned LanesShift = 5; ///< log2 of the lanes of a warp
  bool LooksWithinWarps = false;
  uint32_t Epoch = 0;
  std::vector<uint32_t> WarpEpochs;
  std::vector<Word> Words;
  llvm::DenseSet<std::pair<uint64_t, uint64_t>> Seen; ///< sites
  std::vector<Race> Found;
};

/// Adds a call before each access of the function that may be to shared memory.
void addRaceCalls(llvm::Function &F, llvm::Value *Context);

/// The functions that addRaceCalls() calls.
void addRaceFunctions(llvm::StringMap<void *> &Table);

} // namespace gpuestimate

#endif
