/// \file
/// The host's side of the virtual clock, and the order that streams, events
/// and graphs give to operations.
#include "gpu-estimate/Timeline/Timeline.h"

#include "CriticalPath.h"
#include "DeviceSchedule.h"
#include "gpu-estimate/Run/DeviceStreams.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"
#include <cmath>
#include <optional>
#include <unordered_map>

using namespace llvm;

namespace gpuestimate {

using Index = DeviceSchedule::Index;
static constexpr Index NoIndex = DeviceSchedule::NoIndex;

/// A copy of at most this size from pageable memory is put into the command
/// buffer: the host does not wait for the stream (CUDA C++ Programming Guide,
/// "Concurrent Execution between Host and Device").
static constexpr uint64_t MaxInlineCopyBytes = 64 << 10;

namespace {

struct StreamState {
  Index Last = NoIndex; ///< operation
  bool NonBlocking = false;
  bool SinceDefault = false; ///< has work that the default stream waits for
  bool SinceWait = false;    ///< has work since the host waited for the device
};

} // namespace

class Timeline::Impl {
public:
  explicit Impl(const TimelineCosts &Costs) : Costs(Costs) {}
  RunReply add(const RunRecord &R, const LaunchCost *Cost);
  TimelineResult finish();

private:
  // What each kind of record does.
  void handle(const RunCall &) { beginCall(Costs.CallNs); }
  void handle(const RunModule &) {}
  void handle(const RunKernel &) {}
  void handle(const RunAllocation &A);
  void handle(const RunFree &F);
  void handle(const RunCopy &C);
  void migrate(const RunCopy &C);
  void handle(const RunMemset &S);
  void handle(const RunLaunch &L);
  void handle(const RunLibraryCall &L);
  void handle(const RunStream &S);
  void handle(const RunEventRecord &E);
  void handle(const RunStreamWait &W);
  void handle(const RunHostFunction &F);
  void handle(const RunGraphLaunch &G);
  void handle(const RunWait &W);
  void handle(const RunElapsed &E);
  void handle(const RunQuery &Q);
  void handle(const RunFault &) {}
  void handle(const RunNotice &) {}
  void handle(const RunExit &);

  /// Notes what is left out of the schedule, once.
  void assume(const Twine &Text);
  void beginCall(const TimelineCost &Call);
  /// The value; what is assumed about it becomes part of the report.
  double use(const TimelineCost &C);
  void waitFor(Index Op);
  Index lastOf(RunWait::KindType On, RunHandle Handle);
  /// The last operation of a device, or of all devices.
  Index lastOfDevice(std::optional<unsigned> Device = std::nullopt);
  Index eventOf(RunHandle Event) const;
  /// Appends an operation to a stream.
  Index issue(RunHandle Stream, OperationKind Kind, double DurationNs,
              double Share = 1, ArrayRef<Index> After = {});
  void followStream(RunHandle Stream, SmallVectorImpl<Index> &After);
  Index launch(RunHandle Stream);
  TimelineTotals totals() const;

  const TimelineCosts Costs;
  DeviceSchedule Schedule;
  std::vector<TimelineOperation> Operations;
  std::vector<HostStep> Steps;
  std::vector<size_t> StepOf; ///< [operation]

  std::unordered_map<RunHandle, StreamState> Streams;
  /// Streams with the flags; the first by device.
  std::unordered_map<unsigned, std::vector<RunHandle>> SinceDefault;
  std::vector<RunHandle> SinceWait;
  std::unordered_map<RunHandle, Index> Events; ///< last record of each

  // The graph that is being launched: its first operation, and the last one of
  // each branch.
  Index GraphBegin = NoIndex;
  RunHandle GraphStream = 0;
  std::unordered_map<RunHandle, Index> GraphLast;

  std::vector<std::string> Assumptions;
  StringSet<> Assumed;

