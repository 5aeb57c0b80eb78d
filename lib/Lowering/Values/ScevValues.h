/// \file
/// Terms of ScalarEvolution as symbolic expressions.
#ifndef GPU_ESTIMATE_LIB_LOWERING_VALUES_SCEVVALUES_H
#define GPU_ESTIMATE_LIB_LOWERING_VALUES_SCEVVALUES_H

#include "ValueContext.h"

namespace gpuestimate {

class IntegerValues;

class ScevValues {
public:
  ScevValues(ValueContext &Context, IntegerValues &Integers)
      : Context(Context), Names(Context.Names), Ctx(Context.Ctx),
        Integers(Integers) {}

  Expr of(const llvm::SCEV *S);

private:
  using Memo = llvm::DenseMap<const llvm::SCEV *, Expr>;
  Expr of(const llvm::SCEV *S, Memo &Translated);
  Expr compute(const llvm::SCEV *S, Memo &Translated);
  Expr unknownBound();

  ValueContext &Context;
  Unknowns &Names;
  ExprContext &Ctx;
  IntegerValues &Integers;
};

} // namespace gpuestimate

#endif
