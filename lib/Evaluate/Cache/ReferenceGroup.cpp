/// \file
/// Joins accesses of one object that go through it alike to reference groups.
#include "ReferenceGroup.h"
#include "LaunchFootprint.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

/// Groups that may be alike, in ascending order: an unrolled body has
/// thousands.
using Buckets = std::map<uint64_t, std::vector<unsigned>>;

/// Equal numbers have equal hashes, 0 and -0 as well.
static uint64_t hashOf(double Value) {
  return llvm::bit_cast<uint64_t>(Value + 0.0);
}

static uint64_t hashOf(const StridedAccess &Dims) {
  uint64_t Hash = Dims.size();
  for (const StridedDim &D : Dims)
    Hash = llvm::hash_combine(Hash, hashOf(D.Stride), hashOf(D.Extent));
  return Hash;
}

static uint64_t hashOf(const QuasiAffineMap &Dims) {
  uint64_t Hash = Dims.size();
  for (const BlockStrideTerm &D : Dims)
    Hash = llvm::hash_combine(Hash, hashOf(D.Stride), hashOf(D.Extent));
  return Hash;
}

/// Hash of what sameLoops() compares and of the block strides.
static uint64_t hashOfLoops(llvm::StringRef Base, const AccessPattern &P) {
  uint64_t Hash = llvm::hash_combine(
      Base, unsigned(P.Role), P.BasePoint, hashOf(P.GridBlockMap),
      llvm::hash_combine_range(P.EnclosingLoops.begin(),
                               P.EnclosingLoops.end()));
  for (const StridedAccess &Dims : P.LoopDims)
    Hash = llvm::hash_combine(Hash, hashOf(Dims));
  return Hash;
}

static bool sameDirections(const AccessPattern &A, const AccessPattern &B) {
  return A.ThreadDims == B.ThreadDims && A.LoopDims == B.LoopDims &&
         A.GridBlockMap == B.GridBlockMap &&
         A.IndirectSectors == B.IndirectSectors;
}

static bool sameLoops(const ReferenceGroup &A, llvm::StringRef Base,
                      const AccessPattern &B) {
  return A.Pattern.Role == B.Role && A.Pattern.BasePoint == B.BasePoint &&
         A.Pattern.EnclosingLoops == B.EnclosingLoops &&
         A.Pattern.LoopDims == B.LoopDims && A.Object == Base &&
         !A.Object.empty();
}

/// Where a copy of Whole begins that covers, together with Whole itself, no
/// more than Part does: Part has fewer positions along some of its directions.
/// nullopt where Part is no such part, or too far away.
static std::optional<double> asWhole(const AccessPattern &Part, double Start,
                                     const AccessPattern &Whole) {
  StridedAccess Dims = Whole.ThreadDims;
  llvm::sort(Dims, [](auto &A, auto &B) { return A.Stride > B.Stride; });
  unsigned MatchedDims = 0;
  double Distance = Start - Whole.Start, Moved = Start;
  for (const StridedDim &D : Dims) {
    if (D.Stride <= 0 || D.Stride >= ScatterStride)
      return std::nullopt;
    double Extent = 1;
    for (const StridedDim &Own : Part.ThreadDims)
      if (Own.Stride == D.Stride && Own.Extent <= D.Extent) {
        Extent = Own.Extent;
        ++MatchedDims;
      }
    double Step = std::round(Distance / D.Stride);
    Distance -= Step * D.Stride;
    if (Step < -D.Extent || Step > 2 * D.Extent - Extent)
      return std::nullopt;
    if (Step > 0)
      Moved += (std::max(0.0, Step + Extent - D.Extent) - Step) * D.Stride;
  }
  if (MatchedDims != Part.ThreadDims.size() || Distance != 0)
    return std::nullopt;
  return Moved;
}

/// The few copies of a pattern along directions that Whole has not got (both
/// edges of a tile in one access): shifts of it, and the pattern without them.
static llvm::SmallVector<double, 4> takeCopies(AccessPattern &P,
                                               const AccessPattern &Whole) {
  constexpr double MaxCopies = 4;
  llvm::SmallVector<double, 4> Shifts = {0};
  llvm::erase_if(P.ThreadDims, [&](const StridedDim &D) {
    bool InWhole = llvm::any_of(Whole.ThreadDims, [&](const StridedDim &Other) {
      return Other.Stride == D.Stride;
    });
    if (InWhole || D.Extent != std::floor(D.Extent) ||
        D.Extent * double(Shifts.size()) > MaxCopies)
      return false;
    llvm::SmallVector<double, 4> Combined;
    for (double Shift : Shifts)
      for (double I = 0; I < D.Extent; ++I)
        Combined.push_back(Shift + I * D.Stride);
    Shifts = Combined;
    return true;
  });
  return Shifts;
}