  size_t NumRecords = 0;
  double HostNs = 0;   ///< of the last record
  double NowNs = 0;    ///< the virtual clock of the host
  bool IsCall = false; ///< the record is one of the program's calls
  const LaunchCost *Cost = nullptr;
  RunReply Reply;
};

// The host.

RunReply Timeline::Impl::add(const RunRecord &R, const LaunchCost *OfLaunch) {
  // Several threads of the host can be a little out of order.
  if (double Worked = R.HostNs - HostNs; Worked > 0) {
    NowNs += Worked;
    HostNs = R.HostNs;
  }
  IsCall = !R.Call.empty();
  if (IsCall && R.Thread != 0)
    assume("calls of several threads of the host follow each other");
  Cost = OfLaunch;
  Reply = RunReply();
  std::visit([&](const auto &What) { handle(What); }, R.What);
  ++NumRecords;
  Reply.NowNs = NowNs;
  return Reply;
}

void Timeline::Impl::assume(const Twine &Text) {
  if (std::string Line = Text.str(); Assumed.insert(Line).second)
    Assumptions.push_back(std::move(Line));
}

double Timeline::Impl::use(const TimelineCost &C) {
  if (!C.Assumption.empty())
    assume(C.Assumption);
  return C;
}

void Timeline::Impl::beginCall(const TimelineCost &Call) {
  HostStep &S = Steps.emplace_back();
  S.Record = NumRecords;
  S.StartNs = NowNs;
  // The nodes of a graph cost the host nothing.
  if (IsCall && GraphBegin == NoIndex)
    NowNs += use(Call);
  S.IssuedNs = S.EndNs = NowNs;
}

void Timeline::Impl::waitFor(Index Op) {
  if (Op == NoIndex)
    return;
  double SeenNs = Schedule.endOf(Op) + use(Costs.CompletionNs);
  if (SeenNs <= NowNs)
    return;
  HostStep &S = Steps.back();
  S.WaitNs += SeenNs - NowNs;
  S.Waited = Op;
  S.EndNs = NowNs = SeenNs;
}

Index Timeline::Impl::lastOfDevice(std::optional<unsigned> Device) {
  Index Last = NoIndex;
  double LastNs = -1;
  auto IsOther = [&](RunHandle Stream) {
    return Device && deviceOf(Stream) != *Device;
  };
  for (RunHandle Stream : SinceWait) {
    if (IsOther(Stream))
      continue;
    StreamState &S = Streams[Stream];
    S.SinceWait = false;
    if (double EndNs = Schedule.endOf(S.Last); EndNs > LastNs) {
      LastNs = EndNs;
      Last = S.Last;
    }
  }
  erase_if(SinceWait, [&](RunHandle Stream) { return !IsOther(Stream); });
  return Last;
}

Index Timeline::Impl::eventOf(RunHandle Event) const {
  auto Found = Events.find(Event);
  return Found == Events.end() ? NoIndex : Found->second;
}

Index Timeline::Impl::lastOf(RunWait::KindType On, RunHandle Handle) {
  switch (On) {
  case RunWait::Device:
    return lastOfDevice(deviceOf(Handle));
  case RunWait::Stream:
    return Streams[Handle].Last;
  case RunWait::Event:
    return eventOf(Handle);
  }
  return NoIndex;
}

// The order of operations.

/// The legacy default stream waits for all blocking streams, and they for it
/// (CUDA Runtime API, "Stream synchronization behavior").
void Timeline::Impl::followStream(RunHandle Stream,
                                  SmallVectorImpl<Index> &After) {
  if (GraphBegin != NoIndex) {
    auto [Branch, IsNew] = GraphLast.try_emplace(Stream, GraphBegin);
    After.push_back(Branch->second);
    return;
  }
  StreamState &S = Streams[Stream];
  After.push_back(S.Last);
  if (!S.SinceWait) {
    S.SinceWait = true;
    SinceWait.push_back(Stream);
  }
  unsigned Device = deviceOf(Stream);
  std::vector<RunHandle> &OfDevice = SinceDefault[Device];
  if (isDefaultStream(Stream)) {
    for (RunHandle Other : OfDevice) {
      After.push_back(Streams[Other].Last);
      Streams[Other].SinceDefault = false;
    }
    OfDevice.clear();
  } else if (!S.NonBlocking) {
    After.push_back(Streams[defaultStream(Device)].Last);
    if (!Streams[Stream].SinceDefault) {
      Streams[Stream].SinceDefault = true;
      OfDevice.push_back(Stream);
    }
  }
}

static Engine engineOf(OperationKind Kind) {
  switch (Kind) {
  case OperationKind::Kernel:
    return Engine::Multiprocessors;
  case OperationKind::CopyIn:
    return Engine::CopyIn;
  case OperationKind::CopyOut:
    return Engine::CopyOut;
  case OperationKind::DeviceCopy:
  case OperationKind::Memset:
    return Engine::DeviceCopy;
  case OperationKind::HostFunction:
    return Engine::HostThread;
  case OperationKind::Marker:
    break;
  }
  return Engine::None;
}

Index Timeline::Impl::issue(RunHandle Stream, OperationKind Kind,
                            double DurationNs, double Share,
                            ArrayRef<Index> After) {
  SmallVector<Index, 8> All(After.begin(), After.end());
  followStream(Stream, All);
  DeviceSchedule::Operation O;
  O.On = engineOf(Kind);
  O.Device = deviceOf(Stream);
  if (O.Device != 0)
    assume("each device is the first GPU, with a link of its own to the host; "
           "managed memory that is on one of them is on all");
  O.IssueNs = NowNs + use(Costs.SubmitNs);
  O.DurationNs = std::isfinite(DurationNs) ? std::max(DurationNs, 0.0) : 0;
  O.Share = std::isfinite(Share) ? Share : 1;
  // Kernels of a stream do not follow each other as closely as those of a graph
  // (lib/Evaluate/Launch/LaunchTime.h).
  if (GraphBegin == NoIndex && Kind == OperationKind::Kernel)
    O.GapNs = std::max(0.0, Costs.LaunchCallNs - Costs.LaunchLatencyNs);
  Index Own = Schedule.add(O, All);
  if (GraphBegin != NoIndex)
    GraphLast[Stream] = Own;
  else
    Streams[Stream].Last = Own;

  TimelineOperation &T = Operations.emplace_back();
  T.Kind = Kind;
  T.Record = NumRecords;
  T.Stream = Stream;
  T.InGraph = GraphBegin != NoIndex;
  StepOf.push_back(Steps.size() - 1);
  return Own;
}

void Timeline::Impl::handle(const RunStream &S) {
  beginCall(Costs.StreamCallNs);
  if (!S.Destroyed)
    Streams[S.Stream].NonBlocking = S.NonBlocking;
}

void Timeline::Impl::handle(const RunEventRecord &E) {
  beginCall(Costs.CallNs);
  Events[E.Event] = issue(E.Stream, OperationKind::Marker, 0);
}

void Timeline::Impl::handle(const RunStreamWait &W) {
  beginCall(Costs.CallNs);
  issue(W.Stream, OperationKind::Marker, 0, 0, eventOf(W.Event));
}

void Timeline::Impl::handle(const RunHostFunction &F) {
  beginCall(Costs.CallNs);
  issue(F.Stream, OperationKind::HostFunction,
        use(Costs.CompletionNs) + F.HostNs + use(Costs.SubmitNs));
}

void Timeline::Impl::handle(const RunGraphLaunch &G) {
  if (G.Begin && GraphBegin == NoIndex) {
    beginCall(Costs.GraphCallNs);
    GraphStream = G.Stream;
    GraphBegin = issue(G.Stream, OperationKind::Marker, 0);
  } else if (!G.Begin && GraphBegin != NoIndex) {
    beginCall(0);
    SmallVector<Index, 8> Branches;
    for (const auto &[Branch, Last] : GraphLast)
      Branches.push_back(Last);
    GraphLast.clear();
    GraphBegin = NoIndex;
    issue(GraphStream, OperationKind::Marker, 0, 0, Branches);
  }
}

// Work.

void Timeline::Impl::handle(const RunLaunch &L) {
  beginCall(Costs.LaunchCallNs);
  launch(L.Stream);
}

void Timeline::Impl::handle(const RunLibraryCall &L) {
  beginCall(Cost ? Costs.LaunchCallNs : Costs.CallNs);
  if (Cost)
    launch(L.Stream);
  else
    assume(L.Name + " takes no time on the GPU: there is no model of it");
}

Index Timeline::Impl::launch(RunHandle Stream) {
  return issue(Stream, OperationKind::Kernel, Cost ? Cost->Ns : 0,
               Cost ? Cost->Share : 0);
}

void Timeline::Impl::handle(const RunMemset &S) {
  beginCall(Costs.LaunchCallNs);
  issue(S.Stream, OperationKind::Memset,
        Costs.LaunchLatencyNs +
            static_cast<double>(S.Bytes) / Costs.MemsetRate);
  Operations.back().Bytes = S.Bytes;
}

/// Pages that the GPU touches migrate before its launch: the kernel, which a
/// profiler shows as running meanwhile, starts when they are there. The host
/// waits for the pages that it touches.
void Timeline::Impl::migrate(const RunCopy &C) {
  bool ToGpu = C.Kind == RunCopyKind::HostToDevice,
       IsFault = C.Migration == RunMigration::Faults;
  double Rate = IsFault ? use(Costs.MigrationRate) : use(Costs.LinkRate),
         StartNs = IsFault ? use(Costs.FaultNs) : use(Costs.CopyStartNs);
  beginCall(Costs.CallNs);
  if (IsFault && !ToGpu)
    waitFor(lastOfDevice());
  Index Op =
      issue(C.Stream, ToGpu ? OperationKind::CopyIn : OperationKind::CopyOut,
            StartNs + double(C.Bytes) / Rate);
  Operations.back().Bytes = C.Bytes;
  Operations.back().Migration = C.Migration;
  if (IsFault && !ToGpu)
    waitFor(Op);
}

void Timeline::Impl::handle(const RunCopy &C) {
  if (C.Migration != RunMigration::None)
    return migrate(C);
  auto Bytes = static_cast<double>(C.Bytes);
  auto Copy = [&](OperationKind Kind, double BytesNs) {
    Index Op = issue(C.Stream, Kind, use(Costs.CopyStartNs) + BytesNs);
    Operations.back().Bytes = C.Bytes;
    Operations.back().Pinned = C.Pinned;
    return Op;
  };
  bool HostWaits = hostWaits(C) && GraphBegin == NoIndex;
  bool UsesLink = C.Kind != RunCopyKind::DeviceToDevice &&
                  C.Kind != RunCopyKind::HostToHost;
  double LinkNs = UsesLink ? Bytes / use(Costs.LinkRate) : 0;
  bool IsStaged = !C.Pinned && UsesLink && C.Kind != RunCopyKind::PeerToPeer;
  double StagingNs = IsStaged ? Bytes / use(Costs.StagingRate) : 0;
  beginCall(Costs.CopyCallNs);
  switch (C.Kind) {
  case RunCopyKind::HostToDevice:
    if (!C.Pinned && C.Bytes <= MaxInlineCopyBytes) {
      NowNs += StagingNs;
      Steps.back().EndNs = Steps.back().IssuedNs = NowNs;
      Copy(OperationKind::CopyIn, LinkNs);
      return;
    }
    if (!C.Pinned && HostWaits) {
      waitFor(Streams[C.Stream].Last);
      beginCall(0);
    }
    if (Index Op = Copy(OperationKind::CopyIn, LinkNs + StagingNs); HostWaits)
      waitFor(Op);
    return;
  case RunCopyKind::DeviceToHost:
    if (Index Op = Copy(OperationKind::CopyOut, LinkNs + StagingNs); HostWaits)
      waitFor(Op);
    return;
  case RunCopyKind::DeviceToDevice:
    Copy(OperationKind::DeviceCopy, Bytes / Costs.DeviceCopyRate);
    return;
  case RunCopyKind::PeerToPeer:
    assume("a copy between two devices has the rate of the link to the host");
    Copy(OperationKind::DeviceCopy, LinkNs);
    return;
  case RunCopyKind::HostToHost:
    waitFor(Streams[C.Stream].Last);
    beginCall(0);
    NowNs += Bytes / use(Costs.StagingRate);
    Steps.back().EndNs = NowNs;
    return;
  }
}

void Timeline::Impl::handle(const RunAllocation &A) {
  if (A.Kind == RunMemory::Managed)
    assume("pages of managed memory migrate whole buffer by buffer, when a "
           "launch has the buffer as an argument after the host has written "
           "to it; the host reads what kernels wrote when it frees the buffer");
  if (IsCall &&
      (A.Kind == RunMemory::Pinned || A.Kind == RunMemory::Registered))
    assume("page-locking memory takes no longer than cudaMalloc");
  // The program's own variables, and memory that it registers, are no calls of
  // an allocator.
  beginCall(A.Kind == RunMemory::Variable ? TimelineCost() : Costs.AllocateNs);
}

void Timeline::Impl::handle(const RunFree &F) {
  beginCall(F.Async ? Costs.CallNs : Costs.FreeNs);
  if (!F.Async)
    waitFor(lastOfDevice());
}

// Waits and questions.

void Timeline::Impl::handle(const RunWait &W) {
  beginCall(Costs.CallNs);
  waitFor(lastOf(W.On, W.Handle));
}

void Timeline::Impl::handle(const RunElapsed &E) {
  beginCall(Costs.CallNs);
  Index From = eventOf(E.From), To = eventOf(E.To);
  Schedule.advanceTo(NowNs);
  if (From == NoIndex || To == NoIndex || Schedule[From].EndNs > NowNs ||
      Schedule[To].EndNs > NowNs) {
    Reply.Ready = false;
    return;
  }
  constexpr double NsPerMs = 1e6;
  Reply.ElapsedMs = (Schedule[To].EndNs - Schedule[From].EndNs) / NsPerMs;
}

void Timeline::Impl::handle(const RunQuery &Q) {
  beginCall(Costs.CallNs);
  Schedule.advanceTo(NowNs);
  Index Last =
      Q.On == RunWait::Stream ? Streams[Q.Handle].Last : eventOf(Q.Handle);
  Reply.Ready = Last == NoIndex || Schedule[Last].EndNs <= NowNs;
}

void Timeline::Impl::handle(const RunExit &) {
  // A program can be ended within the launch of a graph.
  handle(RunGraphLaunch{0, GraphStream, /*Begin=*/false});
  beginCall(0);
  waitFor(lastOfDevice());
}

// The end.

namespace {

/// Time covered by any of some intervals, which are added in any order.
class CoveredTime {
public:
  void add(double StartNs, double EndNs) {
    if (EndNs > StartNs)
      Intervals.emplace_back(StartNs, EndNs);
  }
  double ns() {
    llvm::sort(Intervals);
    double Sum = 0, EndNs = 0;
    for (auto [Start, End] : Intervals) {
      Sum += std::max(0.0, End - std::max(Start, EndNs));
      EndNs = std::max(EndNs, End);
    }
    return Sum;
  }

private:
  std::vector<std::pair<double, double>> Intervals;
};

} // namespace

TimelineTotals Timeline::Impl::totals() const {
  TimelineTotals T;
  CoveredTime Kernels, Copies, Either;
  for (const TimelineOperation &O : Operations) {
    if (O.Kind == OperationKind::Marker ||
        O.Kind == OperationKind::HostFunction)
      continue;
    (O.Kind == OperationKind::Kernel ? Kernels : Copies)
        .add(O.StartNs, O.EndNs);
    Either.add(O.StartNs, O.EndNs);
  }
  T.WallNs = NowNs;
  T.KernelNs = Kernels.ns();
  T.CopyNs = Copies.ns();
  T.IdleNs = std::max(0.0, T.WallNs - Either.ns());
  double EndNs = 0;
  for (const HostStep &S : Steps) {
    T.ProgramNs += S.StartNs - EndNs;
    T.CallNs += S.EndNs - S.StartNs - S.WaitNs;
    T.WaitNs += S.WaitNs;
    EndNs = S.EndNs;
  }
  T.ProgramNs += NowNs - EndNs;
  return T;
}

TimelineResult Timeline::Impl::finish() {
  handle(RunExit());
  Schedule.advanceTo(DeviceSchedule::Never);
  for (auto [I, O] : enumerate(Operations)) {
    O.StartNs = Schedule[static_cast<Index>(I)].StartNs;
    O.EndNs = Schedule[static_cast<Index>(I)].EndNs;
  }
  TimelineResult R;
  R.Totals = totals();
  R.CriticalPath = criticalPath(Schedule, Operations, Steps, StepOf);
  for (const HostStep &S : Steps)
    if (!R.Calls.empty() && R.Calls.back().Record == S.Record) {
      R.Calls.back().EndNs = S.EndNs;
      R.Calls.back().WaitNs += S.WaitNs;
    } else if (S.Record < NumRecords) {
      R.Calls.push_back({S.Record, S.StartNs, S.EndNs, S.WaitNs});
    }
  R.Operations = std::move(Operations);
  R.Assumptions = std::move(Assumptions);
  return R;
}

Timeline::Timeline(const TimelineCosts &Costs)
    : Own(std::make_unique<Impl>(Costs)) {}
Timeline::~Timeline() = default;
Timeline::Timeline(Timeline &&) noexcept = default;

RunReply Timeline::add(const RunRecord &R, const LaunchCost *Cost) {
  return Own->add(R, Cost);
}

TimelineResult Timeline::finish() { return Own->finish(); }

} // namespace gpuestimate
