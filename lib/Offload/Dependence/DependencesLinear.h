/// \file
/// Addresses as sums of whole multiples of loop counters, for proofs that need
/// no polyhedra.
#ifndef GPU_ESTIMATE_LIB_OFFLOAD_DEPENDENCE_DEPENDENCESLINEAR_H
#define GPU_ESTIMATE_LIB_OFFLOAD_DEPENDENCE_DEPENDENCESLINEAR_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include <optional>

namespace gpuestimate {

/// Constant + sum of Factor * Counter + sum of Factor * Symbol. Counters count
/// the iterations of their loop from 0; symbols do not change in the loop that
/// is asked about. No factor is 0.
struct LinearForm {
  int64_t Constant = 0;
  llvm::SmallVector<std::pair<const llvm::Loop *, int64_t>, 4> Counters;
  llvm::SmallVector<std::pair<const llvm::SCEV *, int64_t>, 2> Symbols;

  int64_t factorOf(const llvm::Loop *L) const;
  bool isConstant() const { return Counters.empty() && Symbols.empty(); }
  /// False: a number grows beyond what an address can be.
  bool add(const LinearForm &Other, int64_t Times);
};

/// The sum that an expression is, modulo 2^64. Nothing if it is another one.
/// Around: the innermost loop in which the value is used; Asked: symbols do not
/// change in it.
std::optional<LinearForm> linearForm(llvm::ScalarEvolution &SE,
                                     const llvm::SCEV *Value,
                                     const llvm::Loop *Around,
                                     const llvm::Loop &Asked);

/// The largest (Upper) or smallest values that Form takes while the counters of
/// the loops within Within (null: all loops) run, by the other counters and the
/// symbols. Nothing if a number of iterations is not linear.
std::optional<LinearForm> extremeOf(llvm::ScalarEvolution &SE, LinearForm Form,
                                    bool Upper, const llvm::Loop *Within,
                                    const llvm::Loop &Asked);

/// What is left of Form when its whole multiples of Unit move to Multiples. The
/// constant goes where the least value of what is left is not negative, if that
/// can be told.
std::optional<LinearForm> splitOff(llvm::ScalarEvolution &SE, LinearForm Form,
                                   int64_t Unit, const llvm::Loop &Asked,
                                   LinearForm &Multiples);

} // namespace gpuestimate

#endif
