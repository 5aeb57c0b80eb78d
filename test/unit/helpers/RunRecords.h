/// \file
/// Makes records of a run by hand.
#ifndef GPU_ESTIMATE_TEST_UNIT_HELPERS_RUNRECORDS_H
#define GPU_ESTIMATE_TEST_UNIT_HELPERS_RUNRECORDS_H

#include "gpu-estimate/Timeline/Timeline.h"

namespace gpuestimate {

inline RunRecord callOf(decltype(RunRecord::What) What, double HostNs = 0,
                        std::string Call = "cudaCall") {
  RunRecord R;
  R.Call = std::move(Call);
  R.HostNs = HostNs;
  R.What = std::move(What);
  return R;
}

inline RunRecord launchOn(RunHandle Stream, uint64_t Kernel = 0,
                          double HostNs = 0) {
  RunLaunch L;
  L.Kernel = Kernel;
  L.Stream = Stream;
  return callOf(std::move(L), HostNs, "cudaLaunchKernel");
}

inline RunRecord copyOf(RunCopyKind Kind, uint64_t Bytes, bool Pinned,
                        bool Async, RunHandle Stream = 0, double HostNs = 0) {
  return callOf(RunCopy{Kind, Bytes, Pinned, Async, Stream}, HostNs,
                Async ? "cudaMemcpyAsync" : "cudaMemcpy");
}

/// Pages of managed memory that move: on their own, beside the call.
inline RunRecord migrationOf(RunCopyKind Kind, uint64_t Bytes, RunMigration Why,
                             RunHandle Stream = 0) {
  bool IsCall = Why == RunMigration::Prefetch;
  return callOf(RunCopy{Kind, Bytes, false, true, Stream, Why}, 0,
                IsCall ? "cudaMemPrefetchAsync" : "");
}

inline RunRecord waitForDevice(double HostNs = 0) {
  return callOf(RunWait(), HostNs, "cudaDeviceSynchronize");
}

/// Round numbers, all different, so that sums tell their parts.
inline TimelineCosts testCosts() {
  TimelineCosts C;
  C.LaunchCallNs = 1000;
  C.CopyCallNs = 2000;
  C.GraphCallNs = 1500;
  C.AllocateNs = 30000;
  C.FreeNs = 20000;
  C.StreamCallNs = 5000;
  C.CallNs = 100;
  C.SubmitNs = 700;
  C.CompletionNs = 300;
  C.CopyStartNs = 800;
  C.LinkRate = 10;
  C.StagingRate = 5;
  C.DeviceCopyRate = 100;
  C.MemsetRate = 200;
  C.FaultNs = 40000;
  C.MigrationRate = 4;
  C.LaunchLatencyNs = 900;
  return C;
}

} // namespace gpuestimate

#endif
