/// \file
/// The bottlenecks that predictions of any performance model can name: one
/// table for the words of reports, the colours of charts and the pages of
/// docs/limits.
#ifndef GPU_ESTIMATE_ADVICE_BOTTLENECK_H
#define GPU_ESTIMATE_ADVICE_BOTTLENECK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace gpuestimate {

struct BottleneckInfo {
  llvm::StringRef Name;
  /// The component of componentTable() that its time counts for.
  llvm::StringRef Component;
  llvm::StringRef Words; ///< the end of a sentence: "the bandwidth of DRAM"
};

/// Every row of boundTable(), and the bottlenecks that are no throughput:
/// latency, launch, tail.
llvm::ArrayRef<BottleneckInfo> bottleneckTable();

/// Null for a name that no bottleneck has.
const BottleneckInfo *findBottleneck(llvm::StringRef Name);

} // namespace gpuestimate

#endif
