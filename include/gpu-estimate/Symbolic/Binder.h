/// \file
/// Substitutes numbers or terms for the parameters of many terms.
#ifndef GPU_ESTIMATE_SYMBOLIC_BINDER_H
#define GPU_ESTIMATE_SYMBOLIC_BINDER_H

#include "gpu-estimate/Symbolic/Expr.h"

namespace gpuestimate {

/// ExprContext::import and bind (or substitute) in one pass; subterms that
/// several terms share are rewritten once.
class Binder {
public:
  Binder(ExprContext &Into, const Bindings &Values);
  /// Replaces parameters by terms, as ExprContext::substitute does.
  Binder(ExprContext &Into, llvm::StringMap<Expr> Replacements);
  ~Binder();
  /// E may belong to any context.
  Expr operator()(Expr E);

private:
  struct Impl;
  std::unique_ptr<Impl> I;
};

} // namespace gpuestimate

#endif
