/// \file
/// cp.async.bulk.tensor: a box of a tensor, to or from shared memory.
#ifndef GPU_ESTIMATE_LIB_EXECUTE_DEVICE_TENSORCOPY_H
#define GPU_ESTIMATE_LIB_EXECUTE_DEVICE_TENSORCOPY_H

#include "llvm/ADT/StringMap.h"

namespace gpuestimate {

/// Adds "ge.tensor_copy", which returns the bytes of the box; 0 for memory that
/// is no tensor map of as many dimensions.
void addTensorFunctions(llvm::StringMap<void *> &Table);

} // namespace gpuestimate

#endif
