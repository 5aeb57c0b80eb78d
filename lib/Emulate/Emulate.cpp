/// \file
/// Which warps run, one block after the other, and the sums over them.
#include "gpu-estimate/Emulate/Emulate.h"
#include "Warp.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include <algorithm>

using namespace llvm;

namespace gpuestimate {

char NotEmulated::ID = 0;
void NotEmulated::log(raw_ostream &OS) const { OS << Stop.Reason; }
std::error_code NotEmulated::convertToErrorCode() const {
  return inconvertibleErrorCode();
}

/// A warp that waits in a loop for another one must not wait forever.
static constexpr uint64_t Turn = 4096;
/// Requests of one access that are kept for the launch.
static constexpr size_t KeptSamples = 256;
static constexpr unsigned SharedSpace = 3;

/// Does V lead to shared memory, by way of constants?
static bool isShared(const Value *V, unsigned Depth = 0) {
  if (const auto *G = dyn_cast<GlobalVariable>(V))
    return G->getAddressSpace() == SharedSpace;
  const auto *E = dyn_cast<ConstantExpr>(V);
  return E && Depth < 8 &&
         any_of(
             E->operands(),
             [&](const Use &U) { return isShared(U.get(), Depth + 1); });
}

bool runsWholeBlocks(const Function &Kernel) {
  for (const Instruction &I : instructions(Kernel)) {
    if (any_of(I.operands(), [](const Use &U) { return isShared(U.get()); }))
      return true;
    const auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (Callee && (Callee->getName().contains("barrier") ||
                   (!Callee->isDeclaration() && Callee != &Kernel)))
      return true;
  }
  return false;
}

namespace {

/// Warps that are emulated together, and how many of the launch each of them
/// stands for.
struct Unit {
  uint64_t Block = 0; ///< linear
  unsigned First = 0, Count = 1;
  double Weight = 1;
};

class LaunchEmulator {
public:
  LaunchEmulator(const EmulationRequest &Request, const Program &Kernel,
                 LaunchState &State)
      : Request(Request), Kernel(Kernel), State(State) {
    for (const DecodedBlock &B : Kernel.Blocks)
      Out.Blocks.push_back(B.BB);
    Out.Loops = Kernel.Loops;
    Out.Runs.assign(Kernel.Blocks.size(), 0);
    Out.Lanes.assign(Kernel.Blocks.size(), 0);
    Out.Entries.assign(Kernel.Loops.size(), 0);
  }

  Emulation run();

private:
  std::vector<Unit> choose();
  bool runUnit(const Unit &U);
  void add(const Warp &W, const Unit &U, const BlockState &Block);
  void addCounts(const WarpCounts &C, double Weight);

