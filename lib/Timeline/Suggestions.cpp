#include "gpu-estimate/Timeline/Suggestions.h"
#include "gpu-estimate/Run/DeviceStreams.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include <algorithm>
#include <map>

using namespace llvm;

namespace gpuestimate {

namespace {

/// A record without what is large and has no effect on time.
struct ChangedRecord {
  RunRecord Record;
  std::optional<LaunchCost> Cost;
  /// Addresses that the arguments of a launch point to, ascending.
  std::vector<uint64_t> Pointers;

  template <class T> const T *as() const {
    return std::get_if<T>(&Record.What);
  }
  template <class T> T *as() { return std::get_if<T>(&Record.What); }
};
using Program = std::vector<ChangedRecord>;

/// A changed program; empty where the change does not apply.
struct Change {
  const char *What;
  Program (*Make)(const Program &, const TimelineCosts &);
  /// The change contains another one, and is worth saying where it brings more.
  Program (*Without)(const Program &, const TimelineCosts &) = nullptr;
};

} // namespace

namespace {

/// Takes from records what the changes need.
class RecordReader {
public:
  ChangedRecord read(const PricedRecord &From);

private:
  std::vector<uint64_t> pointersOf(const RunLaunch &L) const;

  std::map<uint64_t, uint64_t> Allocations; ///< address and bytes
};

} // namespace

std::vector<uint64_t> RecordReader::pointersOf(const RunLaunch &L) const {
  std::vector<uint64_t> Pointers;
  // A parameter of several words is a structure, which can hold pointers.
  for (StringRef Bytes : L.Arguments)
    for (; Bytes.size() >= sizeof(uint64_t);
         Bytes = Bytes.drop_front(sizeof(uint64_t))) {
      uint64_t Word = support::endian::read64le(Bytes.data());
      auto After = Allocations.upper_bound(Word);
      if (After == Allocations.begin())
        continue;
      const auto &[Address, Size] = *std::prev(After);
      if (Word - Address < Size)
        Pointers.push_back(Word);
    }
  llvm::sort(Pointers);
  return Pointers;
}

ChangedRecord RecordReader::read(const PricedRecord &From) {
  ChangedRecord To;
  To.Cost = From.Cost;
  To.Record.Call = From.Record->Call;
  To.Record.HostNs = From.Record->HostNs;
  if (const auto *A = std::get_if<RunAllocation>(&From.Record->What))
    Allocations[A->Address] = A->Bytes;
  if (const auto *F = std::get_if<RunFree>(&From.Record->What))
    Allocations.erase(F->Address);
  if (const auto *Launch = std::get_if<RunLaunch>(&From.Record->What)) {
    RunLaunch L;
    L.Kernel = Launch->Kernel;
    L.Stream = Launch->Stream;
    To.Pointers = pointersOf(*Launch);
    To.Record.What = std::move(L);
  } else if (!std::holds_alternative<RunModule>(From.Record->What)) {
    To.Record.What = From.Record->What;
  } else {
    To.Record.What = RunModule();
  }
  return To;
}

static TimelineTotals totals(const Program &P, const TimelineCosts &Costs) {
  Timeline T(Costs);
  for (const ChangedRecord &R : P)
    T.add(R.Record, R.Cost ? &*R.Cost : nullptr);
  return T.finish().Totals;
}

static bool isHostCopy(const RunCopy &C) {
  return C.Migration == RunMigration::None &&
         (C.Kind == RunCopyKind::HostToDevice ||
          C.Kind == RunCopyKind::DeviceToHost);
}

static Program withPrefetches(const Program &P, const TimelineCosts &) {
  Program Changed = P;
  bool Any = false;
  for (ChangedRecord &R : Changed)
    if (auto *C = R.as<RunCopy>(); C && C->Migration == RunMigration::Faults) {
      C->Migration = RunMigration::Prefetch;
      Any = true;
    }
  return Any ? Changed : Program();
}

static Program withPinnedMemory(const Program &P, const TimelineCosts &) {
  Program Changed = P;
  bool Any = false;
  for (ChangedRecord &R : Changed)
    if (auto *C = R.as<RunCopy>(); C && isHostCopy(*C) && !C->Pinned)
      Any = C->Pinned = true;
  return Any ? Changed : Program();
}

/// The stream of a record that puts work into one.
static std::optional<RunHandle> streamOf(const ChangedRecord &R) {
  if (const auto *L = R.as<RunLaunch>())
    return L->Stream;
  if (const auto *C = R.as<RunCopy>())
    return C->Stream;
  if (const auto *S = R.as<RunMemset>())
    return S->Stream;
  if (const auto *L = R.as<RunLibraryCall>(); L && R.Cost)
    return L->Stream;
  return std::nullopt;
}

namespace {

/// Splits the work of a program that uses one stream into parts with a stream
/// of their own, so that the copies of one part overlap the kernels of another.
class StreamSplitter {
public:
  Program split(const Program &P);

private:
  static constexpr unsigned NumParts = 4;
  /// The last numbers of the first device: which one it is does not matter.
  static constexpr RunHandle FirstStream = defaultStream(1) - NumParts;