/// Joins Part to Whole; false where it is no part of it.
static bool join(ReferenceGroup &Whole, const ReferenceGroup &Part) {
  const AccessPattern &Candidate = Part.Pattern, &W = Whole.Pattern;
  if (Candidate.IndirectSectors || W.IndirectSectors ||
      Candidate.Role == CacheRole::Private || Candidate.Width != W.Width ||
      Candidate.ThreadDims == W.ThreadDims ||
      Candidate.GridBlockMap != W.GridBlockMap ||
      !sameLoops(Whole, Part.Object, Candidate))
    return false;
  AccessPattern P = Candidate;
  llvm::SmallVector<double, 4> Shifts = takeCopies(P, W);
  std::vector<double> Starts, ExtraStarts;
  for (double Start : Part.Starts)
    for (double Shift : Shifts) {
      std::optional<double> Moved = asWhole(P, Start + Shift, W);
      if (!Moved)
        return false;
      (Shift == 0 ? Starts : ExtraStarts).push_back(*Moved);
    }
  for (auto [Member, Start] : llvm::zip(Part.Members, Starts)) {
    auto Position = llvm::lower_bound(Whole.Members, Member);
    Whole.Starts.insert(
        Whole.Starts.begin() + (Position - Whole.Members.begin()), Start);
    Whole.Members.insert(Position, Member);
  }
  llvm::append_range(Whole.Starts, ExtraStarts);
  Whole.LeastWidth = std::min(Whole.LeastWidth, Part.LeastWidth);
  Whole.SectorsPerBlock += Part.SectorsPerBlock;
  Whole.ThreadsPerBlock += Part.ThreadsPerBlock;
  return true;
}

/// Edges of a tile join the tile: what they load lies within its box.
static void joinParts(std::vector<ReferenceGroup> &Groups) {
  Buckets Alike;
  for (auto [I, G] : llvm::enumerate(Groups))
    if (!G.Object.empty() && !G.Pattern.IndirectSectors &&
        G.Pattern.Role != CacheRole::Private)
      Alike[hashOfLoops(G.Object, G.Pattern)].push_back(I);
  std::vector<bool> Joined(Groups.size());
  for (unsigned I = 0; I < Groups.size(); ++I) {
    auto Bucket = Alike.find(hashOfLoops(Groups[I].Object, Groups[I].Pattern));
    Joined[I] =
        Bucket != Alike.end() &&
        llvm::any_of(Bucket->second, [&](unsigned Whole) {
          return Whole != I && !Joined[Whole] && join(Groups[Whole], Groups[I]);
        });
  }
  unsigned Next = 0;
  llvm::erase_if(Groups,
                 [&](const ReferenceGroup &) { return Joined[Next++]; });
}

/// Groups that cover the same bytes: one strides like the other through threads
/// and blocks, and most of its addresses are among those of the other. A first
/// tile that was peeled from a loop over tiles strides alike and shares nothing
/// with the loop.
static void numberFootprints(std::vector<ReferenceGroup> &Groups,
                             double Blocks) {
  constexpr size_t MaxCandidates = 16;
  Buckets Alike; // the first group of each class
  for (auto [I, G] : llvm::enumerate(Groups)) {
    const AccessPattern &P = G.Pattern;
    G.FootprintClass = I;
    if (G.Object.empty())
      continue;
    std::vector<unsigned> &Classes =
        Alike[llvm::hash_combine(llvm::StringRef(G.Object),
                                 hashOf(P.ThreadDims), hashOf(P.GridBlockMap))];
    llvm::ArrayRef<unsigned> Candidates(Classes);
    auto Same =
        llvm::find_if(Candidates.take_back(MaxCandidates), [&](unsigned Other) {
          const ReferenceGroup &O = Groups[Other];
          if (O.Object != G.Object || P.IndirectSectors ||
              O.Pattern.ThreadDims != P.ThreadDims ||
              O.Pattern.GridBlockMap != P.GridBlockMap)
            return false;
          LaunchFootprint Own(G, Blocks), OfOther(O, Blocks);
          return std::max(Own.shareIn(OfOther), OfOther.shareIn(Own)) >= 0.5;
        });
    if (Same != Candidates.end())
      G.FootprintClass = *Same;
    else
      Classes.push_back(I);
  }
}

