/// \file
/// The size of a loop's body as a compiler's unroller sees it.
#ifndef GPU_ESTIMATE_LIB_LOWERING_PIPELINE_UNROLLCOST_H
#define GPU_ESTIMATE_LIB_LOWERING_PIPELINE_UNROLLCOST_H

#include <cstdint>

namespace llvm {
class Loop;
}

namespace gpuestimate {

/// The body of a loop for the decision whether it is laid out completely.
struct UnrollCost {
  /// Cost of one iteration without the test and the branch back:
  ///
  ///   1  for an instruction, such as an addition, a comparison, a branch, a
  ///      load, or an address with a variable index;
  ///   4  for a division or a remainder;
  ///   1 + arguments for a call of a function or of inline assembly;
  ///   0  for casts that change no bits, truncations and constant offsets, and
  ///      for loads and stores of a private array, which become registers.
  ///
  /// A loop inside counts as four copies and a rest of its own: the unroller
  /// has laid it out for its unknown trip count before.
  ///
  /// Example: `acc[i] = acc[i] * v` is 4: address, product, the counter and its
  /// extension to 64 bits. Source: the default of TargetTransformInfo in LLVM
  /// 7; the exceptions are measured (CompilerHabits.cpp).
  uint64_t Iteration = 0;
  /// The counter of the loop, or what the body computes, selects elements of a
  /// private array.
  bool IndexesPrivateArray = false;

  /// Cost of Trips copies. Example: 4 and 606 trips make 2426.
  uint64_t ofCopies(uint64_t Trips) const { return Trips * Iteration + 2; }
};

UnrollCost unrollCost(const llvm::Loop &L);

} // namespace gpuestimate

#endif
