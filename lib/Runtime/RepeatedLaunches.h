/// \file
/// Finds launches whose results are known from an equal launch before.
///
/// Programs that measure a kernel launch it hundreds of times with the same
/// arguments. The contents of each allocation have a number that follows from
/// what wrote them: equal numbers are equal contents. A launch whose kernel,
/// arguments and contents equal those of an earlier one leaves what that one
/// left. Where this is in memory still, nothing is to be done; otherwise a copy
/// of it is put there, if one was kept.
#ifndef GPU_ESTIMATE_LIB_RUNTIME_REPEATEDLAUNCHES_H
#define GPU_ESTIMATE_LIB_RUNTIME_REPEATEDLAUNCHES_H

#include "Operations.h"
#include "gpu-estimate/Execute/Executor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace gpuestimate {

class MemoryTable;

class RepeatedLaunches {
public:
  explicit RepeatedLaunches(const MemoryTable &Memory) : Memory(Memory) {}

  /// The allocation at Address is new or has other contents.
  void wrote(const void *Address);
  /// Any memory may have changed.
  void wroteAnything();
  /// Bytes from Address on have changed in a way that Source tells: a hash of
  /// the bytes, or of the value that they all have.
  void wrote(const void *Address, uint64_t Bytes, uint64_t Source);

  /// One launch: what it reads and writes.
  class Inspection {
    friend class RepeatedLaunches;
    bool IsKnown = false;                ///< all that it reads and writes
    std::string Kernel;                  ///< with its shape and arguments
    uint64_t Before = 0;                 ///< hash of Kernel and contents
    std::vector<uint64_t> Read, Written; ///< addresses of allocations
  };

  /// Inspects a launch before it executes.
  Inspection inspect(Executor &E, uint64_t LoadedModule,
                     const KernelOperation &K);
  /// Puts the results of the launch into memory if they are known. Otherwise
  /// the launch has to execute.
  bool restore(const Inspection &I);
  /// The launch has executed; Completed: to its end.
  void executed(const Inspection &I, bool Completed);

private:
  struct Results {
    std::vector<uint64_t> Contents; ///< [Inspection::Written] their numbers
    std::vector<std::string> Bytes; ///< the same; empty: not kept
  };
  /// Memory that the host writes without a call is hashed.
  uint64_t contents(uint64_t Address) const;
  std::vector<uint64_t> contents(llvm::ArrayRef<uint64_t> Addresses) const;
  bool keep(const Inspection &I, Results &R);

  const MemoryTable &Memory;
  uint64_t Clock = 0, Epoch = 0;
  llvm::DenseMap<uint64_t, uint64_t> Contents; ///< by address of allocation
  std::map<std::pair<uint64_t, std::string>, KernelEffects> Effects;
  /// Contents of what a launch read and wrote, after it.
  std::map<std::string, std::vector<uint64_t>> Last;
  llvm::DenseMap<uint64_t, Results> Known; ///< by Inspection::Before
  uint64_t KeptBytes = 0;
};

} // namespace gpuestimate

#endif
