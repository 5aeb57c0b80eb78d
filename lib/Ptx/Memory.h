/// \file
/// Loads, stores, atomic operations, copies and addresses (PTX ISA, "Data
/// Movement and Conversion", "Parallel Synchronization": atom and red).
#ifndef GPU_ESTIMATE_LIB_PTX_MEMORY_H
#define GPU_ESTIMATE_LIB_PTX_MEMORY_H

#include "Operands.h"

namespace gpuestimate {

/// Appends the code of an instruction that reads or writes memory, or makes a
/// pointer of one space of another's. False if I is none, or has a form that
/// LLVM IR cannot say, such as a cache operator.
class PtxMemory {
public:
  PtxMemory(llvm::IRBuilder<> &B, PtxOperands &Operands)
      : B(B), Operands(Operands) {}

  /// For code that is executed on the host, where cache operators change
  /// nothing.
  void ignoreCacheOperators() { IgnoresCacheOperators = true; }

  bool translate(const PtxInstruction &I);

private:
  bool hasCacheOperator(const PtxInstruction &I) const;
  bool load(const PtxInstruction &I);
  bool store(const PtxInstruction &I);
  bool atomic(const PtxInstruction &I);
  bool compareAndSwap(const PtxInstruction &I, PtxType T, llvm::Value *Pointer);
  bool convertAddress(const PtxInstruction &I);
  bool isInSpace(const PtxInstruction &I);
  bool asyncCopy(const PtxInstruction &I);

  llvm::IRBuilder<> &B;
  PtxOperands &Operands;
  bool IgnoresCacheOperators = false;
};

} // namespace gpuestimate

#endif
