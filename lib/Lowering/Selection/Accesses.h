/// \file
/// Memory accesses with their symbolic addresses.
#ifndef GPU_ESTIMATE_LIB_LOWERING_SELECTION_ACCESSES_H
#define GPU_ESTIMATE_LIB_LOWERING_SELECTION_ACCESSES_H

#include "Lowering/Values/Values.h"

namespace gpuestimate {

/// One memory instruction to be recorded.
struct AccessRequest {
  const llvm::Instruction *At = nullptr;
  const llvm::Value *Pointer = nullptr; ///< null: the address is unknown
  Expr Extra; ///< bytes added to the pointer's offset; may be null
  unsigned Bytes = 4;
  AccessKind Kind = AccessKind::Load;
  std::optional<MemorySpace> Space; ///< else from the pointer
  bool BypassL1 = false, ReadOnly = false, ReturnsValue = true,
       CombinesLanes = false, MergesLanes = false, Real = false,
       CasLoop = false;
  /// An asynchronous copy that an mbarrier tells the end of, not a group.
  bool IsBulk = false;
};

/// Appends memory accesses with their symbolic addresses to a model.
class Accesses {
public:
  Accesses(KernelAnalyses &A, Values &V, Unknowns &Names, KernelModel &Model)
      : A(A), V(V), Names(Names), Model(Model), Ctx(*Model.Context) {}

  /// Appends the access and gives its index.
  unsigned add(const AccessRequest &R, unsigned Block);

  MemorySpace spaceOf(const llvm::Value *Pointer);
  /// Is Load an operand from constant memory, which needs no instruction: a
  /// kernel argument, or a constant at a compile-time address?
  bool isFreeRead(const llvm::LoadInst &Load);
  /// The object and offset that the integer or pointer V holds.
  PointerValue address(const llvm::Value *V);

  /// The instruction of each access.
  const std::vector<AccessOrigin> &origins() const { return Origins; }

  static OpClass classOf(MemorySpace Space, AccessKind Kind);

private:
  bool isReadOnly(const llvm::Instruction &At, const llvm::Value *Base) const;

  KernelAnalyses &A;
  Values &V;
  Unknowns &Names;
  KernelModel &Model;
  ExprContext &Ctx;
  std::vector<AccessOrigin> Origins;
};

} // namespace gpuestimate

#endif
