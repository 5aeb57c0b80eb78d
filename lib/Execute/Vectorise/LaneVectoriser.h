/// \file
/// Executes consecutive threads of a block together, one in each element of the
/// host's vectors (whole-function vectorisation: Karrenberg and Hack, CGO
/// 2011).
///
/// A value of the kernel has one of three shapes:
/// - uniform: equal in all lanes, one scalar;
/// - affine: lane L has Base + L * Stride with a constant Stride, one scalar
///   for Base, such as threadIdx.x and addresses of consecutive elements;
/// - varying: a vector with an element for each lane.
///
/// Blocks of code are laid out in one order in which loops are contiguous. Each
/// has a mask of the lanes that wait to execute it. A branch whose condition
/// varies adds lanes to the masks of both successors, and the next block whose
/// mask is not empty executes; a loop goes round until no lane is in the mask
/// of its header. Where no lane waits in between, a branch jumps at once. What
/// has no vector form (atomic operations, functions of the host's library) is a
/// loop over the active lanes.
///
/// Lanes thus execute in lock-step, as the warps of GPUs without independent
/// thread scheduling do. Refused are kernels in which that could make a thread
/// wait for ever, or meet another thread than it would alone: loops that wait
/// for memory, barriers of the block that some lanes may not reach yet.
///
/// The parts, in the order of use: LaneForm.h (what can be vectorised),
/// BlockOrder.h (layout, where lanes wait), LaneShapes.h (shapes),
/// LaneBuilder.h (values), InstructionLanes.h with CollectiveLanes.h,
/// RecordLanes.h and LaneLoop.h (instructions); branches are built here.
#ifndef GPU_ESTIMATE_LIB_EXECUTE_VECTORISE_LANEVECTORISER_H
#define GPU_ESTIMATE_LIB_EXECUTE_VECTORISE_LANEVECTORISER_H

#include "Execute/Translate/CallLowering.h"
#include "llvm/Support/Error.h"

namespace gpuestimate {

struct LaneVectorRequest {
  llvm::Function *Kernel = nullptr; ///< after its calls were lowered
  ThreadValues Thread;
  /// The number of its first parameter that is one of the source's.
  unsigned FirstParameter = 0;
  /// The lanes of each vector are in one row of the thread block.
  bool LanesShareRows = false;
  /// The host's features: "+avx2,+avx512f,...".
  llvm::StringRef HostFeatures;
};

struct LaneVectors {
  /// (ThreadContext *, i32 First, i32 Count, the source's parameters): executes
  /// the threads First to First + Count - 1, at most Lanes of them.
  llvm::Function *Function = nullptr;
  unsigned Lanes = 0; ///< a warp's 32 where lanes exchange values, else 16
};

/// Makes the vector form of a kernel; the kernel itself is left changed, but
/// means the same. Fails with the reason if it has none. Launches of the result
/// have warps of 32 lanes, and fewer than 2^31 threads in the direction of x if
/// blocks had 1024 there.
llvm::Expected<LaneVectors> vectoriseLanes(const LaneVectorRequest &Request);

} // namespace gpuestimate

#endif
