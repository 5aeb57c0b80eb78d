/// \file
/// Counts the elements that the threads of one block touch, by enumerating the
/// threads of a block in the middle of the grid for a bounded number of
/// iterations.
#ifndef GPU_ESTIMATE_LIB_ADVICE_BLOCKFOOTPRINT_H
#define GPU_ESTIMATE_LIB_ADVICE_BLOCKFOOTPRINT_H

#include "Advisor.h"
#include "gpu-estimate/Symbolic/CompiledExprs.h"

namespace gpuestimate {

class BlockFootprint {
public:
  /// Accesses holds indices into the kernel's accesses, all of one object.
  BlockFootprint(const Advisor &A, llvm::ArrayRef<unsigned> Accesses);

  /// Counts the elements of one execution of the accesses, or of several: Loops
  /// run for Iterations each, of which at most MaxPoints combinations are
  /// enumerated; all other loops stay at their first iteration.
  struct Count {
    double Distinct = 0;  ///< elements that any thread touches
    double ByThreads = 0; ///< sum over the threads of what each touches
    double Points = 1;    ///< combinations of iterations that were enumerated
  };
  Count count(llvm::ArrayRef<unsigned> Loops,
              llvm::ArrayRef<double> Iterations);

  static constexpr double MaxPoints = 64;

private:
  using Addresses = std::vector<int64_t>;
  /// Adds the addresses of each thread.
  void collect(std::vector<Addresses> &ByThread);

  const Launch &L;
  std::vector<std::string> Names; ///< of the inputs, counters last
  unsigned Outputs; ///< of each access: address, share that is active
  CompiledExprs Program;
  std::vector<double> Inputs, Out; ///< [input or output * threads + thread]
  unsigned Threads;
};

} // namespace gpuestimate

#endif
