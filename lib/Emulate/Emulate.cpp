/// \file
/// Samples the warps of a launch, runs them, and sums their counts.
#include "gpu-estimate/Emulate/Emulate.h"
#include "WarpState.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include <algorithm>

using namespace llvm;

namespace gpuestimate {

char EmulationUnsupported::ID = 0;
void EmulationUnsupported::log(raw_ostream &OS) const { OS << Stop.Reason; }
std::error_code EmulationUnsupported::convertToErrorCode() const {
  return inconvertibleErrorCode();
}

/// Instructions after which the next warp of a thread block runs, so that a
/// warp that waits in a loop for another one makes progress.
static constexpr uint64_t TimeSlice = 4096;
/// Sampled requests per access of a launch.
static constexpr size_t MaxSamples = 256;
static constexpr unsigned SharedSpace = 3;

/// Does the constant V point to shared memory?
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

/// Warps that are emulated together: one warp or one thread block. Weight is
/// the number of units of the launch that it represents.
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
      Result.Blocks.push_back(B.BB);
    Result.Loops = Kernel.Loops;
    Result.Runs.assign(Kernel.Blocks.size(), 0);
    Result.Lanes.assign(Kernel.Blocks.size(), 0);
    Result.Entries.assign(Kernel.Loops.size(), 0);
  }

  Emulation run();

private:
  std::vector<Unit> choose();
  bool runUnit(const Unit &U);
  void add(const WarpState &W, const Unit &U, const BlockState &Block);
  void addCounts(const WarpCounts &C, double Weight);

  const EmulationRequest &Request;
  const Program &Kernel;
  LaunchState &State;
  Emulation Result;
};

} // namespace

/// Stratified sample: the launch is cut into equal parts, and the middle unit
/// of each represents it. The first and the last unit represent themselves,
/// because guards often apply to them. Units run in bit-reversed order, so that
/// those that ended before a stop are spread over the launch.
std::vector<Unit> LaunchEmulator::choose() {
  const Launch &L = Request.L;
  uint64_t PerBlock = divideCeil(L.threadsPerBlock(), Request.Lanes);
  bool Whole = runsWholeBlocks(*Request.Kernel);
  uint64_t TotalUnits = Whole ? L.blocks() : L.blocks() * PerBlock;
  uint64_t SampledUnits =
      Whole ? std::max<uint64_t>(3, Request.Warps / PerBlock) : Request.Warps;
  auto unit = [&](uint64_t Number, double Weight) {
    return Whole ? Unit{Number, 0, unsigned(PerBlock), Weight}
                 : Unit{Number / PerBlock, unsigned(Number % PerBlock), 1,
                        Weight};
  };
  std::vector<Unit> Units;
  if (TotalUnits <= SampledUnits) {
    for (uint64_t N = 0; N < TotalUnits; ++N)
      Units.push_back(unit(N, 1));
    return Units;
  }
  uint64_t Parts = SampledUnits - 2;
  for (uint64_t N = 0; N < Parts; ++N) {
    uint64_t Begin = 1 + static_cast<uint64_t>(
                             static_cast<unsigned __int128>(TotalUnits - 2) *
                             N / Parts),
             End = 1 + static_cast<uint64_t>(
                           static_cast<unsigned __int128>(TotalUnits - 2) *
                           (N + 1) / Parts);
    Units.push_back(unit(Begin + (End - Begin) / 2, double(End - Begin)));
  }
  unsigned Bits = Log2_64_Ceil(std::max<uint64_t>(2, Parts));
  auto Reversed = [&](uint64_t N) {
    uint64_t ReversedBits = 0;
    for (unsigned B = 0; B < Bits; ++B)
      ReversedBits |= (N >> B & 1) << (Bits - 1 - B);
    return ReversedBits;
  };
  std::vector<Unit> Ordered = {unit(0, 1), unit(TotalUnits - 1, 1)};
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
  std::vector<std::unique_ptr<WarpState>> Warps;
  for (unsigned W = 0; W < U.Count; ++W)
    Warps.push_back(
        std::make_unique<WarpState>(State, Block, Kernel, U.First + W));
  for (bool Going = true; Going;) {
    Going = false;
    unsigned True = 0, Lanes = 0;
    bool Waiting = false;
    for (auto &W : Warps) {
      if (W->state() == WarpState::StateType::Running)
        W->run(TimeSlice);
      if (W->state() == WarpState::StateType::Stopped)
        return false;
      Going |= W->state() == WarpState::StateType::Running;
      if (W->state() == WarpState::StateType::AtBarrier) {
        Waiting = true;
        True += W->barrierTrue();
        Lanes += W->barrierLanes();
      }
    }
    // All warps that have not ended are at the barrier.
    if (!Going && Waiting) {
      Going = true;
      for (auto &W : Warps)
        if (W->state() == WarpState::StateType::AtBarrier)
          W->leaveBarrier(True, Lanes);
    }
  }
  for (auto &W : Warps)
    add(*W, U, Block);
  return true;
}

