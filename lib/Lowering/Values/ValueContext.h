/// \file
/// What the translators of IR values to expressions share.
#ifndef GPU_ESTIMATE_LIB_LOWERING_VALUES_VALUECONTEXT_H
#define GPU_ESTIMATE_LIB_LOWERING_VALUES_VALUECONTEXT_H

#include "Lowering/Pipeline/Analyses.h"
#include "Unknowns.h"
#include "gpu-estimate/Model/Kernel/KernelSource.h"
#include <functional>

namespace gpuestimate {

/// The kernel, its analyses, the names of its loop counters, and the limits of
/// the recursion.
struct ValueContext {
  ValueContext(KernelAnalyses &A, const KernelSource &Source,
               KernelModel &Model, Unknowns &Names);

  /// The iteration number of L, from 0, as a parameter.
  Expr counter(const llvm::Loop *L);
  /// Has E one value in all iterations of one entry of L?
  bool isInvariant(Expr E, const llvm::Loop *L);
  /// Does E have more than MaxNodes nodes? Such a term becomes an unknown: an
  /// unrolled hash function would grow without bound.
  bool isTooLarge(Expr E) { return nodeCount(E) > MaxNodes; }

  /// Levels of recursion beyond which a value becomes an unknown.
  static constexpr unsigned MaxDepth = 500;
  static constexpr unsigned MaxNodes = 400;

  KernelAnalyses &A;
  const KernelSource &Source;
  Unknowns &Names;
  ExprContext &Ctx;
  /// Iterations per entry of a loop (TripCounts); set before the first use.
  std::function<Expr(const llvm::Loop *)> TripCountOf;
  llvm::DenseMap<const llvm::Loop *, std::string> Counters;
  unsigned ExprDepth = 0;  ///< recursion of IntegerValues and PointerValues
  unsigned ChainDepth = 0; ///< recursion through SCEVs and chains of loads

private:
  unsigned nodeCount(Expr E);

  llvm::DenseMap<const ExprNode *, unsigned> NodeCounts;
};

} // namespace gpuestimate

#endif
