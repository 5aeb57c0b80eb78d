/// \file
/// Memory accesses with their symbolic addresses.
#ifndef GPU_ESTIMATE_LIB_LOWERING_SELECTION_ACCESSES_H
#define GPU_ESTIMATE_LIB_LOWERING_SELECTION_ACCESSES_H

#include "Lowering/Values/Values.h"

namespace gpuestimate {

class Accesses {
public:
  Accesses(KernelAnalyses &A, Values &V, Unknowns &Names, KernelModel &Model)
      : A(A), V(V), Names(Names), Model(Model), Ctx(*Model.Context) {}

  struct Request {
    const llvm::Instruction *At = nullptr;
    const llvm::Value *Pointer = nullptr; ///< null: nothing is known
    Expr Extra; ///< added to the pointer's offset; may be null
    unsigned Bytes = 4;
    AccessKind Kind = AccessKind::Load;
    std::optional<MemorySpace> Space; ///< else from the pointer
    bool BypassL1 = false, ReadOnly = false, ReturnsValue = true,
         CombinesLanes = false;
  };
  /// Appends the access and gives its index.
  int add(const Request &R, unsigned Block);

  MemorySpace spaceOf(const llvm::Value *Pointer);
  /// A read whose value is an operand from constant memory: a kernel argument,
  /// or a constant at an address that is fixed at compile time.
  bool isFreeRead(const llvm::LoadInst &Load);
  /// The address that an integer or pointer holds.
  PointerValue address(const llvm::Value *V);

  /// Of each access, where it comes from.
  const std::vector<AccessPlace> &places() const { return Places; }

  static OpClass classOf(MemorySpace Space, AccessKind Kind);

private:
  bool isReadOnly(const llvm::Instruction &At, const llvm::Value *Base) const;

  KernelAnalyses &A;
  Values &V;
  Unknowns &Names;
  KernelModel &Model;
  ExprContext &Ctx;
  std::vector<AccessPlace> Places;
};

} // namespace gpuestimate

#endif
