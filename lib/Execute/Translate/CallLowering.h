/// \file
/// Replaces the calls of a device function that the host's target lacks:
/// intrinsics of NVPTX and AMDGPU, functions of the device library, inline PTX.
#ifndef GPU_ESTIMATE_LIB_EXECUTE_TRANSLATE_CALLLOWERING_H
#define GPU_ESTIMATE_LIB_EXECUTE_TRANSLATE_CALLLOWERING_H

#include "Execute/Device/MatrixFunctions.h"
#include "Execute/Device/ThreadContext.h"
#include "Execute/Device/WarpMatrix.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include <array>

namespace gpuestimate {

/// Where a function of a translated module finds its thread.
struct ThreadValues {
  llvm::Value *Context = nullptr; ///< pointer to ThreadContext
  /// In a kernel: threadIdx and its linear form. Null elsewhere.
  llvm::Value *Thread[3] = {}, *Linear = nullptr;
};

/// Is the call PTX's `exit`, which ends the thread?
bool isExit(const llvm::CallBase &Call);

/// Is the call a launch in device code, as the repair of the source writes it
/// (cuda-headers/gpu_estimate/dialect.h)? Its first arguments are the kernel,
/// grid, block and bytes of dynamic shared memory.
bool isDeviceLaunch(const llvm::CallBase &Call);

class CallLowering {
public:
  CallLowering(llvm::Function &F, const ThreadValues &Thread,
               const llvm::StringMap<void *> &Functions, bool IsAmd)
      : F(F), Thread(Thread), Functions(Functions), IsAmd(IsAmd) {}

  /// Lowers every call of the function.
  void run();
  /// Has a thread to wait for others?
  bool waits() const { return Waits; }

  using Builder = llvm::IRBuilder<>;

  /// What the lowering of one vendor's calls is made of. A special register by
  /// its name in PTX, such as "tid.x".
  llvm::Value *lowerRegister(llvm::StringRef Name, llvm::Type *T, Builder &B);
  llvm::Value *collective(CollectiveKind Kind, llvm::Value *Mask,
                          llvm::Value *Value, llvm::Value *BOperand,
                          llvm::Value *COperand, Builder &B);
  llvm::Value *barrier(llvm::Value *Number, llvm::Value *Expected,
                       llvm::Value *Predicate, bool WaitsFor, Builder &B);
  /// A call of a function of the runtime.
  llvm::Value *callRuntime(llvm::StringRef Name, llvm::Type *Result,
                           llvm::ArrayRef<llvm::Value *> Arguments, Builder &B);
  /// Lets other threads run.
  llvm::Value *spin(Builder &B);
  /// Null; the call cannot be executed because of What.
  llvm::Value *fail(const llvm::Twine &What);

private:
  /// The value in place of the call; null if it has none (void). Sets Unknown
  /// where the call cannot be executed.
  llvm::Value *lower(llvm::CallBase &Call, Builder &B);
  llvm::Value *lowerNvvm(llvm::CallBase &Call, llvm::StringRef Name,
                         Builder &B);
  llvm::Value *lowerBarrier(llvm::CallBase &Call, llvm::StringRef Name,
                            Builder &B);
  llvm::Value *lowerWarp(llvm::CallBase &Call, llvm::StringRef Name,
                         Builder &B);
  llvm::Value *lowerAtomic(llvm::CallBase &Call, llvm::StringRef Name,
                           Builder &B);
  llvm::Value *lowerAsyncCopy(llvm::CallBase &Call, llvm::StringRef Name,
                              Builder &B);
  llvm::Value *lowerMatrix(llvm::CallBase &Call, llvm::StringRef Name,
                           Builder &B);
  /// Put stores operands of the call to a fragment, Take makes the result of
  /// one.
  llvm::Value *lowerMatrixProduct(
      llvm::CallBase &Call, llvm::StringRef Name, const MatrixShape &Shape,
      llvm::function_ref<void(unsigned, unsigned, unsigned)> Put,
      llvm::function_ref<llvm::Value *(unsigned)> Take, Builder &B);
  llvm::Value *fragment(unsigned Number);
  llvm::Value *lowerLibrary(llvm::CallBase &Call, llvm::StringRef Name,
                            Builder &B);
  llvm::Value *lowerSeveralResults(llvm::CallBase &Call, llvm::StringRef Base,
                                   Builder &B);
  llvm::Value *lowerAssembly(llvm::CallBase &Call, Builder &B);
  llvm::Value *lowerDeviceLaunch(llvm::CallBase &Call, Builder &B);
  llvm::GlobalVariable *reservedShared();
  llvm::Value *lowerPtx(llvm::CallBase &Call, llvm::StringRef Mnemonic,
                        Builder &B);
  llvm::Value *lowerPhaseBarrier(llvm::CallBase &Call, llvm::StringRef Mnemonic,
                                 Builder &B);
  llvm::Value *lowerBulkCopy(llvm::CallBase &Call, llvm::StringRef Mnemonic,
                             Builder &B);
  llvm::Value *performWarpMatrix(llvm::CallBase &Call,
                                 const WarpMatrixInstruction &I,
                                 std::array<llvm::Value *, 3> Sources,
                                 llvm::Value *Warp, llvm::Value *Flags,
                                 Builder &B);
  llvm::Value *lowerWarpMatrix(llvm::CallBase &Call, llvm::StringRef Name,
                               Builder &B);
  llvm::Value *unpackPair(llvm::Value *R, llvm::Type *T, Builder &B);
  llvm::Value *inMemory(llvm::ArrayRef<llvm::Value *> Values, Builder &B);
  llvm::Value *privateMemory(uint64_t Bytes);

  /// A member of ThreadContext that is the same throughout the function.
  llvm::Value *member(size_t Offset, llvm::Type *T, Builder &B);
  llvm::Value *zero(Builder &B) { return B.getInt32(0); }

  llvm::Function &F;
  ThreadValues Thread;
  const llvm::StringMap<void *> &Functions;
  const bool IsAmd;    ///< whose assembler inline assembly is for
  std::string Unknown; ///< why the call cannot be executed
  bool Waits = false;
  /// Fragments of a matrix operation: A, B, C, D, and what a product takes.
  llvm::Value *Fragments[5] = {};
};

} // namespace gpuestimate

#endif
