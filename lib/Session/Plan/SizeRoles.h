/// \file
/// Which arguments of a kernel are sizes of its work, and what the kernel tells
/// of its launch where nobody else does (docs/unknown-sizes.md).
///
///   blocks along an axis = ceil(n / elements of one block),
///
/// where the kernel compares the index of its threads with n. Example: of
/// `i = blockIdx.x * blockDim.x + threadIdx.x; if (4 * i + 3 < n)` a block of
/// 256 threads has 1024 elements, and n = 1,000,000 makes 977 blocks.
#ifndef GPU_ESTIMATE_LIB_SESSION_PLAN_SIZEROLES_H
#define GPU_ESTIMATE_LIB_SESSION_PLAN_SIZEROLES_H

#include "BlockByKernel.h"
#include "gpu-estimate/Evaluate/Access/BindParameters.h"

namespace gpuestimate {

class SizeRoles {
public:
  /// Kernel stays owned by the caller.
  explicit SizeRoles(const KernelModel &Kernel);

  /// Integer arguments of which follows how many blocks there are along the
  /// axis, sorted.
  llvm::ArrayRef<std::string> drivers(unsigned Axis) const {
    return Drivers[Axis];
  }
  /// Whether the argument is among the drivers of any axis.
  bool drives(llvm::StringRef Name) const;
  /// Blocks along the axis so that N elements of the driver have a thread; 0 if
  /// the index has no such form.
  uint64_t blocksFor(unsigned Axis, llvm::StringRef Driver, double N,
                     const std::array<uint64_t, 3> &Block) const;

  /// Integer arguments that bound a loop or the length of a wait, or drive the
  /// grid, sorted.
  llvm::ArrayRef<std::string> sizes() const { return Sizes; }
  bool isSize(llvm::StringRef Name) const;
  /// The argument drives the grid and decides nothing else.
  bool isGuardOnly(llvm::StringRef Name) const;
  bool isShiftAmount(llvm::StringRef Name) const;
  /// Nested loops that the argument bounds one of; 0 if it bounds none.
  unsigned loopDepth(llvm::StringRef Name) const;

  /// Every parameter that the kernel's expressions contain, but for coordinates
  /// and loop counters, sorted.
  llvm::ArrayRef<std::string> parameters() const { return Used.Outer; }

  /// Whether the kernel distinguishes its blocks along the axis.
  bool readsBlockIdx(unsigned Axis) const { return BlockAxes >> Axis & 1; }
  /// Whether the number of blocks along the axis follows an argument, or is 1:
  /// since all blocks would do the same there, or since one index numbers the
  /// blocks of several axes (`blockIdx.y * gridDim.x + blockIdx.x`), of which
  /// the first has all of them.
  bool tellsGrid(unsigned Axis) const {
    return !Drivers[Axis].empty() || (NumberedAxes >> Axis & 1) ||
           (BlockAxes != 0 && !readsBlockIdx(Axis));
  }
  /// Whether the distance of neighbouring blocks in an address follows the
  /// threads of a block: 4 * (blockIdx.x * blockDim.x + threadIdx.x). The work
  /// of a launch is then in its threads, else in its blocks.
  bool spansThreads(unsigned Axis) const;
  bool readsThreadIdx(unsigned Axis) const { return ThreadAxes >> Axis & 1; }
  /// What it is made for, or a usual one.
  const BlockByKernel &block() const { return Block; }

private:
  void findDrivers();
  void findSizes();

  const KernelModel &Kernel;
  UsedParameters Used;
  std::array<std::vector<std::string>, 3> Drivers;
  llvm::StringSet<> Strided; ///< that bound a loop which strides over the grid
  llvm::StringSet<> WithoutGuard; ///< of them, drivers by that loop alone
  std::vector<std::string> Sizes, GuardOnly;
  /// Axes that an index over several axes numbers after its first.
  unsigned NumberedAxes = 0;
  unsigned BlockAxes = 0, ThreadAxes = 0;
  BlockByKernel Block;
};

} // namespace gpuestimate

#endif
