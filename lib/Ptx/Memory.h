/// \file
/// Loads, stores, atomic operations, copies and addresses (PTX ISA, "Data
/// Movement and Conversion", "Parallel Synchronization": atom and red).
#ifndef GPU_ESTIMATE_LIB_PTX_MEMORY_H
#define GPU_ESTIMATE_LIB_PTX_MEMORY_H

#include "InstructionTranslator.h"

namespace gpuestimate {

/// Each form appends the code of an instruction that reads or writes memory, or
/// makes a pointer of one space of another's. False for what LLVM IR cannot
/// say, such as a cache operator.
class PtxMemory : public PtxInstructionTranslator {
public:
  using PtxInstructionTranslator::PtxInstructionTranslator;

  bool load();
  bool store();
  bool atomic();
  bool convertAddress();
  bool isInSpace();
  bool asyncCopy();

private:
  bool hasCacheOperator() const;
  bool compareAndSwap(llvm::Value *Pointer);
};

} // namespace gpuestimate

#endif
