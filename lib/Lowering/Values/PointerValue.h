/// \file
/// The symbolic value of a pointer.
#ifndef GPU_ESTIMATE_LIB_LOWERING_VALUES_POINTERVALUE_H
#define GPU_ESTIMATE_LIB_LOWERING_VALUES_POINTERVALUE_H

#include "gpu-estimate/Symbolic/Expr.h"

namespace llvm {
class Value;
} // namespace llvm

namespace gpuestimate {

/// An object and a byte offset from its start. Base is null when the pointer
/// may lead into different objects.
struct PointerValue {
  const llvm::Value *Base = nullptr;
  Expr Offset;
};

} // namespace gpuestimate

#endif
