/// \file
/// The address of an access as an affine function of the coordinates of thread
/// and block and of the counters of the enclosing loops.
#ifndef GPU_ESTIMATE_LIB_ADVICE_AFFINEADDRESS_H
#define GPU_ESTIMATE_LIB_ADVICE_AFFINEADDRESS_H

#include "Advisor.h"
#include <string>
#include <vector>

namespace gpuestimate {

/// Address = Offset + sum of Step * parameter, in bytes, arguments bound.
struct AffineAddress {
  struct Term {
    std::string Parameter;
    double Step = 0;
    double Count = 1; ///< values 0 .. Count - 1 that the parameter takes
  };
  std::vector<Term> Terms;
  double Offset = 0;

  double step(llvm::StringRef Parameter) const;
  /// As an expression of the kernel's context.
  Expr expression(ExprContext &C) const;
};

/// Returns nullopt if the address is not affine, or if it depends on a loop
/// whose trip count differs between threads.
std::optional<AffineAddress> affineAddress(const Advisor &A, unsigned Access);

} // namespace gpuestimate

#endif
