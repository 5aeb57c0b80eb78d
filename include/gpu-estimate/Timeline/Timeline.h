/// \file
/// The virtual clock of a run: when each call of the program, each kernel and
/// each copy would begin and end on a GPU.
///
/// The host makes calls one after the other; a call takes its own time
/// (TimelineCosts) and, if it waits, until the work that it waits for is done.
/// On the GPU, work of one stream is done in order, with launch.interval -
/// launch.latency before a kernel that is no node of a graph. A kernel starts
/// when its
/// share of the multiprocessors is free, a copy when the copy engine of its
/// direction is. Waiting work is served in the order in which it became ready.
#ifndef GPU_ESTIMATE_TIMELINE_TIMELINE_H
#define GPU_ESTIMATE_TIMELINE_TIMELINE_H

#include "gpu-estimate/Run/Records.h"
#include "gpu-estimate/Timeline/LaunchCost.h"
#include "gpu-estimate/Timeline/TimelineCosts.h"
#include <memory>

namespace gpuestimate {

/// What an operation does on the GPU.
enum class OperationKind : uint8_t {
  Kernel,
  CopyIn,     ///< host to device
  CopyOut,    ///< device to host
  DeviceCopy, ///< within the GPU, or from a peer
  Memset,
  HostFunction, ///< of a stream, on a thread of the driver
  Marker,       ///< event, wait, end of a graph: takes no time
};

/// An operation of a stream.
struct TimelineOperation {
  OperationKind Kind = OperationKind::Marker;
  size_t Record = 0; ///< number of the record, in the order of Timeline::add
  RunHandle Stream = 0;
  double StartNs = 0, EndNs = 0;
  uint64_t Bytes = 0;
  bool Pinned = false;
  RunMigration Migration = RunMigration::None;
  bool InGraph = false;
};

/// A call as the host sees it.
struct TimelineCall {
  size_t Record = 0;
  double StartNs = 0, EndNs = 0;
  double WaitNs = 0; ///< of it, what the host waited for the GPU
};

/// A piece of the longest chain of dependences from the start to the end of the
/// program: making it shorter makes the run shorter.
struct CriticalPiece {
  std::string
      What; ///< "kernels", "copies to the GPU", "the program's own work"
  double Ns = 0;
};

struct TimelineTotals {
  double WallNs = 0;
  double KernelNs = 0;  ///< at least one kernel runs
  double CopyNs = 0;    ///< at least one copy or memset is done
  double IdleNs = 0;    ///< the GPU does neither
  double ProgramNs = 0; ///< the host's own work between calls
  double CallNs = 0;    ///< the host is in a call and does not wait
  double WaitNs = 0;    ///< the host waits for the GPU
};

struct TimelineResult {
  std::vector<TimelineOperation> Operations; ///< in the order of issue
  std::vector<TimelineCall> Calls;
  TimelineTotals Totals;
  std::vector<CriticalPiece>
      CriticalPath; ///< largest first; sum: the wall time
  /// What the schedule leaves out of this program.
  std::vector<std::string> Assumptions;
};

/// Takes the records of a run in order. The cost of a record is constant on
/// average, whatever it does.
class Timeline {
public:
  explicit Timeline(const TimelineCosts &Costs);
  ~Timeline();
  Timeline(Timeline &&) noexcept;

  /// Cost: for launches and priced library calls. The reply is for records that
  /// ask; for others it holds the time at which the call returns.
  RunReply add(const RunRecord &R, const LaunchCost *Cost = nullptr);

  /// After the last record. Work that the program did not wait for is done, but
  /// the run ends with the program.
  TimelineResult finish();

private:
  class Impl;
  std::unique_ptr<Impl> Own;
};

} // namespace gpuestimate

#endif
