#include "LocalMemoryReplay.h"

#include "BlockTrace.h"
#include "Evaluate/Access/AddressProbe.h"
#include "WaveReplay.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

/// Longer traces are cut: some iterations of a loop are replayed, and half as
/// many, which costs about as much as one replay of the longest whole trace.
static constexpr double MaxSteps = 2560, StepsOfPart = 1024;

namespace {

/// A loop, the outermost with several iterations, of which not all iterations
/// are replayed.
struct TruncatedLoop {
  int Loop = -1; ///< -1: the whole trace is replayed
  double Trips = 0, ReplayedTrips = 0;
};

/// The access trace of one block.
class TraceBuilder {
public:
  TraceBuilder(const LaunchProgram &Bound, const LaunchSample &Sample,
               llvm::ArrayRef<ReferenceGroup> Groups,
               llvm::ArrayRef<OtherBytes> Other);
  /// What can be replayed; nullopt if the trace is not known, or too long.
  std::optional<TruncatedLoop> choosePart() const;
  /// Builds the trace anew; false if it is not known after all.
  bool build(const TruncatedLoop &Replayed);
  std::vector<ReplayStep> Trace;
  unsigned words() const { return unsigned(WordNumbers.size()); }

private:
  bool add(llvm::ArrayRef<RegionNode> Body);
  bool addAccess(unsigned Access);
  /// Whether the words of a group of local memory are known: all lanes of a
  /// warp access one word each, side by side, at addresses that do not depend
  /// on data.
  bool hasKnownWords(const ReferenceGroup &G) const;
  bool addOther(unsigned Access, const ReferenceGroup &G);

  const LaunchProgram &Bound;
  const LaunchSample &Sample;
  llvm::ArrayRef<ReferenceGroup> Groups;
  llvm::ArrayRef<OtherBytes> Other; ///< [group]
  std::vector<int> GroupOf;         ///< [access] -1: none
  std::vector<bool> HasLocal;       ///< [loop] has known local words inside
  std::vector<std::optional<AddressProbe>> Probes; ///< [access]
  TruncatedLoop Part;
  llvm::DenseMap<uint64_t, unsigned> WordNumbers;    ///< by object and word
  std::vector<std::pair<unsigned, double>> Counters; ///< of enclosing loops
};

} // namespace

TraceBuilder::TraceBuilder(const LaunchProgram &Bound,
                           const LaunchSample &Sample,
                           llvm::ArrayRef<ReferenceGroup> Groups,
                           llvm::ArrayRef<OtherBytes> Other)
    : Bound(Bound), Sample(Sample), Groups(Groups), Other(Other),
      GroupOf(Bound.kernel().Accesses.size(), -1),
      HasLocal(Bound.kernel().Loops.size()), Probes(GroupOf.size()) {
  for (auto [Index, G] : llvm::enumerate(Groups)) {
    for (unsigned A : G.Members)
      GroupOf[A] = int(Index);
    if (hasKnownWords(G))
      for (unsigned Loop : G.Pattern.EnclosingLoops)
        HasLocal[Loop] = true;
  }
}

bool TraceBuilder::hasKnownWords(const ReferenceGroup &G) const {
  const AccessPattern &P = G.Pattern;
  return G.isLocal() && !G.isIndirect() && G.ExecutedFraction >= 0.9 &&
         !P.ThreadDims.empty() && P.ThreadDims.front().Stride == 4 &&
         P.ThreadDims.front().Extent >= Bound.lanes();
}

std::optional<TruncatedLoop> TraceBuilder::choosePart() const {
  double AllSteps = 0;
  std::map<unsigned, double> StepsPerIteration; // by outermost loop
  TruncatedLoop Longest;
  for (const ReferenceGroup &G : Groups) {
    const AccessPattern &P = G.Pattern;
    if (!hasKnownWords(G))
      continue;
    double Steps = 0;
    for (unsigned A : G.Members)
      Steps += (Bound.kernel().Accesses[A].BytesPerThread + 3) / 4;
    for (double Trips : P.MeanTrips)
      Steps *= Trips;
    AllSteps += Steps;
    // Loops of a single iteration around it have nothing to leave out.
    unsigned Depth = unsigned(P.EnclosingLoops.size());
    while (Depth && std::round(P.MeanTrips[Depth - 1]) <= 1)
      --Depth;
    if (!Depth)
      continue;
    unsigned Loop = P.EnclosingLoops[Depth - 1];
    double Trips = P.MeanTrips[Depth - 1], &LoopSteps = StepsPerIteration[Loop];
    LoopSteps += Steps / Trips;
    if (Longest.Loop < 0 ||
        LoopSteps * Trips > StepsPerIteration[Longest.Loop] * Longest.Trips)
      Longest = {int(Loop), std::round(Trips), 0};
  }
  if (AllSteps <= 0)
    return std::nullopt;
  if (AllSteps <= MaxSteps)
    return TruncatedLoop();
  if (Longest.Loop < 0)
    return std::nullopt;
  double IterationSteps = StepsPerIteration[Longest.Loop],
         OtherSteps = AllSteps - IterationSteps * Longest.Trips;
  Longest.ReplayedTrips =
      std::floor((StepsOfPart - OtherSteps) / IterationSteps);
  return Longest.ReplayedTrips >= 2 ? std::optional(Longest) : std::nullopt;
}

bool TraceBuilder::build(const TruncatedLoop &Replayed) {
  Part = Replayed;
  Trace.clear();
  WordNumbers.clear();
  Counters.clear();
  return add(Bound.kernel().Body);
}

