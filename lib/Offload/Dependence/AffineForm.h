/// \file
/// Affine functions of loop counters, for dependence tests without polyhedra.
#ifndef GPU_ESTIMATE_LIB_OFFLOAD_DEPENDENCE_AFFINEFORM_H
#define GPU_ESTIMATE_LIB_OFFLOAD_DEPENDENCE_AFFINEFORM_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include <optional>

namespace gpuestimate {

/// The affine function Constant + sum(Factor * Counter) + sum(Factor * Symbol).
/// A counter is the iteration number of its loop, from 0; symbols are invariant
/// in the queried loop. No factor is 0. Example: the address of A[i][j] with
/// rows of 1024 floats is A + 4096 * i + 4 * j.
struct AffineForm {
  int64_t Constant = 0;
  llvm::SmallVector<std::pair<const llvm::Loop *, int64_t>, 4> Counters;
  llvm::SmallVector<std::pair<const llvm::SCEV *, int64_t>, 2> Symbols;

  int64_t coefficientOf(const llvm::Loop *L) const;
  bool isConstant() const { return Counters.empty() && Symbols.empty(); }
  /// Adds Times * Other. False if a number exceeds the range of addresses.
  bool add(const AffineForm &Other, int64_t Times);
};

/// The affine function that an expression computes modulo 2^64; nothing if it
/// is not affine. Around: the innermost loop that contains the use; Queried:
/// the loop in which symbols are invariant.
std::optional<AffineForm> affineForm(llvm::ScalarEvolution &SE,
                                     const llvm::SCEV *Value,
                                     const llvm::Loop *Around,
                                     const llvm::Loop &Queried);

/// The largest (Upper) or smallest value of Form over all iterations of the
/// loops inside Within (null: of all loops), as a function of the other
/// counters and the symbols. Nothing if a trip count is not affine.
std::optional<AffineForm> extremeValue(llvm::ScalarEvolution &SE,
                                       AffineForm Form, bool Upper,
                                       const llvm::Loop *Within,
                                       const llvm::Loop &Queried);

/// Divides Form by Stride: moves the integer multiples of Stride to Multiples
/// and returns the remainder. The constant is split so that the smallest
/// remainder is not negative, if the smallest value is known.
std::optional<AffineForm> divideByStride(llvm::ScalarEvolution &SE,
                                         AffineForm Form, int64_t Stride,
                                         const llvm::Loop &Queried,
                                         AffineForm &Multiples);

} // namespace gpuestimate

#endif
