/// \file
/// IR of reductions over the threads of a block.
///
/// A warp reduces its values by five shuffles. A block stores one word per warp
/// in shared memory, and after a barrier its first warp reduces these words.
/// One thread of the block stores the result (M. Harris, "Optimizing Parallel
/// Reduction in CUDA", and J. Luitjens, "Faster Parallel Reductions on Kepler",
/// NVIDIA 2014).
#ifndef GPU_ESTIMATE_LIB_OFFLOAD_OUTLINE_THREADREDUCTION_H
#define GPU_ESTIMATE_LIB_OFFLOAD_OUTLINE_THREADREDUCTION_H

#include "llvm/IR/IRBuilder.h"
#include <optional>
#include <string>

namespace gpuestimate {

/// An associative operator on values of one type.
struct AssociativeOperator {
  std::string Symbol; ///< "+", "*", "min", "max", "&", "|", "^"
  llvm::Type *Type = nullptr;
  bool Unsigned = false; ///< integers, for "min" and "max"
  bool Truth = false;    ///< the values are 0 and 1

  /// Why threads cannot exchange values of this type; "" if they can.
  std::string problem() const;
  llvm::Constant *identity() const;
  llvm::Value *apply(llvm::IRBuilder<> &Builder, llvm::Value *A,
                     llvm::Value *B) const;
  /// The atomic operation on an NVIDIA GPU of compute capability Sm / 10, if
  /// there is one (CUDA C++ Programming Guide, "Atomic Functions").
  std::optional<llvm::AtomicRMWInst::BinOp> atomic(unsigned Sm) const;
};

/// Threads per warp of all NVIDIA GPUs.
constexpr unsigned WarpSize = 32;
/// Warps per block: 1024 threads.
constexpr unsigned MaxWarpsPerBlock = 32;

/// Indices of a thread, as IR values.
class ThreadIndices {
public:
  /// Emits their computation at the insertion point of Builder.
  explicit ThreadIndices(llvm::IRBuilder<> &Builder);
  llvm::Value *Index; ///< linear index in the block, x fastest
  llvm::Value *Lane, *Warp;
  llvm::Value *Threads; ///< of a block
  llvm::Value *Warps;   ///< of a block
};
/// The linear index of the block in the grid, x fastest.
llvm::Value *linearBlockIndex(llvm::IRBuilder<> &Builder);

/// Emits a shuffle: the value of the lane Distance above (Down), Distance below
/// (Up), or of lane number Distance (From).
enum class ShuffleDirection : uint8_t { Down, Up, From };
llvm::Value *emitShuffle(llvm::IRBuilder<> &Builder, ShuffleDirection Direction,
                         llvm::Value *V, unsigned Distance);

/// Creates an array in the shared memory of a kernel.
llvm::GlobalVariable *sharedArray(llvm::Function &Kernel, llvm::Type *Element,
                                  unsigned Count, const llvm::Twine &Name);
void emitBarrier(llvm::IRBuilder<> &Builder);

/// A reduction over the threads of a grid.
struct ThreadReduction {
  AssociativeOperator Operator;
  llvm::Value *Own; ///< address of the thread's private copy
  llvm::Value *Out; ///< address of the result
  enum DestinationType : uint8_t {
    Atomic,   ///< *Out is updated by an atomic operation
    PerBlock, ///< the result of a block is stored to Out[block index]
    Direct,   ///< the only block updates *Out
  } Into = Atomic;
};

/// Emits the reductions before the only return of the kernel, which all threads
/// reach.
void reduceThreads(llvm::Function &Kernel,
                   llvm::ArrayRef<ThreadReduction> Results,
                   const llvm::DebugLoc &Location);

} // namespace gpuestimate

#endif
