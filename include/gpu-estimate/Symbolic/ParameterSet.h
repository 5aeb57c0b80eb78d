/// \file
/// Names that many terms are asked about.
#ifndef GPU_ESTIMATE_SYMBOLIC_PARAMETERSET_H
#define GPU_ESTIMATE_SYMBOLIC_PARAMETERSET_H

#include "gpu-estimate/Symbolic/Expr.h"

namespace gpuestimate {

class ParameterSet {
public:
  void insert(llvm::StringRef Name);
  bool contains(llvm::StringRef Name) const { return Names.contains(Name); }
  /// Of the hashes of all names: a quick no.
  uint64_t mask() const { return Mask; }

private:
  llvm::StringMap<char> Names;
  uint64_t Mask = 0;
};

/// Names of the free parameters of several terms, sorted: cheaper than one
/// after the other where they share parts.
std::vector<std::string> parametersOf(llvm::ArrayRef<Expr> Terms);

/// The parameters among them by which values are shifted, n in `1 << n` and in
/// `x >> 2*n - 1`: numbers of bits, not sizes. Sorted.
std::vector<std::string> shiftAmountsOf(llvm::ArrayRef<Expr> Terms);

/// E depends on one of the names.
bool dependsOn(Expr E, const ParameterSet &Names);

} // namespace gpuestimate

#endif
