/// \file
/// Control flow, barriers and memory of a warp.
#include "WarpState.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include <algorithm>
#include <cmath>
#include <cstring>

using namespace llvm;

namespace gpuestimate {

/// Limit of the private memory of one lane, in bytes.
static constexpr uint64_t MaxPrivateBytes = uint64_t(1) << 20;
/// Requests of one access that a warp keeps.
static constexpr size_t MaxRequestSamples = 32;
static constexpr uint64_t SectorBytes = 32;

const Module *LaunchState::moduleOf(const EmulationRequest &Request) {
  return Request.Kernel->getParent();
}

const Program *LaunchState::programOf(const Function &F) {
  auto Entry = Programs.find(&F);
  if (Entry != Programs.end())
    return Entry->second.get();
  Expected<std::unique_ptr<Program>> P = Program::decode(F, Globals);
  if (!P) {
    handleAllErrors(P.takeError(),
                    [&](const EmulationUnsupported &E) { Stop = E.Stop; });
    return nullptr;
  }
  return (Programs[&F] = std::move(*P)).get();
}

/// The dispatch packet: sizes of the block (16 bits each) at 4, those of the
/// grid in threads (32 bits each) at 12.
uint64_t LaunchState::dispatchPacket() {
  if (Packet)
    return Packet;
  BufferData Data;
  Data.Size = 64;
  Packet = Memory.allocate("the dispatch packet", Data);
  for (unsigned A = 0; A < 3; ++A) {
    auto Threads = static_cast<uint16_t>(Request.L.Block[A]);
    auto Grid = static_cast<uint32_t>(Request.L.Grid[A] * Request.L.Block[A]);
    Memory.write(Packet + 4 + 2 * A, &Threads, 2);
    Memory.write(Packet + 12 + 4 * A, &Grid, 4);
  }
  return Packet;
}

/// The implicit arguments: blocks of the grid (32 bits each) at 0, threads of a
/// block (16 bits each) at 12; other fields are 0.
uint64_t LaunchState::implicitArguments() {
  if (Implicit)
    return Implicit;
  BufferData Data;
  Data.Size = 256;
  Implicit = Memory.allocate("the implicit arguments", Data);
  for (unsigned A = 0; A < 3; ++A) {
    auto Blocks = static_cast<uint32_t>(Request.L.Grid[A]);
    auto Threads = static_cast<uint16_t>(Request.L.Block[A]);
    Memory.write(Implicit + 4 * A, &Blocks, 4);
    Memory.write(Implicit + 12 + 2 * A, &Threads, 2);
  }
  return Implicit;
}

WarpCounts::WarpCounts(const Program &P)
    : Runs(P.Blocks.size()), Lanes(P.Blocks.size()), Entries(P.Loops.size()),
      Divergent(P.Blocks.size()), Conditions(P.Conditions.size()),
      Accesses(P.Accesses.size()) {
  for (const DecodedBlock &B : P.Blocks)
    Taken.emplace_back(B.Edges.size(), 0);
}

WarpState::WarpState(LaunchState &Launch, BlockState &Block,
                     const Program &Kernel, unsigned Index)
    : Launch(Launch), Block(Block), Index(Index), Lanes(Launch.Request.Lanes),
      Private(Lanes), Counts(Kernel) {
  uint64_t Threads = Launch.Request.L.threadsPerBlock();
  uint64_t First = uint64_t(Index) * Lanes;
  uint64_t Present = std::min<uint64_t>(Lanes, Threads - First);
  call(Kernel, Present >= 64 ? ~uint64_t(0) : (uint64_t(1) << Present) - 1,
       nullptr);
  for (unsigned A = 0; A < Kernel.Arguments.size(); ++A)
    for (unsigned C = 0; C < Launch.Request.Arguments[A].size(); ++C)
      for (unsigned L = 0; L < Lanes; ++L)
        cell(Kernel.Arguments[A] + C, L) = Launch.Request.Arguments[A][C];
}

void WarpState::call(const Program &P, uint64_t Mask, const Decoded *Call) {
  Frame &F = Frames.emplace_back();
  F.P = &P;
  F.Registers.assign(size_t(P.Cells) * Lanes, 0);
  for (auto [Cell, Bits] : P.Constants)
    std::fill_n(F.Registers.begin() + size_t(Cell) * Lanes, Lanes, Bits);
  F.Paths.push_back({0, 0, Mask, -1});
  F.ActiveLanes = Mask;
  F.LocalTop = LocalTop;
  F.Call = Call;
  if (Call)
    F.Returned.assign(size_t(Call->Cells) * Lanes, 0);
  Base = F.Registers.data();
}

/// Pops the frame and copies the values that the lanes returned.
void WarpState::returnToCaller() {
  Frame F = std::move(Frames.back());
  Frames.pop_back();
  LocalTop = F.LocalTop;
  if (Frames.empty()) {
    State = StateType::Ended;
    return;
  }
  Base = top().Registers.data();
  // Lanes outside of the call keep their earlier results.
  uint64_t Mask = top().Paths.back().Mask;
  for (unsigned C = 0; C < F.Call->Cells; ++C)
    forEachLane(Mask, [&](unsigned L) {
      cell(F.Call->Result + C, L) = F.Returned[size_t(C) * Lanes + L];
    });
}

bool WarpState::stop(const Twine &Reason, const Instruction *I) {
  if (!Launch.Stop)
    Launch.Stop = EmulationStop{Reason.str(), I};
  State = StateType::Stopped;
  return false;
}

void WarpState::run(uint64_t Steps) {
  for (uint64_t I = 0; I < Steps && State == StateType::Running; ++I)
    if (!step())
      return;
}

bool WarpState::step() {
  Frame &F = top();
  while (!F.Paths.empty()) {
    PathEntry &S = F.Paths.back();
    S.Mask &= F.ActiveLanes;
    if (S.Mask && !(S.NextInstruction == 0 && int(S.Block) == S.Reconvergence))
      break;
    F.Paths.pop_back();
  }
  if (F.Paths.empty()) {
    returnToCaller();
    return true;
  }
  PathEntry &S = F.Paths.back();
  const DecodedBlock &B = F.P->Blocks[S.Block];
  if (S.NextInstruction == 0 && isCounting()) {
    ++Counts.Runs[S.Block];
    Counts.Lanes[S.Block] += popcount(S.Mask);
  }
  const Decoded &D = B.Code[S.NextInstruction++];
  // The work budget is checked once per Interval.
  constexpr uint64_t Interval = 1024;
  if (Launch.Steps % Interval == 0 && !spendWork(Interval))
    return stop("the budget of work is exhausted", D.I);
  if (++Launch.Steps > Launch.Request.MaxSteps)
    return stop("the limit of " + Twine(Launch.Request.MaxSteps) +
                    " warp instructions is reached",
                D.I);
  return execute(D, S.Mask);
}

void WarpState::takeEdge(const DecodedBlock &Block, unsigned Successor,
                         uint64_t Mask) {
  const Edge &E = Block.Edges[Successor];
  if (isCounting()) {
    Counts.Taken[top().Paths.back().Block][Successor] += popcount(Mask);
    if (E.Enters >= 0)
      ++Counts.Entries[E.Enters];
  }
  // All phis are read before the first one is written.
  SmallVector<uint64_t, 256> Values;
  for (const PhiCopy &Copy : E.Copies)
    for (unsigned C = 0; C < Copy.Cells; ++C)
      forEachLane(Mask, [&](unsigned L) {
        Values.push_back(cell(Copy.Source + C, L));
      });
  const uint64_t *Next = Values.data();
  for (const PhiCopy &Copy : E.Copies)
    for (unsigned C = 0; C < Copy.Cells; ++C)
      forEachLane(Mask,
                  [&](unsigned L) { cell(Copy.Target + C, L) = *Next++; });
}

void WarpState::diverge(ArrayRef<uint64_t> Masks) {
  Frame &F = top();
  PathEntry Current = F.Paths.back();
  const DecodedBlock &B = F.P->Blocks[Current.Block];
  // Two edges of a switch may lead to one block.
  SmallVector<std::pair<unsigned, uint64_t>, 4> Targets;
  for (unsigned S = 0; S < Masks.size(); ++S) {
    if (!Masks[S])
      continue;
    takeEdge(B, S, Masks[S]);
    auto Existing =
        find_if(Targets, [&](auto &W) { return W.first == B.Edges[S].Target; });
    if (Existing == Targets.end())
      Targets.push_back({B.Edges[S].Target, Masks[S]});
    else
      Existing->second |= Masks[S];
  }
  if (Targets.size() == 1) {
    F.Paths.back().Block = Targets[0].first;
    F.Paths.back().NextInstruction = 0;
    return;
  }
  if (isCounting())
    ++Counts.Divergent[Current.Block];
  // The current entry continues at the reconvergence block, unless it ends
  // there.
  if (B.Reconvergence >= 0 && B.Reconvergence != Current.Reconvergence) {
    F.Paths.back().Block = B.Reconvergence;
    F.Paths.back().NextInstruction = 0;
  } else {
    F.Paths.pop_back();
  }
  for (auto [Target, Mask] : reverse(Targets))
    F.Paths.push_back({Target, 0, Mask, B.Reconvergence});
}

void WarpState::branch(const Decoded &D, uint64_t Mask) {
  const auto *Switch = dyn_cast<SwitchInst>(D.I);
  SmallVector<uint64_t, 4> Masks(D.I->getNumSuccessors(), 0);
  if (Switch) {
    forEachLane(Mask, [&](unsigned L) {
      uint64_t Condition = cell(D.Operands[0], L);
      unsigned Successor = 0; // the default
      for (const auto &Case : Switch->cases())
        if (Case.getCaseValue()->getZExtValue() == Condition)
          Successor = Case.getSuccessorIndex();
      Masks[Successor] |= uint64_t(1) << L;
    });
  } else if (Masks.size() == 2) {
    forEachLane(Mask, [&](unsigned L) {
      Masks[cell(D.Operands[0], L) & 1 ? 0 : 1] |= uint64_t(1) << L;
    });
  } else {
    Masks[0] = Mask;
  }
  diverge(Masks);
}

void WarpState::returnLanes(const Decoded &D, uint64_t Mask) {
  Frame &F = top();
  if (F.Call)
    for (unsigned C = 0; C < F.Call->Cells; ++C)
      forEachLane(Mask, [&](unsigned L) {
        F.Returned[size_t(C) * Lanes + L] = cell(D.Operands[0] + C, L);
      });
  F.ActiveLanes &= ~Mask;
}

void WarpState::leaveBarrier(unsigned True, unsigned LanesOfBlock) {
  State = StateType::Running;
  if (!Barrier->Cells)
    return;
  // Extra 0: the number of true lanes, 1: all, 2: any.
  uint64_t Result = Barrier->Extra == 0   ? True
                    : Barrier->Extra == 1 ? True == LanesOfBlock
                                          : True > 0;
  forEachLane(BarrierMask,
              [&](unsigned L) { cell(Barrier->Result, L) = Result; });
}

bool WarpState::execute(const Decoded &D, uint64_t Mask) {
  switch (D.Opcode) {
  case Instruction::Br:
  case Instruction::Switch:
    branch(D, Mask);
    return true;
  case Instruction::Ret:
    returnLanes(D, Mask);
    return true;
  case Instruction::Unreachable:
    return stop("it runs into code that cannot be reached", D.I);
  default:
    break;
  }
  if (!D.Handler)
    return stop(Twine("the instruction ") + D.I->getOpcodeName() +
                    " is not emulated",
                D.I);
  if (!D.Handler(*this, D, Mask))
    return false;
  if (D.CountsCondition && isCounting())
    countCondition(D, Mask);
  return true;
}

void WarpState::countCondition(const Decoded &D, uint64_t Mask) {
  WarpCounts::Condition &C = Counts.Conditions[D.Counter];
  C.Lanes += popcount(Mask);
  forEachLane(Mask, [&](unsigned L) { C.True += cell(D.Result, L) & 1; });
}

bool WarpState::stopForProgram() {
  State = StateType::Stopped;
  return false;
}

void WarpState::exitLanes(uint64_t Mask) {
  for (Frame &F : Frames)
    F.ActiveLanes &= ~Mask;
}

void WarpState::arriveAtBarrier(const Decoded &D, uint64_t Mask) {
  State = StateType::AtBarrier;
  Barrier = &D;
  BarrierMask = Mask;
  BarrierLanes = popcount(Mask);
  BarrierTrue = 0;
  if (D.Cells)
    forEachLane(
        Mask, [&](unsigned L) { BarrierTrue += cell(D.Operands[0], L) != 0; });
}

std::optional<uint64_t>
WarpState::allocatePrivate(uint64_t Size, Align Alignment, uint64_t Mask) {
  LocalTop = alignTo(LocalTop, std::max(Alignment, Align(4)));
  uint64_t Offset = LocalTop;
  LocalTop += Size;
  if (LocalTop > MaxPrivateBytes)
    return std::nullopt;
  forEachLane(Mask, [&](unsigned L) {
    if (Private[L].size() < LocalTop)
      Private[L].resize(LocalTop);
  });
  return Offset;
}

static uint8_t *within(std::vector<uint8_t> &Memory, uint64_t Offset,
                       unsigned Bytes) {
  return Offset + Bytes <= Memory.size() ? Memory.data() + Offset : nullptr;
}

bool WarpState::stopOutOfBounds(uint64_t Address, const Instruction *I) {
  if (Launch.Memory.isFull())
    return stop(
        "the launch touches more than " +
            Twine(DeviceMemory::MaxPages * DeviceMemory::PageBytes >> 20) +
            " MiB",
        I);
  std::string Name = Launch.Memory.nameOf(Address);
  if (!Name.empty())
    return stop("byte " + Twine(DeviceMemory::offsetOf(Address)) + " of " +
                    Name + " is beyond its end",
                I);
  if (Address >= SharedBase && Address < SharedLimit)
    return stop("byte " + Twine(Address - SharedBase) +
                    " of shared memory is beyond its end",
                I);
  return stop("the address 0x" + Twine::utohexstr(Address) + " is in no buffer",
              I);
}

bool WarpState::readBytes(unsigned Lane, uint64_t Address, void *Target,
                          unsigned Bytes, const Instruction *I) {
  uint8_t *Source = nullptr;
  if (Address >= SharedBase && Address < SharedLimit)
    Source = within(Block.Shared, Address - SharedBase, Bytes);
  else if (Address >= LocalBase && Address < LocalLimit)
    Source = within(Private[Lane], Address - LocalBase, Bytes);
  else if (Launch.Memory.read(Address, Target, Bytes))
    return true;
  if (!Source)
    return stopOutOfBounds(Address, I);
  std::memcpy(Target, Source, Bytes);
  return true;
}

bool WarpState::writeBytes(unsigned Lane, uint64_t Address, const void *Source,
                           unsigned Bytes, const Instruction *I) {
  uint8_t *Target = nullptr;
  if (Address >= SharedBase && Address < SharedLimit)
    Target = within(Block.Shared, Address - SharedBase, Bytes);
  else if (Address >= LocalBase && Address < LocalLimit)
    Target = within(Private[Lane], Address - LocalBase, Bytes);
  else if (Launch.Memory.write(Address, Source, Bytes))
    return true;
  if (!Target)
    return stopOutOfBounds(Address, I);
  std::memcpy(Target, Source, Bytes);
  return true;
}

static MemorySpace spaceOf(uint64_t Address) {
  return Address >= SharedBase && Address < SharedLimit ? MemorySpace::Shared
         : Address >= LocalBase && Address < LocalLimit ? MemorySpace::Local
                                                        : MemorySpace::Global;
}

/// Samples are kept by reservoir sampling: after N requests every one of them
/// is kept with the same probability.
void WarpState::request(const Decoded &D, unsigned AddressCell, unsigned Bytes,
                        uint64_t Mask) {
  if (!isCounting())
    return;
  WarpCounts::Access &A = Counts.Accesses[D.Counter];
  ++A.Requests;
  A.Lanes += popcount(Mask);
  SmallVector<uint64_t, 64> Sectors;
  forEachLane(Mask, [&](unsigned L) {
    uint64_t First = cell(AddressCell, L) / SectorBytes,
             Last = (cell(AddressCell, L) + Bytes - 1) / SectorBytes;
    for (; First <= Last; ++First)
      Sectors.push_back(First);
  });
  sort(Sectors);
  A.Sectors += unique(Sectors) - Sectors.begin();

  auto Offset = [&](unsigned L) -> uint64_t {
    uint64_t Address = cell(AddressCell, L);
    switch (spaceOf(Address)) {
    case MemorySpace::Shared:
      return Address - SharedBase;
    case MemorySpace::Local:
      return Address - LocalBase;
    default:
      return DeviceMemory::offsetOf(Address);
    }
  };
  size_t Slot = A.Samples.size();
  if (Slot == MaxRequestSamples)
    Slot = (A.Requests * 0x9e3779b97f4a7c15ULL >> 20) % A.Requests;
  if (Slot < MaxRequestSamples) {
    if (Slot == A.Samples.size())
      A.Samples.emplace_back();
    A.Samples[Slot].assign(Lanes, NAN);
    forEachLane(Mask, [&](unsigned L) {
      A.Samples[Slot][L] = static_cast<double>(Offset(L));
    });
  }
  if (!Launch.Request.OnRequest)
    return;
  Reported.At = D.I;
  Reported.Space = spaceOf(cell(AddressCell, countr_zero(Mask)));
  Reported.Bytes = Bytes;
  Reported.Mask = Mask;
  Reported.Block = Block.Index;
  Reported.Warp = Index;
  Reported.Buffer = cell(AddressCell, countr_zero(Mask)) / DeviceMemory::Window;
  Reported.Addresses.assign(Lanes, 0);
  forEachLane(Mask, [&](unsigned L) { Reported.Addresses[L] = Offset(L); });
  Launch.Request.OnRequest(Reported);
}

} // namespace gpuestimate
