/// \file
/// Pointers of the IR as objects with byte offsets.
#ifndef GPU_ESTIMATE_LIB_LOWERING_VALUES_POINTERVALUES_H
#define GPU_ESTIMATE_LIB_LOWERING_VALUES_POINTERVALUES_H

#include "PointerValue.h"
#include "ValueContext.h"

namespace gpuestimate {

class IntegerValues;
struct Join;
class Recurrences;
class ScevValues;

/// Translates pointers, among them pointers that are loaded from memory (arrays
/// of pointers, linked lists).
class PointerValues {
public:
  PointerValues(ValueContext &Context, IntegerValues &Integers,
                Recurrences &Recurrent, ScevValues &Scevs)
      : Context(Context), A(Context.A), Names(Context.Names), Ctx(Context.Ctx),
        Integers(Integers), Recurrent(Recurrent), Scevs(Scevs) {}

  PointerValue of(const llvm::Value *V);
  /// May V differ between the lanes of a warp? LLVM's uniformity analysis takes
  /// every load through a generic pointer to be divergent; here the load of a
  /// uniform address is uniform.
  bool isLaneVarying(const llvm::Value *V);

private:
  PointerValue compute(const llvm::Value *V);
  /// The pointer P or Q, as J selects it. Where data decides between two
  /// objects, the likelier one stands for both.
  PointerValue join(const Join &J, const PointerValue &P,
                    const PointerValue &Q);
  /// A pointer, or an integer that becomes one, that is loaded from memory.
  PointerValue readPointer(const llvm::LoadInst &I);
  /// A header phi that is no affine recurrence of SCEV's.
  PointerValue changingPointer(const llvm::PHINode &Phi);
  /// A header phi that stays in one object, with an offset in closed form: a
  /// pointer into a ring of buffers. The offset is null where there is none.
  PointerValue recurrentPointer(const llvm::PHINode &Phi);
  /// The header phi of a linked list, `p = p->next`, of which V is an element;
  /// null if V is not such an element.
  const llvm::PHINode *listOf(const llvm::Value *V);
  bool computeLaneVarying(const llvm::Value *V);

  /// The object of each phi whose recurrence is being computed.
  llvm::DenseMap<const llvm::PHINode *, const llvm::Value *> OpenBases;
  ValueContext &Context;
  KernelAnalyses &A;
  Unknowns &Names;
  ExprContext &Ctx;
  IntegerValues &Integers;
  Recurrences &Recurrent;
  ScevValues &Scevs;
  llvm::DenseMap<const llvm::Value *, PointerValue> Memo;
  /// The phi at the root of the chain of loads that yields a value, or null.
  llvm::DenseMap<const llvm::Value *, const llvm::Value *> ChainRoots;
  llvm::DenseMap<const llvm::Value *, bool> LaneVarying;
};

} // namespace gpuestimate

#endif
