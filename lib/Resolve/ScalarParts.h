/// \file
/// The scalars of a type in memory.
#ifndef GPU_ESTIMATE_LIB_RESOLVE_SCALARPARTS_H
#define GPU_ESTIMATE_LIB_RESOLVE_SCALARPARTS_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace llvm {
class DataLayout;
class Type;
} // namespace llvm

namespace gpuestimate {

struct ScalarPart {
  uint64_t Offset; ///< bytes from the start of the type
  llvm::Type *Type;
  unsigned Bytes;
};

/// The scalars of a structure, array or vector, in their order; the type itself
/// if it is a scalar. Empty for a type without a size.
llvm::SmallVector<ScalarPart, 4> scalarParts(llvm::Type *T,
                                             const llvm::DataLayout &Layout);

} // namespace gpuestimate

#endif
