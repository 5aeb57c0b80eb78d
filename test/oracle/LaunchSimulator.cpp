/// \file
/// Blocks and warps in turn; L1, L2, DRAM.
#include "LaunchSimulator.h"
#include "Evaluate/Sampling/SamplingPlan.h"
#include "gpu-estimate/Evaluate/Access/Request.h"
#include "gpu-estimate/Support/Hash.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <tuple>

namespace gpuestimate::test {

namespace {

/// A warp on its way through its requests.
struct Warp {
  const WarpTrace *Trace;
  size_t Next = 0;
  bool ended() const { return Next == Trace->Requests.size(); }
  bool waits() const { return !ended() && Trace->Requests[Next].Access < 0; }
};

struct ResidentBlock {
  std::vector<Warp> Warps; ///< empty: a free place
  uint64_t Local = 0;      ///< first sector of its private arrays
};

struct Sm {
  explicit Sm(const CacheShape &L1) : L1(L1) {}
  SectoredCache L1;
  std::vector<ResidentBlock> Slots;
};

class Simulator {
public:
  Simulator(const KernelModel &Kernel, const LaunchTrace &Trace,
            const SimulatedMachine &M)
      : Kernel(Kernel), Trace(Trace), M(M), L2(M.L2) {
    for (const MemoryAccess &A : Kernel.Accesses)
      Roles.push_back(cacheRole(A, M.Gpu));
    findWaits();
  }
  SimulatedTraffic run();

private:
  void findWaits();
  bool goesOn(const Warp &W, unsigned First) const;
  void launch();
  void enter(ResidentBlock &Slot, uint64_t Block, uint64_t Number) const;
  bool turn(ResidentBlock &Block, SectoredCache &L1);
  void issue(const Warp &W, uint64_t Local, SectoredCache &L1);
  bool throughL1(const Piece &P, unsigned Access, SectoredCache &L1);
  void load(const Piece &P, SimulatedAccess &Counts);
  void store(const Piece &P, SimulatedAccess *Counts);
  SectoredCache::Line &lineInL2(uint64_t Sector);

