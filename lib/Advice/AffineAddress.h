/// \file
/// The address of an access as a sum of steps: one for each coordinate of the
/// thread, of the block, and each counter of the loops around it.
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

/// Nothing where the address is not affine, or where it moves with a loop whose
/// trip count differs from thread to thread.
std::optional<AffineAddress> affineAddress(const Advisor &A, unsigned Access);

} // namespace gpuestimate

#endif
