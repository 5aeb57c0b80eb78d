/// \file
/// What the integer arguments of a kernel are compared with: indices of threads
/// in guards, counters of nested loops. An argument without a value gets one
/// that fits (BindParameters.h).
#ifndef GPU_ESTIMATE_EVALUATE_ACCESS_ARGUMENTROLES_H
#define GPU_ESTIMATE_EVALUATE_ACCESS_ARGUMENTROLES_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Model/Kernel/Launch.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace gpuestimate {

class ArgumentRoles {
public:
  /// Parameters: the names of those that may be arguments. Hidden: loop
  /// counters and loaded values, whose range is not known.
  ArgumentRoles(const KernelModel &Kernel,
                llvm::ArrayRef<std::string> Parameters,
                const llvm::StringSet<> &Hidden);

  /// Least value with which every guard of the argument lets all threads of L
  /// pass: in `if (row < n)` with row = 16*blockIdx.y + threadIdx.y, 16 *
  /// gridDim.y. Constants that are added on either side are not counted, so
  /// that `i + 1 < n` asks for no more than `i < n`; the value is rounded up to
  /// whole thread blocks, so that `4*i + 3 < n` asks for 4 elements of each
  /// thread. Others: values of the other parameters; Rest is that of all which
  /// it lacks. Nothing if no guard compares the argument alone with an index of
  /// a block.
  std::optional<double> extent(llvm::StringRef Argument, const Launch &L,
                               const Bindings &Others, double Rest) const;
  /// Axes along which the blocks differ in the indices that extent() looks at,
  /// but for those that contain other arguments: bit 0 is x.
  unsigned guardedAxes(llvm::StringRef Argument) const;
  /// Whether an index that extent() looks at contains other arguments.
  bool dependsOnOthers(llvm::StringRef Argument) const;

  /// Number of nested loops whose trip counts depend on arguments, in the
  /// deepest nest that has a loop up to Argument: 3 in `for (c < C) for (y < K)
  /// for (x < K)` for C and for K; 0 if it bounds no loop. Loops that stride
  /// over the grid are not counted.
  unsigned loopDepth(llvm::StringRef Argument) const;

private:
  /// Index < Scale * argument, of threads that go on.
  struct Guard {
    Expr Index;
    double Scale;
    bool HasOthers; ///< Index depends on other arguments
  };
  struct Role {
    std::vector<Guard> Guards;
    unsigned Depth = 0;
  };
  void addGuard(Expr Index, Expr Limit, const llvm::StringSet<> &Hidden);
  void findDepths(const KernelModel &Kernel);

  llvm::StringMap<Role> Roles; ///< of every parameter
};

} // namespace gpuestimate

#endif
