#include "WaveReplay.h"

#include "LruStackSimulator.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include <algorithm>
#include <array>
#include <cmath>

namespace gpuestimate {

namespace {

using BytesByAccess = LocalMemoryReplayCache::Result;

struct L2Request {
  enum KindType : uint8_t { Other, Load, WriteBack } Kind;
  LruStackSimulator::Entry Entry; ///< bytes: over all SMs
};

/// The L1s and the L2, and waves of blocks that go through them.
///
/// The hit fraction of a cache at a distance is the probability that its
/// capacity is larger. So each cache consists of slices with capacities of
/// their own, and a fraction of each entry is in every slice.
class WaveSimulator {
public:
  WaveSimulator(llvm::ArrayRef<ReplayStep> Trace, unsigned Words,
                const CacheView &L1, const CacheView &L2,
                double WordBytesPerBlock, double LastBlocks);
  /// One wave in L1, which does not depend on L2.
  std::vector<L2Request> throughL1(double Blocks);
  /// L2 holds the data of all requests, twice.
  bool holds(llvm::ArrayRef<L2Request> Requests) const;
  /// The requests of a wave in L2, which stands for Weight waves. AllHit: L2
  /// holds the data of all of them already.
  void throughL2(double Blocks, llvm::ArrayRef<L2Request> Requests,
                 double Weight, BytesByAccess &Total, bool AllHit = false);
  /// Brings the data of the requests into L2 without counting them.
  void fillL2(llvm::ArrayRef<L2Request> Requests);
  void run(double Blocks, double Weight, BytesByAccess &Total) {
    throughL2(Blocks, throughL1(Blocks), Weight, Total);
  }

  LruStackSimulator L1;

private:
  static constexpr unsigned L1Slices = 6, L2Slices = 3;
  static LruStackSimulator slices(const CacheView &Cache, unsigned MaxSlices,
                                  unsigned Entries);
  /// A use of an entry in all slices of L1.
  struct Use {
    LruStackSimulator::Entry Entry;
    unsigned Misses = 0; ///< slices, the first ones, that miss
    /// Dirty victims with their slices, in the order of the slices.
    llvm::SmallVector<std::pair<unsigned, LruStackSimulator::Entry>, 16>
        Victims;
    unsigned WrittenBack = 0; ///< number of victims that are on their way to L2
  };
  void use(Use &U);
  void writeBackVictims(Use &U, unsigned Slice,
                        std::vector<L2Request> &Requests) const {
    while (U.WrittenBack < U.Victims.size() &&
           U.Victims[U.WrittenBack].first == Slice)
      writeBack(U.Victims[U.WrittenBack++].second, Slice, Requests);
  }
  void writeBack(LruStackSimulator::Entry Victim, unsigned Slice,
                 std::vector<L2Request> &Requests) const {
    Victim.Bytes *= Sms;
    Victim.Dirty = true;
    request(L2Request::WriteBack, Victim, Slice, Requests);
  }
  /// The fraction of a request that goes to each slice of L2.
  LruStackSimulator::Entry inL2Slice(const L2Request &Request) const {
    LruStackSimulator::Entry Entry = Request.Entry;
    Entry.Bytes /= double(L2.caches());
    return Entry;
  }
  void request(L2Request::KindType Kind, LruStackSimulator::Entry Entry,
               unsigned Slice, std::vector<L2Request> &Requests) const;
  /// Bytes of a word in one slice of one L1: of the blocks that the last wave
  /// has, too, and of the others. These are separate entries.
  std::array<double, 2> entryBytes(double Blocks) const;

