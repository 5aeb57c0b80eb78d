/// \file
/// Outlines a loop nest into a kernel.
#ifndef GPU_ESTIMATE_LIB_OFFLOAD_OUTLINE_OUTLINEDKERNEL_H
#define GPU_ESTIMATE_LIB_OFFLOAD_OUTLINE_OUTLINEDKERNEL_H

#include "IrLoopNest.h"
#include "ThreadReduction.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace gpuestimate {

/// The mapping of a nest's iterations to threads.
struct IterationMapping {
  /// Loop Mapped[0] becomes threads and blocks in x, Mapped[1] in y, Mapped[2]
  /// in z. They are a chain of nested loops that begins with loop 0.
  llvm::ArrayRef<unsigned> Mapped;
  /// Reductions over these loops.
  llvm::ArrayRef<ReductionUpdate> Updates;
  /// The update that makes the one mapped loop a scan; null if it is none.
  const ReductionUpdate *Scan = nullptr;
  /// Compute capability times 10, which decides about atomic operations.
  unsigned Sm = 80;
};

/// Partial results, one per block, that a second launch must reduce.
struct PartialResults {
  AssociativeOperator Operator;
  KernelArgument Array;    ///< the kernel's argument, one element per block
  KernelArgument Variable; ///< pointer to the result
};

/// Placeholders of a scan: calls that stand for the value before an iteration
/// and for the value after it until transformToScan replaces them.
struct ScanPlaceholders {
  AssociativeOperator Operator;
  llvm::CallInst *Before = nullptr, *After = nullptr;
  llvm::Value *First = nullptr; ///< the value before the first iteration
  llvm::Value *Words =
      nullptr; ///< pointer to the look-back words, one per block

  void begin(llvm::IRBuilder<> &Builder, llvm::Type *Type);
  void end(llvm::IRBuilder<> &Builder, llvm::Value *Result);
};

struct OutlinedKernel {
  llvm::Function *Kernel = nullptr;
  /// Each thread runs every N-th iteration, N being the threads of the grid.
  bool Strided = false;
  std::vector<PartialResults> Partials;
  /// Updates of other memory than local variables.
  std::vector<ReductionUpdate> InMemory;
  /// Bytes behind arguments that point to results.
  llvm::StringMap<uint64_t> ResultBytes;
  ScanPlaceholders Scan;
  llvm::DebugLoc Location; ///< of the loop
};

/// The largest grid of a strided kernel, in blocks. With 256 threads per block
/// the largest GPUs keep about that many resident (132 multiprocessors of 2048
/// threads), so that a block reduces its threads' results once for many
/// iterations.
constexpr unsigned MaxStridedBlocks = 1024;

/// Makes a kernel in the module of the nest's function. Source receives the
/// arguments, named after the variables. An error says why the nest cannot be
/// outlined.
llvm::Expected<OutlinedKernel> outlineKernel(const IrLoopNest &Code,
                                             const IterationMapping &Mapping,
                                             KernelSource &Source);

} // namespace gpuestimate

#endif
