/// \file
/// The code of one loop nest, cut out of its function.
#ifndef GPU_ESTIMATE_LIB_OFFLOAD_OUTLINE_OUTLINE_H
#define GPU_ESTIMATE_LIB_OFFLOAD_OUTLINE_OUTLINE_H

#include "Combine.h"
#include "Offload/Dependence/Dependences.h"
#include "gpu-estimate/Frontend/HostNest.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Support/Error.h"

namespace gpuestimate {

/// Where the loops of a nest are in the raw code of a host function: variables
/// are still places in memory, and a `for` is the block that tests its
/// condition, its body, and the block that takes the step.
class NestCode {
public:
  NestCode(llvm::Function &F, const HostNest &Nest);

  /// Null when the compiler has made no loop of it (`for (;0;)`).
  const llvm::Loop *loop(unsigned Index) const { return Loops[Index]; }
  /// Why the loop cannot be spread over threads by its form; "" if it can.
  std::string obstacle(unsigned Index) const;
  /// Does Outer's body do nothing that others see, outside of Inner? Threads
  /// of Inner's iterations would repeat it. Others see Shared's variables too.
  bool isPerfect(unsigned Outer, unsigned Inner,
                 llvm::ArrayRef<LoopUpdate> Shared) const;
  /// Does the nest begin where control arrives from After, the block behind
  /// another nest, with nothing in between but settings of local variables?
  bool follows(const llvm::BasicBlock *After) const;

  llvm::Function &function() const { return F; }
  const HostNest &nest() const { return Nest; }

private:
  llvm::Function &F;
  const HostNest &Nest;
  llvm::DominatorTree DT;
  llvm::LoopInfo LI;
  std::vector<const llvm::Loop *> Loops;
};

/// How the nest's iterations become threads.
struct NestShape {
  /// Loop Mapped[0] runs over threads and blocks in x, Mapped[1] in y,
  /// Mapped[2] in z: a chain of nested loops that begins with loop 0.
  llvm::ArrayRef<unsigned> Mapped;
  /// Through which the iterations of these loops meet.
  llvm::ArrayRef<LoopUpdate> Updates;
  /// The one mapped loop is a scan through this.
  const LoopUpdate *Scan = nullptr;
  /// Compute capability times 10: which atomic operations there are.
  unsigned Sm = 80;
};

/// Partial results, one of each block, that another launch must combine.
struct PartialResults {
  CombineOperator Operator;
  KernelArgument Array;    ///< argument of the kernel, one element a block
  KernelArgument Variable; ///< where the result belongs: a pointer
};

/// Where a scan's iteration takes what came before, and leaves what it made of
/// it: calls that stand for both until makeScan.
struct ScanMarks {
  CombineOperator Operator;
  llvm::CallInst *Before = nullptr, *After = nullptr;
  llvm::Value *First = nullptr; ///< what came before the first iteration
  llvm::Value *Words = nullptr; ///< through which blocks tell their sums

  void begin(llvm::IRBuilder<> &Builder, llvm::Type *Type);
  void end(llvm::IRBuilder<> &Builder, llvm::Value *Result);
};

struct OutlinedNest {
  llvm::Function *Kernel = nullptr;
  /// Each thread takes every so many-th iteration, as many as threads are in
  /// the grid.
  bool Strided = false;
  std::vector<PartialResults> Partials;
  /// Updates that are not of a local variable.
  std::vector<LoopUpdate> InMemory;
  /// Bytes behind arguments that are pointers to results.
  llvm::StringMap<uint64_t> ResultBytes;
  ScanMarks Scan;
  llvm::DebugLoc At; ///< of the loop
};

/// The grid of a kernel whose threads walk several iterations has no more
/// blocks: with 256 threads a block about what the largest GPUs keep resident
/// (132 multiprocessors of 2048 threads), so that each block combines its
/// threads' results once for many iterations.
constexpr unsigned MostStridedBlocks = 1024;

/// Makes a kernel in F's module. Source gets the arguments; their names are
/// those of the variables.
llvm::Expected<OutlinedNest>
outlineNest(const NestCode &Code, const NestShape &Shape, KernelSource &Source);

/// The one-block kernel that combines what the blocks of another one left.
llvm::Function *makeFinalKernel(llvm::Module &M,
                                llvm::ArrayRef<PartialResults> Partials,
                                const llvm::DebugLoc &At, KernelSource &Source);

/// Variables out of memory, one address for one element, choices without
/// branches.
void simplifyKernel(llvm::Function &Kernel);

/// Turns the updates in memory of an outlined kernel into atomic operations;
/// an element that no thread's place changes is summed up by the block first.
llvm::Error convertUpdates(llvm::Function &Kernel,
                           llvm::ArrayRef<LoopUpdate> Updates, unsigned Sm);

} // namespace gpuestimate

#endif