  static bool applies(const Program &P);
  void addPart(const ChangedRecord &R, unsigned Part);
  void flush();
  void wait(const ChangedRecord &R);

  std::vector<const ChangedRecord *> Segment; ///< work without a wait within
  bool HasOut = false; ///< the segment ends with copies to the host
  Program Changed;
};

} // namespace

bool StreamSplitter::applies(const Program &P) {
  std::optional<RunHandle> Stream;
  bool HasCopies = false, HasKernels = false;
  for (const ChangedRecord &R : P) {
    if (R.as<RunGraphLaunch>() || R.as<RunStreamWait>() ||
        R.as<RunHostFunction>() || R.as<RunLibraryCall>())
      return false;
    std::optional<RunHandle> Used = streamOf(R);
    if (Used && Stream && *Used != *Stream)
      return false;
    Stream = Used ? Used : Stream;
    HasKernels |= R.as<RunLaunch>() != nullptr;
    const auto *C = R.as<RunCopy>();
    HasCopies |= C && isHostCopy(*C);
  }
  return HasCopies && HasKernels;
}

void StreamSplitter::addPart(const ChangedRecord &R, unsigned Part) {
  ChangedRecord Own = R;
  if (auto *L = Own.as<RunLaunch>()) {
    L->Stream = FirstStream + Part;
    // A kernel that does not fill the GPU has one wave: a part of it takes as
    // long on fewer multiprocessors.
    if (Own.Cost && Own.Cost->Share < 1)
      Own.Cost->Share /= NumParts;
    else if (Own.Cost)
      Own.Cost->Ns /= NumParts;
  } else if (auto *C = Own.as<RunCopy>()) {
    C->Stream = FirstStream + Part;
    C->Bytes = (C->Bytes + NumParts - 1) / NumParts;
    C->Async = true;
    C->Pinned |= isHostCopy(*C);
  } else if (auto *S = Own.as<RunMemset>()) {
    S->Stream = FirstStream + Part;
    S->Bytes = (S->Bytes + NumParts - 1) / NumParts;
    S->Async = true;
  }
  Changed.push_back(std::move(Own));
}

void StreamSplitter::wait(const ChangedRecord &R) {
  ChangedRecord Wait;
  Wait.Record.Call = "cudaDeviceSynchronize";
  Wait.Record.HostNs = R.Record.HostNs;
  Wait.Record.What = RunWait();
  Changed.push_back(std::move(Wait));
}

void StreamSplitter::flush() {
  if (Segment.empty())
    return;
  // The host's own work between the calls is done before all parts.
  for (unsigned Part = 0; Part < NumParts; ++Part)
    for (const ChangedRecord *R : Segment)
      addPart(*R, Part);
  if (HasOut)
    wait(*Segment.back());
  Segment.clear();
  HasOut = false;
}

Program StreamSplitter::split(const Program &P) {
  if (!applies(P))
    return {};
  for (unsigned Part = 0; Part < NumParts; ++Part) {
    ChangedRecord Made;
    Made.Record.Call = "cudaStreamCreateWithFlags";
    Made.Record.What = RunStream{FirstStream + Part, true, false};
    Changed.push_back(std::move(Made));
  }
  for (const ChangedRecord &R : P) {
    const auto *C = R.as<RunCopy>();
    bool IsOut = C && C->Kind == RunCopyKind::DeviceToHost;
    if (HasOut && !IsOut)
      flush();
    if (streamOf(R)) {
      Segment.push_back(&R);
      HasOut |= IsOut;
      continue;
    }
    flush();
    if (R.as<RunEventRecord>() || R.as<RunWait>())
      wait(R); // the parts have no common stream
    if (!R.as<RunWait>())
      Changed.push_back(R);
  }
  flush();
  return std::move(Changed);
}

static Program inStreams(const Program &P, const TimelineCosts &) {
  return StreamSplitter().split(P);
}

/// Can this be the node of a graph, without a wait of the host?
static bool isNode(const ChangedRecord &R) {
  const auto *C = R.as<RunCopy>();
  const auto *S = R.as<RunMemset>();
  return R.as<RunLaunch>() || (R.as<RunLibraryCall>() && R.Cost) ||
         (C && C->Async && !hostWaits(*C)) || (S && S->Async);
}

static Program inGraphs(const Program &P, const TimelineCosts &) {
  Program Changed;
  bool Any = false;
  for (size_t I = 0; I < P.size();) {
    size_t End = I;
    while (End < P.size() && isNode(P[End]) &&
           streamOf(P[End]) == streamOf(P[I]))
      ++End;
    if (End - I < 2) {
      End = std::max(End, I + 1);
      Changed.insert(Changed.end(), P.begin() + I, P.begin() + End);
      I = End;
      continue;
    }
    Any = true;
    ChangedRecord Edge;
    Edge.Record.Call = "cudaGraphLaunch";
    Edge.Record.HostNs = P[I].Record.HostNs;
    Edge.Record.What = RunGraphLaunch{0, *streamOf(P[I]), true};
    Changed.push_back(Edge);
    Changed.insert(Changed.end(), P.begin() + I, P.begin() + End);
    Edge.Record.HostNs = P[End - 1].Record.HostNs;
    std::get<RunGraphLaunch>(Edge.Record.What).Begin = false;
    Changed.push_back(std::move(Edge));
    I = End;
  }
  return Any ? Changed : Program();
}

/// Merges groups of launches that follow each other on one stream. Size says
/// how many launches from the first one on make a group.
static Program
mergeLaunches(const Program &P,
              function_ref<size_t(ArrayRef<ChangedRecord>)> Size,
              function_ref<LaunchCost(ArrayRef<ChangedRecord>)> Cost) {
  Program Changed;
  bool Any = false;
  size_t RunEnd = 0; // of the launches that follow each other
  for (size_t I = 0; I < P.size();) {
    auto Follows = [&](const ChangedRecord &R) {
      return R.as<RunLaunch>() && R.Cost && streamOf(R) == streamOf(P[I]);
    };
    for (RunEnd = std::max(RunEnd, I); RunEnd < P.size() && Follows(P[RunEnd]);)
      ++RunEnd;
    size_t Run = RunEnd - I, Taken = 1;
    if (Run > 1)
      Taken = std::clamp<size_t>(Size(ArrayRef(P).slice(I, Run)), 1, Run);
    Changed.push_back(P[I]);
    if (Taken > 1) {
      Any = true;
      Changed.back().Cost = Cost(ArrayRef(P).slice(I, Taken));
    }
    I += Taken;
  }
  return Any ? Changed : Program();
}

static Program withFusedKernels(const Program &P, const TimelineCosts &Costs) {
  // A kernel whose start is a tenth of its time or more.
  auto IsSmall = [&](const ChangedRecord &R) {
    return R.Cost->Ns < 10 * Costs.LaunchLatencyNs;
  };
  return mergeLaunches(
      P,
      [&](ArrayRef<ChangedRecord> Run) -> size_t {
        return IsSmall(Run[0]) && IsSmall(Run[1]) ? 2 : 1;
      },
      [&](ArrayRef<ChangedRecord> Pair) {
        return LaunchCost{std::max(Pair[0].Cost->Ns + Pair[1].Cost->Ns -
                                       Costs.LaunchLatencyNs,
                                   0.0),
                          std::max(Pair[0].Cost->Share, Pair[1].Cost->Share)};
      });
}

static Program withLargerBatches(const Program &P, const TimelineCosts &) {
  constexpr size_t MaxBatch = 1024;
  return mergeLaunches(
      P,
      [&](ArrayRef<ChangedRecord> Run) -> size_t {
        double Share = std::max(Run[0].Cost->Share, 1.0 / MaxBatch);
        auto Fit = static_cast<size_t>(1 / Share);
        // Launches on the same memory most likely depend on each other.
        size_t Same = 1;
        while (Same < Run.size() && Same < Fit &&
               Run[Same].as<RunLaunch>()->Kernel ==
                   Run[0].as<RunLaunch>()->Kernel &&
               Run[Same].Pointers != Run[Same - 1].Pointers)
          ++Same;
        return Same;
      },
      [](ArrayRef<ChangedRecord> Batch) {
        LaunchCost Cost{0, 0};
        for (const ChangedRecord &R : Batch) {
          Cost.Ns = std::max(Cost.Ns, R.Cost->Ns);
          Cost.Share += R.Cost->Share;
        }
        Cost.Share = std::min(Cost.Share, 1.0);
        return Cost;
      });
}

/// Without the waits after which the host hands over more work at once.
static Program withoutWaits(const Program &P, const TimelineCosts &) {
  Program Changed;
  bool Any = false;
  for (size_t I = 0; I < P.size(); ++I) {
    const auto *W = P[I].as<RunWait>();
    const RunCopy *Next = I + 1 < P.size() ? P[I + 1].as<RunCopy>() : nullptr;
    bool MoreWork = I + 1 < P.size() &&
                    (P[I + 1].as<RunLaunch>() || P[I + 1].as<RunMemset>() ||
                     P[I + 1].as<RunLibraryCall>() ||
                     (Next && Next->Kind != RunCopyKind::HostToHost));
    if (W && W->On != RunWait::Event && MoreWork)
      Any = true;
    else
      Changed.push_back(P[I]);
  }
  return Any ? Changed : Program();
}

std::vector<Suggestion> suggest(const TimelineCosts &Costs,
                                ArrayRef<PricedRecord> Records,
                                const TimelineTotals &OfAll) {
  static constexpr Change Changes[] = {
      {"use pinned memory for the copies (cudaMallocHost, cudaHostRegister)",
       withPinnedMemory},
      {"prefetch managed memory before the launches that touch it "
       "(cudaMemPrefetchAsync)",
       withPrefetches},
      {"overlap copies and kernels: pinned memory, and the work in 4 parts "
       "with "
       "a stream each, where the parts are independent",
       inStreams, withPinnedMemory},
      {"launch the kernels that follow each other as one CUDA graph", inGraphs},
      {"fuse pairs of small kernels that follow each other", withFusedKernels},
      {"put launches of the same kernel that do not fill the GPU into one "
       "larger batch, where they are independent",
       withLargerBatches},
      {"leave out the waits between kernels and copies, which streams order",
       withoutWaits},
  };
  std::string Judged;
  Program P;
  P.reserve(std::min(Records.size(), MaxJudgedRecords));
  RecordReader Reader;
  for (const PricedRecord &R : Records.take_front(MaxJudgedRecords))
    P.push_back(Reader.read(R));
  TimelineTotals Totals = OfAll;
  if (P.size() < Records.size()) {
    Totals = totals(P, Costs);
    Judged = " (judged by the first " + std::to_string(P.size()) + " calls)";
  }
  double OwnNs = Totals.WallNs - Totals.ProgramNs;
  std::vector<Suggestion> Found;
  if (OwnNs <= 0)
    return Found;
  auto Saved = [&](const Program &Changed) {
    return Changed.empty() ? 0 : Totals.WallNs - totals(Changed, Costs).WallNs;
  };
  for (const Change &C : Changes) {
    double SavedNs = Saved(C.Make(P, Costs));
    double OtherNs = C.Without ? Saved(C.Without(P, Costs)) : 0;
    if ((SavedNs - std::max(OtherNs, 0.0)) / OwnNs >= MinSuggestedGain)
      Found.push_back({C.What + Judged, SavedNs, SavedNs / OwnNs});
  }
  stable_sort(Found, [](const Suggestion &A, const Suggestion &B) {
    return A.Gain > B.Gain;
  });
  return Found;
}

} // namespace gpuestimate