  llvm::ArrayRef<ReplayStep> Trace;
  LruStackSimulator L2;
  /// The written part of L2, in which loads take no room; nullopt if L2 holds
  /// as much of it as fits.
  std::optional<LruStackSimulator> Written;
  bool WritesThrough; ///< L1
  double Sms;         ///< number of L1s
  double WordBytesPerBlock;
  double LastBlocks; ///< of the last wave
};

} // namespace

WaveSimulator::WaveSimulator(llvm::ArrayRef<ReplayStep> Trace, unsigned Words,
                             const CacheView &L1, const CacheView &L2,
                             double WordBytesPerBlock, double LastBlocks)
    : L1(slices(L1, L1Slices, 2 * Words)), Trace(Trace),
      L2(slices(L2, L2Slices, 2 * Words * this->L1.caches())),
      WritesThrough(L1.WritesThrough), Sms(L1.LaunchBlocks / L1.BlocksPerCache),
      WordBytesPerBlock(WordBytesPerBlock), LastBlocks(LastBlocks) {
  if (L2.MaxDirtyBytes > 0)
    Written.emplace(llvm::ArrayRef(L2.MaxDirtyBytes),
                    2 * Words * this->L1.caches());
}

LruStackSimulator WaveSimulator::slices(const CacheView &Cache,
                                        unsigned MaxSlices, unsigned Entries) {
  unsigned Slices = Cache.AllHitBytes < Cache.NoHitBytes ? MaxSlices : 1;
  llvm::SmallVector<double, L1Slices> Capacities;
  for (unsigned Slice = 0; Slice < Slices; ++Slice)
    Capacities.push_back(
        (Cache.AllHitBytes +
         (Cache.NoHitBytes - Cache.AllHitBytes) * (Slice + 0.5) / Slices) /
        Slices);
  return LruStackSimulator(Capacities, Entries);
}

std::array<double, 2> WaveSimulator::entryBytes(double Blocks) const {
  double Common = std::min(Blocks, LastBlocks),
         SliceFraction = 1.0 / double(L1.caches());
  return {Common * WordBytesPerBlock / Sms * SliceFraction,
          (Blocks - Common) * WordBytesPerBlock / Sms * SliceFraction};
}

void WaveSimulator::use(Use &U) {
  U.Victims.clear();
  U.WrittenBack = 0;
  U.Misses = L1.use(
      U.Entry, [&](unsigned Slice, const LruStackSimulator::Entry &Victim) {
        U.Victims.push_back({Slice, Victim});
      });
}

void WaveSimulator::request(L2Request::KindType Kind,
                            LruStackSimulator::Entry Entry, unsigned Slice,
                            std::vector<L2Request> &Requests) const {
  if (Entry.Number >= 0) // fractions in different L1 slices are separate
    Entry.Number = Entry.Number * int(L1.caches()) + int(Slice);
  Requests.push_back({Kind, Entry});
}

std::vector<L2Request> WaveSimulator::throughL1(double Blocks) {
  std::vector<L2Request> Requests;
  if (!spendWork(Trace.size() * L1.caches()))
    return Requests;
  std::array<double, 2> EntryBytes = entryBytes(Blocks);
  double SliceFraction = 1.0 / double(L1.caches());
  Use OtherUse, Uses[2];
  for (const ReplayStep &Step : Trace) {
    if (Step.Word < 0) {
      if (Step.Other.L1 > 0) {
        OtherUse.Entry = {-1, Step.Access,
                          Step.Other.L1 * Blocks / Sms * SliceFraction, false};
        use(OtherUse);
      }
      for (unsigned Slice = 0; Slice < L1.caches(); ++Slice) {
        writeBackVictims(OtherUse, Slice, Requests);
        if (Step.Other.L2 > 0)
          request(
              L2Request::Other,
              {-1, Step.Access, Step.Other.L2 * Blocks * SliceFraction, false},
              Slice, Requests);
      }
      continue;
    }
    for (unsigned Part = 0; Part < 2; ++Part) {
      Uses[Part].Entry = {2 * Step.Word + int(Part), Step.Access,
                          EntryBytes[Part], Step.IsStore && !WritesThrough};
      if (EntryBytes[Part] > 0)
        use(Uses[Part]);
    }
    for (unsigned Slice = 0; Slice < L1.caches(); ++Slice)
      for (Use &U : Uses) {
        if (U.Entry.Bytes <= 0)
          continue;
        writeBackVictims(U, Slice, Requests);
        if (Step.IsStore && WritesThrough)
          writeBack(U.Entry, Slice, Requests);
        if (Slice >= U.Misses || Step.IsStore)
          continue;
        LruStackSimulator::Entry Entry = U.Entry;
        Entry.Bytes *= Sms;
        request(L2Request::Load, Entry, Slice, Requests);
      }
  }
  return Requests;
}

bool WaveSimulator::holds(llvm::ArrayRef<L2Request> Requests) const {
  double Sum = 0;
  for (const L2Request &Request : Requests)
    Sum += Request.Entry.Bytes;
  // 2.001: sums in another order may differ by their last digits.
  return 2.001 * Sum / double(L2.caches()) <= L2.smallestCapacity();
}

void WaveSimulator::throughL2(double Blocks, llvm::ArrayRef<L2Request> Requests,
                              double Weight, BytesByAccess &Total,
                              bool AllHit) {
  if (!spendWork(Trace.size() + Requests.size()))
    return;
  std::array<double, 2> EntryBytes = entryBytes(Blocks);
  for (const ReplayStep &Step : Trace)
    for (unsigned Slice = 0; Step.Word >= 0 && Slice < L1.caches(); ++Slice)
      for (double Bytes : EntryBytes)
        Total[Step.Access].Requested += Weight * (Bytes * Sms);
  for (const L2Request &Request : Requests) {
    const LruStackSimulator::Entry Entry = inL2Slice(Request);
    auto onEvict = [&](unsigned, const LruStackSimulator::Entry &Victim) {
      Total[Victim.Writer].DramWrite += Weight * Victim.Bytes;
    };
    auto onCleanEvict = [](unsigned, const LruStackSimulator::Entry &) {};
    const unsigned Misses = AllHit    ? 0
                            : Written ? L2.use(Entry, onCleanEvict)
                                      : L2.use(Entry, onEvict);
    if (Written && Request.Kind == L2Request::WriteBack)
      Written->use(Request.Entry, onEvict);
    if (Request.Kind == L2Request::Other)
      continue;
    LocalMemoryBytes &Bytes = Total[Entry.Writer];
    Bytes.L1Miss += Weight * Request.Entry.Bytes;
    if (Request.Kind != L2Request::Load || !Misses)
      continue;
    double MissBytes = 0;
    for (unsigned Slice = 0; Slice < Misses; ++Slice)
      MissBytes += Entry.Bytes;
    Bytes.DramRead += Weight * MissBytes;
  }
}

void WaveSimulator::fillL2(llvm::ArrayRef<L2Request> Requests) {
  if (!spendWork(Requests.size()))
    return;
  for (const L2Request &Request : Requests)
    L2.use(inL2Slice(Request),
           [](unsigned, const LruStackSimulator::Entry &) {});
}

WaveReplay::WaveReplay(const Launch &L, const CacheView &L1,
                       const CacheView &L2, bool Warm)
    : L1(L1), L2(L2), Warm(Warm),
      Waves(std::max(1.0, std::ceil(L2.BlocksPerCache / L2.BlockSlots - 1e-9))),
      FullBlocks(std::min(L2.BlockSlots, L2.BlocksPerCache)),
      LastBlocks(L2.BlocksPerCache - (Waves - 1) * FullBlocks),
      WordBytesPerBlock(4.0 * L.threadsPerBlock()) {
  LastBlocks -=
      (1 - L2.LastRowActiveFraction) * std::min(L2.LastRowBlocks, LastBlocks);
}

LocalMemoryReplayCache::Result
WaveReplay::replay(llvm::ArrayRef<ReplayStep> Trace, unsigned Words,
                   size_t Accesses) const {
  LocalMemoryReplayCache::Result Total(Accesses);
  WaveSimulator Simulator(Trace, Words, L1, L2, WordBytesPerBlock, LastBlocks);
  double FirstBlocks = Waves > 1 ? FullBlocks : LastBlocks;
  std::vector<L2Request> FirstWave = Simulator.throughL1(FirstBlocks);
  // Warm: the last waves of the previous launch have filled L2. L1 starts
  // empty, with the first wave.
  bool AllHit = Warm && Waves <= 1 && Simulator.holds(FirstWave);
  if (Warm && !AllHit) {
    Simulator.fillL2(FirstWave);
    if (Waves > 1) {
      LruStackSimulator AfterFirst = Simulator.L1;
      Simulator.fillL2(Simulator.throughL1(LastBlocks));
      Simulator.L1 = std::move(AfterFirst);
    }
  }
  Simulator.throughL2(FirstBlocks, FirstWave, 1, Total, AllHit);
  // Waves between the first and the last are alike.
  if (Waves > 2)
    Simulator.run(FullBlocks, Waves - 2, Total);
  if (Waves > 1)
    Simulator.run(LastBlocks, 1, Total);
  return Total;
}

std::string WaveReplay::key(llvm::ArrayRef<ReplayStep> Trace,
                            size_t Accesses) const {
  std::string Key;
  auto append = [&](auto Value) {
    Key.append(reinterpret_cast<const char *>(&Value), sizeof Value);
  };
  for (double Value :
       {Waves, FullBlocks, LastBlocks, WordBytesPerBlock, L1.AllHitBytes,
        L1.NoHitBytes, L1.LaunchBlocks / L1.BlocksPerCache, L2.AllHitBytes,
        L2.NoHitBytes, double(L1.WritesThrough), L2.MaxDirtyBytes, double(Warm),
        double(Accesses)})
    append(Value);
  for (const ReplayStep &Step : Trace) {
    append(Step.Access << 1 | unsigned(Step.IsStore));
    append(Step.Word);
    if (Step.Word < 0) {
      append(Step.Other.L1);
      append(Step.Other.L2);
    }
  }
  return Key;
}

} // namespace gpuestimate