/// Groups of different objects whose footprints need to be counted once.
static void numberShapes(std::vector<ReferenceGroup> &Groups) {
  Buckets Alike;
  for (auto [I, G] : llvm::enumerate(Groups)) {
    const AccessPattern &P = G.Pattern;
    G.OffsetClass = I;
    uint64_t Hash = llvm::hash_combine(P.Width, hashOf(P.ThreadDims),
                                       hashOf(P.GridBlockMap));
    for (double Start : G.Starts)
      Hash = llvm::hash_combine(Hash, hashOf(Start));
    std::vector<unsigned> &SameHash = Alike[Hash];
    auto Same = llvm::find_if(SameHash, [&](unsigned Other) {
      const AccessPattern &Q = Groups[Other].Pattern;
      return Q.Width == P.Width && Q.ThreadDims == P.ThreadDims &&
             Q.LoopDims == P.LoopDims && Q.GridBlockMap == P.GridBlockMap &&
             Q.SmBlockMap == P.SmBlockMap && Groups[Other].Starts == G.Starts;
    });
    if (Same != SameHash.end())
      G.OffsetClass = *Same;
    else
      SameHash.push_back(I);
  }
}

/// What the trace has seen of an indirect group; nullopt if that is nothing.
static std::optional<TracedReuse>
tracedReuse(const ReferenceGroup &G, llvm::ArrayRef<TracedBuffer> Buffers,
            const ExecutedLaunch &Executed, double WarpsPerBlock) {
  if (!G.isIndirect() || G.isLocal())
    return std::nullopt;
  ExecutedReuse Sum;
  for (unsigned A : G.Members)
    if (A < Executed.Reuse.size())
      Sum += Executed.Reuse[A];
  if (Sum.AmongAll.sectors() <= 0)
    return std::nullopt;
  return TracedReuse(Sum, G.Pattern.ObjectBytes, Buffers, Executed,
                     WarpsPerBlock);
}

/// Reuse of each buffer with its size.
static std::vector<TracedBuffer>
tracedBuffers(llvm::ArrayRef<ReferenceGroup> Groups,
              const ExecutedLaunch &Executed) {
  std::vector<TracedBuffer> Buffers;
  for (const auto &[Name, Reuse] : Executed.ReuseOfBuffers) {
    TracedBuffer &B = Buffers.emplace_back(TracedBuffer{Reuse});
    for (const ReferenceGroup &G : Groups)
      if (!Name.empty() && G.Object == Name)
        B.Bytes = std::min(B.Bytes, G.Pattern.ObjectBytes);
  }
  return Buffers;
}

/// Private arrays depend on the stores to them, groups of several members on
/// what is between these, traced groups on their trace: they are of a kind of
/// their own.
static void numberKinds(std::vector<ReferenceGroup> &Groups) {
  std::map<uint64_t, std::vector<const ReferenceGroup *>> Alike;
  unsigned Kinds = 0;
  for (ReferenceGroup &G : Groups) {
    const AccessPattern &P = G.Pattern;
    G.CostClass = Kinds++;
    if (G.Members.size() > 1 || G.Starts.size() > 1 || G.Traced ||
        P.Role == CacheRole::Private)
      continue;
    std::vector<const ReferenceGroup *> &SameHash = Alike[llvm::hash_combine(
        G.OffsetClass, unsigned(P.Role),
        llvm::hash_combine_range(P.EnclosingLoops.begin(),
                                 P.EnclosingLoops.end()),
        hashOf(G.SectorsPerBlock), hashOf(G.RequestFraction))];
    auto Same = llvm::find_if(SameHash, [&](const ReferenceGroup *Other) {
      const ReferenceGroup &H = *Other;
      const AccessPattern &Q = H.Pattern;
      return H.OffsetClass == G.OffsetClass && Q.Role == P.Role &&
             Q.EnclosingLoops == P.EnclosingLoops &&
             Q.MeanTrips == P.MeanTrips && Q.SectorBytes == P.SectorBytes &&
             Q.IndirectSectors == P.IndirectSectors &&
             Q.RegularLoops == P.RegularLoops &&
             Q.ObjectBytes == P.ObjectBytes &&
             Q.LaneProbability == P.LaneProbability &&
             H.SectorsPerBlock == G.SectorsPerBlock &&
             H.RequestFraction == G.RequestFraction &&
             H.ExecutedFraction == G.ExecutedFraction;
    });
    if (Same == SameHash.end()) {
      SameHash.push_back(&G);
      continue;
    }
    G.CostClass = (*Same)->CostClass;
    --Kinds;
  }
}

