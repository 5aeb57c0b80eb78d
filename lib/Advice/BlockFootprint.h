/// \file
/// Which elements the threads of one block touch: by enumerating the threads
/// of a block in the middle of the grid for a bounded number of iterations.
#ifndef GPU_ESTIMATE_LIB_ADVICE_BLOCKFOOTPRINT_H
#define GPU_ESTIMATE_LIB_ADVICE_BLOCKFOOTPRINT_H

#include "Advisor.h"
#include "gpu-estimate/Symbolic/CompiledExprs.h"

namespace gpuestimate {

class BlockFootprint {
public:
  /// Accesses: indices into the kernel's, of one object.
  BlockFootprint(const Advisor &A, llvm::ArrayRef<unsigned> Accesses);

  /// Elements of one execution, or of several: Loops run for Iterations each
  /// (at most MaxPoints in all, then their number is cut), all others stand
  /// still at their first iteration.
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
  /// Adds those of each thread.
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
