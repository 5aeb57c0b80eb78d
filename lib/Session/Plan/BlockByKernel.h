/// \file
/// The thread block that a kernel is made for, by what it does with threadIdx.
///
///   1. The extent of an array in shared memory: `tile[threadIdx.y]
///      [threadIdx.x]` of `float tile[16][17]` has room for 16 x 16 threads.
///   2. The stride of a loop that starts at threadIdx: in `for (c =
///   threadIdx.x;
///      c < n; c += 128)` a thread beyond 128 would repeat the work of another.
///   3. The distance of neighbouring blocks, or of the elements of a thread
///   that
///      fill it: in `x[blockIdx.x * 512 + 128 * k + threadIdx.x]` with k < 4
///      blocks of more than 128 threads would overlap.
///   4. `__launch_bounds__`, which the others do not exceed.
///
/// The least size along an axis that one of 1 to 3 gives counts, rounded down
/// to a power of two from 32 on; the number of threads is at most that of 4, or
/// that number where 1 to 3 give none.
#ifndef GPU_ESTIMATE_LIB_SESSION_PLAN_BLOCKBYKERNEL_H
#define GPU_ESTIMATE_LIB_SESSION_PLAN_BLOCKBYKERNEL_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"

namespace gpuestimate {

struct BlockByKernel {
  std::array<uint64_t, 3> Shape = {1, 1, 1};
  /// False: the kernel leaves one axis open, whose size is a usual one.
  bool IsWhole = true;
  std::string Why; ///< "its __launch_bounds__"
};

/// A block of a usual size, 256 threads or 16 x 16, where the kernel tells
/// nothing.
BlockByKernel blockByKernel(const KernelModel &Kernel);

/// A block of so many threads in the usual shape: 16 columns where IsPlane.
std::array<uint64_t, 3> usualBlock(uint64_t Threads, bool IsPlane);

} // namespace gpuestimate

#endif
