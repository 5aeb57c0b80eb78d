/// \file
/// How threads bring partial results together, as IR of a kernel.
///
/// Within a warp by five shuffles, within a block through one word of shared
/// memory per warp, a barrier, and the first warp again; from there one thread
/// of the block goes on (M. Harris, "Optimizing Parallel Reduction in CUDA",
/// and J. Luitjens, "Faster Parallel Reductions on Kepler", NVIDIA 2014).
#ifndef GPU_ESTIMATE_LIB_OFFLOAD_OUTLINE_COMBINE_H
#define GPU_ESTIMATE_LIB_OFFLOAD_OUTLINE_COMBINE_H

#include "llvm/IR/IRBuilder.h"
#include <optional>
#include <string>

namespace gpuestimate {

/// An associative operator on values of one type.
struct CombineOperator {
  std::string Symbol; ///< "+", "*", "min", "max", "&", "|", "^"
  llvm::Type *Type = nullptr;
  bool Unsigned = false; ///< integers, for "min" and "max"
  bool Truth = false;    ///< only 0 and 1

  /// Why threads cannot pass such values; "" if they can.
  std::string problem() const;
  llvm::Constant *identity() const;
  llvm::Value *apply(llvm::IRBuilder<> &Builder, llvm::Value *A,
                     llvm::Value *B) const;
  /// The instruction that does it in memory, on an NVIDIA architecture of
  /// compute capability Sm / 10 (CUDA C++ Programming Guide, "Atomic
  /// Functions").
  std::optional<llvm::AtomicRMWInst::BinOp> atomic(unsigned Sm) const;
};

/// Threads of a warp of every NVIDIA GPU.
constexpr unsigned WarpThreads = 32;
/// No block has more warps.
constexpr unsigned MostWarps = 32;

/// Where a thread stands.
class ThreadPlace {
public:
  /// Emits at Builder's place.
  explicit ThreadPlace(llvm::IRBuilder<> &Builder);
  llvm::Value *Index; ///< in its block, counted in x, then y, then z
  llvm::Value *Lane, *Warp;
  llvm::Value *Threads; ///< of a block
  llvm::Value *Warps;   ///< of a block
};
/// The block's number in the grid, and the number of blocks in it.
llvm::Value *blockIndex(llvm::IRBuilder<> &Builder);

/// The value of the lane that is Distance lanes above (Down) or below (Up), or
/// of the lane Distance itself (From).
enum class ShuffleDirection : uint8_t { Down, Up, From };
llvm::Value *shuffle(llvm::IRBuilder<> &Builder, ShuffleDirection Direction,
                     llvm::Value *V, unsigned Distance);

/// An array in the shared memory of a kernel.
llvm::GlobalVariable *sharedArray(llvm::Function &Kernel, llvm::Type *Element,
                                  unsigned Count, const llvm::Twine &Name);
void barrier(llvm::IRBuilder<> &Builder);

/// One value that all threads have a part of.
struct ThreadResult {
  CombineOperator Operator;
  llvm::Value *Own; ///< where each thread keeps its part
  llvm::Value *Out; ///< where the result goes, a pointer
  enum DestinationType : uint8_t {
    Atomic,   ///< onto *Out
    PerBlock, ///< to Out[number of the block]
    Direct,   ///< onto *Out, by the only block
  } Into = Atomic;
};

/// Before the kernel's one return, at which all threads meet.
void combineThreads(llvm::Function &Kernel,
                    llvm::ArrayRef<ThreadResult> Results,
                    const llvm::DebugLoc &At);

} // namespace gpuestimate

#endif
