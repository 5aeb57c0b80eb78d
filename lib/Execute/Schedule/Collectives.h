/// \file
/// What the lanes of a warp get from an operation that they do together.
#ifndef GPU_ESTIMATE_LIB_EXECUTE_SCHEDULE_COLLECTIVES_H
#define GPU_ESTIMATE_LIB_EXECUTE_SCHEDULE_COLLECTIVES_H

#include "Execute/Device/ThreadContext.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuestimate {

/// What a lane brings to a collective.
struct Collective {
  CollectiveKind Kind = CollectiveKind::Sync;
  /// Lanes that take part; 0: those that arrive together.
  uint64_t Mask = 0;
  uint64_t Value = 0;
  uint32_t B = 0, C = 0;
};

/// Completes a collective of the lanes in Group, which is not empty: writes the
/// result of each of them. Both arrays are indexed by lane.
void completeCollective(uint64_t Group,
                        llvm::ArrayRef<const Collective *> Lanes,
                        llvm::MutableArrayRef<uint64_t> Results);

} // namespace gpuestimate

#endif
