/// \file
/// The one table of resources whose throughput bounds the time. A resource's
/// formula stands in the table of bounds (Evaluate/Launch/Bounds.h), at the
/// same place.
#ifndef GPU_ESTIMATE_MODEL_RESULT_RESOURCETABLE_H
#define GPU_ESTIMATE_MODEL_RESULT_RESOURCETABLE_H

#include "gpu-estimate/Model/Result/Term.h"

namespace gpuestimate {

struct ResourceInfo {
  Resource Id;
  llvm::StringLiteral Name; ///< of the JSON contract: "l1-bandwidth"
  /// The component of the time, which a page of docs/limits explains: "l1".
  llvm::StringLiteral Component;
  llvm::StringLiteral Words; ///< after "bound by": "the bandwidth of L1"
};

/// [Resource]
llvm::ArrayRef<ResourceInfo> resourceTable();

} // namespace gpuestimate

#endif