  const KernelModel &Kernel;
  const LaunchTrace &Trace;
  const SimulatedMachine &M;
  std::vector<CacheRole> Roles;
  /// [access] the loads of its block that its address waits for.
  std::vector<std::vector<bool>> Waits;
  SectoredCache L2;
  SimulatedTraffic Out;
};

} // namespace

void Simulator::findWaits() {
  size_t Count = Kernel.Accesses.size();
  Waits.assign(Count, std::vector<bool>(Count));
  for (const BasicBlock &B : Kernel.Blocks) {
    // [operation of the block] the loads that it depends on
    std::vector<std::vector<bool>> On(B.EndOp - B.FirstOp,
                                      std::vector<bool>(Count));
    for (unsigned I = B.FirstOp; I < B.EndOp; ++I) {
      const Operation &Op = Kernel.Operations[I];
      std::vector<bool> &Mine = On[I - B.FirstOp];
      for (const Operand &From : Op.Operands)
        if (!From.Carried && From.Producer >= B.FirstOp && From.Producer < I)
          for (size_t A = 0; A < Count; ++A)
            Mine[A] = Mine[A] || On[From.Producer - B.FirstOp][A];
      if (std::optional<unsigned> Own = Op.access()) {
        for (size_t A = 0; A < Count; ++A)
          Waits[*Own][A] = Waits[*Own][A] || Mine[A];
        Mine[*Own] = true;
      }
    }
  }
}

/// Does the warp issue its next request after those from First on without
/// waiting? Loads of one block, the addresses of which are known.
bool Simulator::goesOn(const Warp &W, unsigned First) const {
  if (W.ended() || W.waits())
    return false;
  int Next = W.Trace->Requests[W.Next].Access,
      Last = W.Trace->Requests[W.Next - 1].Access;
  if (Next <= Last ||
      Kernel.Accesses[Next].Block != Kernel.Accesses[Last].Block ||
      Kernel.Accesses[Next].Kind != AccessKind::Load ||
      Kernel.Accesses[Last].Kind != AccessKind::Load)
    return false;
  for (size_t I = First; I < W.Next; ++I)
    if (Waits[Next][W.Trace->Requests[I].Access])
      return false;
  return true;
}

SectoredCache::Line &Simulator::lineInL2(uint64_t Sector) {
  if (SectoredCache::Line *Line = L2.find(Sector / 4))
    return *Line;
  SectoredCache::Line Evicted;
  bool HasEvicted;
  SectoredCache::Line &New = L2.insert(Sector / 4, &Evicted, HasEvicted);
  if (HasEvicted)
    Out.Written += std::count(Evicted.Dirty.begin(), Evicted.Dirty.end(), true);
  return New;
}

void Simulator::load(const Piece &P, SimulatedAccess &Counts) {
  SectoredCache::Line &Line = lineInL2(P.Sector);
  if (!(P.Bytes & ~Line.Valid[P.Sector % 4]))
    return;
  unsigned Together = M.Fetch / 32;
  unsigned First = P.Sector % 4 / Together * Together;
  for (unsigned S = First; S < First + Together; ++S)
    if (~Line.Valid[S]) {
      ++Counts.Read;
      Line.Valid[S] = ~0u;
    }
}

/// Of: null for what L1 writes back.
void Simulator::store(const Piece &P, SimulatedAccess *Counts) {
  SectoredCache::Line &Line = lineInL2(P.Sector);
  uint32_t &Valid = Line.Valid[P.Sector % 4];
  if (Counts && M.Gpu.PartialWriteRead && !Valid && ~P.Bytes) {
    ++Counts->Read;
    Valid = ~0u;
  }
  Valid |= P.Bytes;
  Line.Dirty[P.Sector % 4] = true;
}

/// True if the request ends here.
bool Simulator::throughL1(const Piece &P, unsigned Access, SectoredCache &L1) {
  CacheRole Role = Roles[Access];
  bool Write = Kernel.Accesses[Access].Kind == AccessKind::Store;
  unsigned S = P.Sector % 4;
  if (Role == CacheRole::Store) {
    if (SectoredCache::Line *Line = L1.find(P.Sector / 4, false))
      if (Line->Valid[S])
        Line->Valid[S] |= P.Bytes;
    return false;
  }
  if (Role != CacheRole::CachedLoad && Role != CacheRole::Private)
    return false;
  SectoredCache::Line *Line = L1.find(P.Sector / 4);
  if (!Line) {
    SectoredCache::Line Evicted;
    bool HasEvicted;
    Line = &L1.insert(P.Sector / 4, &Evicted, HasEvicted);
    for (unsigned E = 0; HasEvicted && E < 4; ++E)
      if (Evicted.Dirty[E]) {
        ++Out.LocalWritten;
        store({Evicted.Number * 4 + E, Evicted.Valid[E]}, nullptr);
      }
  }
  bool Hit = !(P.Bytes & ~Line->Valid[S]);
  Line->Valid[S] = Write ? Line->Valid[S] | P.Bytes : ~0u;
  if (Write)
    Line->Dirty[S] = true;
  return Hit || Write;
}

void Simulator::issue(const Warp &W, uint64_t Local, SectoredCache &L1) {
  const WarpRequest &R = W.Trace->Requests[W.Next];
  SimulatedAccess &Counts = Out.Accesses[R.Access];
  CacheRole Role = Roles[R.Access];
  for (unsigned I = R.First; I < R.End; ++I) {
    Piece P = W.Trace->Pieces[I];
    if (Role == CacheRole::Private)
      P.Sector += Local;
    ++Counts.Asked;
    if (throughL1(P, R.Access, L1))
      continue;
    ++Counts.ToL2;
    if (Role == CacheRole::Store) {
      store(P, &Counts);
      continue;
    }
    load({P.Sector, ~0u}, Counts); // whole sectors
    if (Role == CacheRole::Atomic)
      store(P, nullptr);
  }
}

/// One request of each warp, and those that it need not wait for; false when
/// the block has ended.
bool Simulator::turn(ResidentBlock &Block, SectoredCache &L1) {
  bool Lives = false, Held = true;
  for (Warp &W : Block.Warps) {
    if (W.ended())
      continue;
    Lives = true;
    if (!W.waits()) {
      size_t First = W.Next;
      do {
        issue(W, Block.Local, L1);
        ++W.Next;
      } while (goesOn(W, First));
    }
    Held &= W.ended() || W.waits();
  }
  if (Held)
    for (Warp &W : Block.Warps)
      W.Next += W.waits();
  return Lives;
}

/// Number: of the place among all that are resident, which the private arrays
/// belong to.
void Simulator::enter(ResidentBlock &Slot, uint64_t Block,
                      uint64_t Number) const {
  for (const WarpTrace &W : Trace.Blocks[Block])
    Slot.Warps.push_back({&W});
  Slot.Local = (uint64_t(1) << 44) + Number * Trace.LocalSectors;
}

void Simulator::launch() {
  std::vector<Sm> Sms(M.Gpu.SmCount, Sm(M.L1));
  uint64_t Next = 0, Live = 0;
  for (Sm &S : Sms)
    S.Slots.resize(M.BlocksPerSm);
  // At first in turn. Later, too, every multiprocessor gets one before any gets
  // another, but in which order is a matter of chance.
  auto deal = [&] {
    std::vector<std::tuple<unsigned, uint64_t, unsigned>> Free;
    for (unsigned Slot = 0; Slot < M.BlocksPerSm; ++Slot)
      for (unsigned I = 0; I < Sms.size(); ++I)
        if (Sms[I].Slots[Slot].Warps.empty())
          Free.push_back(
              {Slot, Next ? mixBits(mixBits(M.Draw, Next), Slot * 64 + I) : I,
               I});
    llvm::sort(Free);
    for (auto [Slot, Order, I] : Free) {
      if (Next >= Trace.Blocks.size())
        break;
      enter(Sms[I].Slots[Slot], Next++, I * M.BlocksPerSm + Slot);
      ++Live;
    }
  };
  for (deal(); Live; deal())
    for (Sm &S : Sms)
      for (ResidentBlock &Block : S.Slots)
        if (!Block.Warps.empty() && !turn(Block, S.L1)) {
          Block.Warps.clear();
          --Live;
        }
}

SimulatedTraffic Simulator::run() {
  for (unsigned I = 0; I < M.Launches; ++I) {
    Out = SimulatedTraffic();
    Out.Accesses.resize(Kernel.Accesses.size());
    launch();
  }
  return Out;
}

SimulatedTraffic simulate(const KernelModel &Kernel, const LaunchTrace &Trace,
                          const SimulatedMachine &M) {
  return Simulator(Kernel, Trace, M).run();
}

} // namespace gpuestimate::test