void LaunchEmulator::add(const WarpState &W, const Unit &U,
                         const BlockState &Block) {
  const WarpCounts &C = W.counts();
  EmulatedWarp &Counts = Result.Warps.emplace_back();
  Counts.Block = Block.Index;
  Counts.Warp = W.index();
  Counts.Weight = U.Weight;
  Counts.Sampled = U.Block;
  Counts.Runs = C.Runs;
  Counts.Entries = C.Entries;
  addCounts(C, U.Weight);
}

void LaunchEmulator::addCounts(const WarpCounts &C, double Weight) {
  for (unsigned B = 0; B < C.Runs.size(); ++B) {
    Result.Runs[B] += Weight * double(C.Runs[B]);
    Result.Lanes[B] += Weight * double(C.Lanes[B]);
    if (C.Taken[B].size() < 2)
      continue;
    BranchCounts &Sum = Result.Branches[Kernel.Blocks[B].BB->getTerminator()];
    Sum.Warps += Weight * double(C.Runs[B]);
    Sum.Divergent += Weight * double(C.Divergent[B]);
    Sum.Lanes.resize(C.Taken[B].size());
    for (unsigned S = 0; S < C.Taken[B].size(); ++S)
      Sum.Lanes[S] += Weight * double(C.Taken[B][S]);
  }
  for (unsigned L = 0; L < C.Entries.size(); ++L)
    Result.Entries[L] += Weight * double(C.Entries[L]);
  for (unsigned I = 0; I < C.Conditions.size(); ++I) {
    ConditionCounts &Sum = Result.Conditions[Kernel.Conditions[I]];
    Sum.Lanes += Weight * double(C.Conditions[I].Lanes);
    Sum.True += Weight * double(C.Conditions[I].True);
  }
  for (unsigned I = 0; I < C.Accesses.size(); ++I) {
    const WarpCounts::Access &Access = C.Accesses[I];
    AccessCounts &Sum = Result.Accesses[Kernel.Accesses[I]];
    Sum.Requests += Weight * double(Access.Requests);
    Sum.Lanes += Weight * double(Access.Lanes);
    Sum.Sectors += Weight * double(Access.Sectors);
    size_t Share = std::max<size_t>(1, MaxSamples / Result.WantedWarps);
    for (size_t S = 0; S < std::min(Share, Access.Samples.size()); ++S)
      Sum.Samples.push_back(Access.Samples[S]);
  }
}

Emulation LaunchEmulator::run() {
  std::vector<Unit> Units = choose();
  for (const Unit &U : Units)
    Result.WantedWarps += U.Count;
  for (const Unit &U : Units)
    if (!runUnit(U)) {
      Result.Stop = State.Stop;
      break;
    }
  return std::move(Result);
}

Expected<Emulation> emulate(const EmulationRequest &Request) {
  const Launch &L = Request.L;
  if (Request.Kernel->isDeclaration() || L.blocks() == 0 ||
      L.threadsPerBlock() == 0)
    return make_error<EmulationUnsupported>("nothing is launched", nullptr);
  LaunchState State(Request);
  const Program *Kernel = State.programOf(*Request.Kernel);
  if (!Kernel)
    return make_error<EmulationUnsupported>(State.Stop->Reason, State.Stop->At);
  Emulation E = LaunchEmulator(Request, *Kernel, State).run();
  if (E.Warps.empty() && E.Stop)
    return make_error<EmulationUnsupported>(E.Stop->Reason, E.Stop->At);
  return E;
}

} // namespace gpuestimate