bool TraceBuilder::addOther(unsigned Access, const ReferenceGroup &G) {
  // The bytes of a group are spread over its members and their executions.
  double Fraction = 1;
  Fraction /= double(G.Members.size());
  for (auto [Loop, Trips] :
       llvm::zip(G.Pattern.EnclosingLoops, G.Pattern.MeanTrips))
    if (HasLocal[Loop])
      Fraction /= std::round(Trips);
  OtherBytes Bytes = Other[GroupOf[Access]];
  Bytes.L1 *= Fraction;
  Bytes.L2 *= Fraction;
  Trace.push_back({Access, -1, false, Bytes});
  return double(Trace.size()) <= 2 * MaxSteps;
}

bool TraceBuilder::addAccess(unsigned Access) {
  if (GroupOf[Access] < 0)
    return true;
  const ReferenceGroup &G = Groups[GroupOf[Access]];
  if (!hasKnownWords(G))
    return addOther(Access, G);
  const MemoryAccess &A = Bound.kernel().Accesses[Access];
  std::optional<AddressProbe> &Probe = Probes[Access];
  if (!Probe)
    Probe.emplace(Bound, Access);
  for (auto [Loop, Iteration] : Counters)
    Probe->setCounter(Loop, Iteration);
  double Address = (*Probe)();
  if (!(Address >= 0))
    return false;
  uint64_t Object = G.FootprintClass;
  for (unsigned Word = 0; Word < (A.BytesPerThread + 3) / 4; ++Word) {
    uint64_t Place = Object << 32 | (uint64_t(Address) / 4 + Word);
    unsigned Number =
        WordNumbers.try_emplace(Place, unsigned(WordNumbers.size()))
            .first->second;
    Trace.push_back(
        {Access, int(Number), A.Kind == AccessKind::Store, OtherBytes()});
  }
  return true;
}

bool TraceBuilder::add(llvm::ArrayRef<RegionNode> Body) {
  for (const RegionNode &I : Body) {
    if (I.Kind == RegionNode::IsBlock) {
      for (unsigned A : Bound.accessesOf(I.Index))
        if (!addAccess(A))
          return false;
      continue;
    }
    double Trips = !HasLocal[I.Index] ? 1
                   : int(I.Index) == Part.Loop
                       ? Part.ReplayedTrips
                       : std::round(meanTrips(Sample, I.Index));
    for (double Iteration = 0; Iteration < Trips; ++Iteration) {
      Counters.push_back({I.Index, Iteration});
      bool Complete = add(Bound.kernel().Loops[I.Index].Body);
      Counters.pop_back();
      if (!Complete)
        return false;
    }
  }
  return true;
}

std::optional<std::map<unsigned, LocalMemoryFractions>>
replayLocalMemory(const LaunchProgram &Bound, const LaunchSample &Sample,
                  const Launch &L, llvm::ArrayRef<ReferenceGroup> Groups,
                  llvm::ArrayRef<OtherBytes> Other, const CacheView &L1,
                  const CacheView &L2, bool Warm,
                  LocalMemoryReplayCache &Memo) {
  const size_t Accesses = Bound.kernel().Accesses.size();
  const WaveReplay Waves(L, L1, L2, Warm);
  TraceBuilder Builder(Bound, Sample, Groups, Other);
  auto replay = [&](const TruncatedLoop &Part)
      -> std::optional<LocalMemoryReplayCache::Result> {
    if (!Builder.build(Part))
      return std::nullopt;
    return Memo.find(Waves.key(Builder.Trace, Accesses), [&] {
      return Waves.replay(Builder.Trace, Builder.words(), Accesses);
    });
  };
  std::optional<TruncatedLoop> Part = Builder.choosePart();
  if (!Part)
    return std::nullopt;
  std::optional<LocalMemoryReplayCache::Result> Total = replay(*Part);
  if (!Total)
    return std::nullopt;
  if (Part->Loop >= 0) {
    // Once the arrays are in the caches, iterations are alike: the rest of the
    // loop goes on as the second half of the replayed iterations did. Accesses
    // beside the loop are executed as often in either replay.
    TruncatedLoop HalfPart = *Part;
    HalfPart.ReplayedTrips = std::floor(HalfPart.ReplayedTrips / 2);
    std::optional<LocalMemoryReplayCache::Result> Half = replay(HalfPart);
    if (!Half)
      return std::nullopt;
    double Repetitions = (Part->Trips - Part->ReplayedTrips) /
                         (Part->ReplayedTrips - HalfPart.ReplayedTrips);
    for (auto [Sum, HalfSum] : llvm::zip_equal(*Total, *Half)) {
      if (!(Sum.Requested > HalfSum.Requested))
        continue;
      for (double LocalMemoryBytes::*Field :
           {&LocalMemoryBytes::Requested, &LocalMemoryBytes::L1Miss,
            &LocalMemoryBytes::DramRead, &LocalMemoryBytes::DramWrite})
        Sum.*Field += Repetitions * std::max(0.0, Sum.*Field - HalfSum.*Field);
    }
  }

  std::map<unsigned, LocalMemoryFractions> Fractions;
  for (auto [Access, Bytes] : llvm::enumerate(*Total))
    if (Bytes.Requested > 0)
      Fractions[Access] = {Bytes.L1Miss / Bytes.Requested,
                           Bytes.DramRead / Bytes.Requested,
                           Bytes.DramWrite / Bytes.Requested};
  return Fractions;
}

} // namespace gpuestimate
