/// \file
/// Sets of parameter names, for fast tests whether terms depend on them.
#ifndef GPU_ESTIMATE_SYMBOLIC_PARAMETERSET_H
#define GPU_ESTIMATE_SYMBOLIC_PARAMETERSET_H

#include "gpu-estimate/Symbolic/Expr.h"

namespace gpuestimate {

class ParameterSet {
public:
  void insert(llvm::StringRef Name);
  bool contains(llvm::StringRef Name) const { return Names.contains(Name); }
  /// Bit set of the hashes of all names; a term without a common bit depends on
  /// none of them.
  uint64_t mask() const { return Mask; }

private:
  llvm::StringMap<char> Names;
  uint64_t Mask = 0;
};

/// Returns the free parameters of several terms, sorted. Subterms that the
/// terms share are visited once.
std::vector<std::string> parametersOf(llvm::ArrayRef<Expr> Terms);

/// Returns the parameters of Terms that are shift amounts, such as n in `1 <<
/// n` and in `x >> 2*n - 1`, sorted. They count bits and are no sizes.
std::vector<std::string> shiftAmountsOf(llvm::ArrayRef<Expr> Terms);

/// True if E depends on one of Names.
bool dependsOn(Expr E, const ParameterSet &Names);

} // namespace gpuestimate

#endif
