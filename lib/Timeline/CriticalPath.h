/// \file
/// The longest chain of dependences from the start to the end of a run.
#ifndef GPU_ESTIMATE_LIB_TIMELINE_CRITICALPATH_H
#define GPU_ESTIMATE_LIB_TIMELINE_CRITICALPATH_H

#include "DeviceSchedule.h"
#include "gpu-estimate/Timeline/Timeline.h"

namespace gpuestimate {

/// A call of the host, or a part of one: a call that waits twice has two.
struct HostStep {
  size_t Record = 0;
  double StartNs = 0, EndNs = 0, WaitNs = 0;
  /// When the operations of the step were handed over.
  double IssuedNs = 0;
  /// The operation whose end the host waited for; NoIndex if it did not wait.
  DeviceSchedule::Index Waited = DeviceSchedule::NoIndex;
};

/// Operations[i] was issued by Steps[StepOf[i]].
std::vector<CriticalPiece>
criticalPath(const DeviceSchedule &Schedule,
             llvm::ArrayRef<TimelineOperation> Operations,
             llvm::ArrayRef<HostStep> Steps, llvm::ArrayRef<size_t> StepOf);

} // namespace gpuestimate

#endif