std::vector<ReferenceGroup>
groupAccesses(const KernelModel &Kernel, const LaunchSample &Sample,
              std::vector<AccessPattern> Patterns, const BlockAssignment &R,
              const ExecutedLaunch *Executed, double WarpsPerBlock) {
  std::vector<ReferenceGroup> Groups;
  Groups.reserve(Patterns.size());
  Buckets Alike;
  for (AccessPattern &P : Patterns) {
    const AccessTotals &Total = Sample.Accesses[P.Access];
    if (P.Role == CacheRole::None || Total.Sectors <= 0)
      continue;
    const std::string &Base = Kernel.Accesses[P.Access].buffer();
    // Unknown objects have nothing in common.
    std::vector<unsigned> NoCandidates;
    std::vector<unsigned> &Candidates =
        Base.empty() ? NoCandidates
                     : Alike[llvm::hash_combine(hashOfLoops(Base, P),
                                                hashOf(P.ThreadDims),
                                                hashOf(P.IndirectSectors))];
    auto Same = llvm::find_if(Candidates, [&](unsigned G) {
      return sameLoops(Groups[G], Base, P) &&
             sameDirections(Groups[G].Pattern, P);
    });
    bool IsNew = Same == Candidates.end();
    if (IsNew) {
      Same = Candidates.insert(Same, Groups.size());
      Groups.emplace_back();
    }
    ReferenceGroup &G = Groups[*Same];
    const MemoryAccess &A = Kernel.Accesses[P.Access];
    G.HasStore |= A.Kind == AccessKind::Store;
    G.LeastWidth = std::min(G.LeastWidth, P.Width);
    G.Members.push_back(P.Access);
    G.Starts.push_back(P.Start);
    if (P.IndirectSectors > 0)
      G.IndirectStarts[{P.IndexRepresentative, A.Block}].push_back(P.Start);
    G.SectorsPerBlock += P.SectorsPerBlock;
    G.ThreadsPerBlock += P.ThreadsPerBlock;
    if (!IsNew) {
      G.Pattern.Width = std::max(G.Pattern.Width, P.Width);
      continue;
    }
    G.Object = Base;
    G.BasicBlock = A.Block;
    G.WarpPaths = Sample.Paths;
    G.FirstIsStore = A.Kind == AccessKind::Store;
    G.Pattern = std::move(P);
  }
  joinParts(Groups);
  numberFootprints(Groups, R.Blocks);
  numberShapes(Groups);
  for (ReferenceGroup &G : Groups) {
    double Nominal = G.SectorsPerBlock * R.Blocks, Actual = 0;
    double NominalThreads = G.ThreadsPerBlock * R.Blocks, Threads = 0;
    for (double T : G.Pattern.MeanTrips) {
      Nominal *= T;
      NominalThreads *= T;
    }
    for (unsigned A : G.Members) {
      Actual += Sample.Accesses[A].Sectors;
      Threads += Sample.Accesses[A].Threads;
    }
    G.RequestedSectors = Actual;
    G.RequestFraction = Nominal > 0 ? Actual / Nominal : 1;
    G.ExecutedFraction =
        NominalThreads > 0 ? Threads / NominalThreads : G.RequestFraction;
  }
  if (Executed && Executed->isAbout(Kernel)) {
    std::vector<TracedBuffer> Buffers = tracedBuffers(Groups, *Executed);
    for (ReferenceGroup &G : Groups)
      G.Traced = tracedReuse(G, Buffers, *Executed, WarpsPerBlock);
  }
  numberKinds(Groups);
  return Groups;
}

} // namespace gpuestimate