  const EmulationRequest &Request;
  const Program &Kernel;
  LaunchState &State;
  Emulation Out;
};

} // namespace

/// The launch in equal parts, of which each is stood for by its middle one; the
/// first and the last of the launch stand for themselves, because guards bite
/// there. They come in the order of the reversed bits of their number, so that
/// those that run before a stop are spread too.
std::vector<Unit> LaunchEmulator::choose() {
  const Launch &L = Request.L;
  uint64_t PerBlock = divideCeil(L.threadsPerBlock(), Request.Lanes);
  bool Whole = runsWholeBlocks(*Request.Kernel);
  uint64_t All = Whole ? L.blocks() : L.blocks() * PerBlock;
  uint64_t Want =
      Whole ? std::max<uint64_t>(3, Request.Warps / PerBlock) : Request.Warps;
  auto unit = [&](uint64_t Number, double Weight) {
    return Whole ? Unit{Number, 0, unsigned(PerBlock), Weight}
                 : Unit{Number / PerBlock, unsigned(Number % PerBlock), 1,
                        Weight};
  };
  std::vector<Unit> Units;
  if (All <= Want) {
    for (uint64_t N = 0; N < All; ++N)
      Units.push_back(unit(N, 1));
    return Units;
  }
  uint64_t Parts = Want - 2;
  for (uint64_t N = 0; N < Parts; ++N) {
    uint64_t Begin =
                 1 + static_cast<uint64_t>(
                         static_cast<unsigned __int128>(All - 2) * N / Parts),
             End = 1 + static_cast<uint64_t>(
                           static_cast<unsigned __int128>(All - 2) * (N + 1) /
                           Parts);
    Units.push_back(unit(Begin + (End - Begin) / 2, double(End - Begin)));
  }
  unsigned Bits = Log2_64_Ceil(std::max<uint64_t>(2, Parts));
  auto Reversed = [&](uint64_t N) {
    uint64_t Out = 0;
    for (unsigned B = 0; B < Bits; ++B)
      Out |= (N >> B & 1) << (Bits - 1 - B);
    return Out;
  };
  std::vector<Unit> Ordered = {unit(0, 1), unit(All - 1, 1)};
  for (uint64_t N = 0; N < uint64_t(1) << Bits; ++N)
    if (Reversed(N) < Parts)
      Ordered.push_back(Units[Reversed(N)]);
  return Ordered;
}

bool LaunchEmulator::runUnit(const Unit &U) {
  const Launch &L = Request.L;
  BlockState Block;
  Block.Index = {U.Block % L.Grid[0], U.Block / L.Grid[0] % L.Grid[1],
                 U.Block / (L.Grid[0] * L.Grid[1])};
  Block.Shared.assign(State.Globals.sharedBytes() + L.DynamicSharedBytes, 0);
  std::vector<std::unique_ptr<Warp>> Warps;
  for (unsigned W = 0; W < U.Count; ++W)
    Warps.push_back(std::make_unique<Warp>(State, Block, Kernel, U.First + W));
  for (bool Going = true; Going;) {
    Going = false;
    unsigned True = 0, Lanes = 0;
    bool Waiting = false;
    for (auto &W : Warps) {
      if (W->state() == Warp::StateType::Running)
        W->run(Turn);
      if (W->state() == Warp::StateType::Stopped)
        return false;
      Going |= W->state() == Warp::StateType::Running;
      if (W->state() == Warp::StateType::AtBarrier) {
        Waiting = true;
        True += W->barrierTrue();
        Lanes += W->barrierLanes();
      }
    }
    // All that have not ended are there.
    if (!Going && Waiting) {
      Going = true;
      for (auto &W : Warps)
        if (W->state() == Warp::StateType::AtBarrier)
          W->leaveBarrier(True, Lanes);
    }
  }
  for (auto &W : Warps)
    add(*W, U, Block);
  return true;
}

void LaunchEmulator::add(const Warp &W, const Unit &U,
                         const BlockState &Block) {
  const WarpCounts &C = W.counts();
  EmulatedWarp &To = Out.Warps.emplace_back();
  To.Block = Block.Index;
  To.Warp = W.index();
  To.Weight = U.Weight;
  To.Sampled = U.Block;
  To.Runs = C.Runs;
  To.Entries = C.Entries;
  addCounts(C, U.Weight);
}

void LaunchEmulator::addCounts(const WarpCounts &C, double Weight) {
  for (unsigned B = 0; B < C.Runs.size(); ++B) {
    Out.Runs[B] += Weight * double(C.Runs[B]);
    Out.Lanes[B] += Weight * double(C.Lanes[B]);
    if (C.Taken[B].size() < 2)
      continue;
    BranchCounts &To = Out.Branches[Kernel.Blocks[B].BB->getTerminator()];
    To.Warps += Weight * double(C.Runs[B]);
    To.Divergent += Weight * double(C.Divergent[B]);
    To.Lanes.resize(C.Taken[B].size());
    for (unsigned S = 0; S < C.Taken[B].size(); ++S)
      To.Lanes[S] += Weight * double(C.Taken[B][S]);
  }
  for (unsigned L = 0; L < C.Entries.size(); ++L)
    Out.Entries[L] += Weight * double(C.Entries[L]);
  for (unsigned I = 0; I < C.Conditions.size(); ++I) {
    ConditionCounts &To = Out.Conditions[Kernel.Conditions[I]];
    To.Lanes += Weight * double(C.Conditions[I].Lanes);
    To.True += Weight * double(C.Conditions[I].True);
  }
  for (unsigned I = 0; I < C.Accesses.size(); ++I) {
    const WarpCounts::Access &From = C.Accesses[I];
    AccessCounts &To = Out.Accesses[Kernel.Accesses[I]];
    To.Requests += Weight * double(From.Requests);
    To.Lanes += Weight * double(From.Lanes);
    To.Sectors += Weight * double(From.Sectors);
    size_t Share = std::max<size_t>(1, KeptSamples / Out.WantedWarps);
    for (size_t S = 0; S < std::min(Share, From.Samples.size()); ++S)
      To.Samples.push_back(From.Samples[S]);
  }
}

Emulation LaunchEmulator::run() {
  std::vector<Unit> Units = choose();
  for (const Unit &U : Units)
    Out.WantedWarps += U.Count;
  for (const Unit &U : Units)
    if (!runUnit(U)) {
      Out.Stop = State.Stop;
      break;
    }
  return std::move(Out);
}

Expected<Emulation> emulate(const EmulationRequest &Request) {
  const Launch &L = Request.L;
  if (Request.Kernel->isDeclaration() || L.blocks() == 0 ||
      L.threadsPerBlock() == 0)
    return make_error<NotEmulated>("nothing is launched", nullptr);
  LaunchState State(Request);
  const Program *Kernel = State.programOf(*Request.Kernel);
  if (!Kernel)
    return make_error<NotEmulated>(State.Stop->Reason, State.Stop->At);
  Emulation E = LaunchEmulator(Request, *Kernel, State).run();
  if (E.Warps.empty() && E.Stop)
    return make_error<NotEmulated>(E.Stop->Reason, E.Stop->At);
  return E;
}

} // namespace gpuestimate
