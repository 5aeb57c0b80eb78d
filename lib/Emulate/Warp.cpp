/// \file
/// How a warp goes: sides of branches, calls, barriers.
#include "Warp.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuestimate {

/// Frames of one warp: recursion deeper than this is not emulated.
static constexpr size_t MaxFrames = 64;

const Module *LaunchState::moduleOf(const EmulationRequest &Request) {
  return Request.Kernel->getParent();
}

const Program *LaunchState::programOf(const Function &F) {
  auto Known = Programs.find(&F);
  if (Known != Programs.end())
    return Known->second.get();
  Expected<std::unique_ptr<Program>> P = Program::decode(F, Globals);
  if (!P) {
    handleAllErrors(P.takeError(),
                    [&](const NotEmulated &E) { Stop = E.Stop; });
    return nullptr;
  }
  return (Programs[&F] = std::move(*P)).get();
}

WarpCounts::WarpCounts(const Program &P)
    : Runs(P.Blocks.size()), Lanes(P.Blocks.size()), Entries(P.Loops.size()),
      Divergent(P.Blocks.size()), Conditions(P.Conditions.size()),
      Accesses(P.Accesses.size()) {
  for (const DecodedBlock &B : P.Blocks)
    Taken.emplace_back(B.Edges.size(), 0);
}

Warp::Warp(LaunchState &Launch, BlockState &Block, const Program &Kernel,
           unsigned Index)
    : Launch(Launch), Block(Block), Index(Index), Lanes(Launch.Request.Lanes),
      Private(Lanes), Counts(Kernel) {
  uint64_t Threads = Launch.Request.L.threadsPerBlock();
  uint64_t First = uint64_t(Index) * Lanes;
  uint64_t Present = std::min<uint64_t>(Lanes, Threads - First);
  push(Kernel, Present >= 64 ? ~uint64_t(0) : (uint64_t(1) << Present) - 1,
       nullptr);
  for (unsigned A = 0; A < Kernel.Arguments.size(); ++A)
    for (unsigned C = 0; C < Launch.Request.Arguments[A].size(); ++C)
      for (unsigned L = 0; L < Lanes; ++L)
        cell(Kernel.Arguments[A] + C, L) = Launch.Request.Arguments[A][C];
}

void Warp::push(const Program &P, uint64_t Mask, const Decoded *Call) {
  Frame &F = Frames.emplace_back();
  F.P = &P;
  F.Registers.assign(size_t(P.Cells) * Lanes, 0);
  for (auto [Cell, Bits] : P.Constants)
    std::fill_n(F.Registers.begin() + size_t(Cell) * Lanes, Lanes, Bits);
  F.Sides.push_back({0, 0, Mask, -1});
  F.Alive = Mask;
  F.LocalTop = LocalTop;
  F.Call = Call;
  if (Call)
    F.Returned.assign(size_t(Call->Cells) * Lanes, 0);
  Base = F.Registers.data();
}

/// Back to the caller, with what the lanes have returned.
void Warp::pop() {
  Frame F = std::move(Frames.back());
  Frames.pop_back();
  LocalTop = F.LocalTop;
  if (Frames.empty()) {
    State = StateType::Ended;
    return;
  }
  Base = top().Registers.data();
  // Lanes that were not in the call keep what an earlier one has returned.
  uint64_t Mask = top().Sides.back().Mask;
  for (unsigned C = 0; C < F.Call->Cells; ++C)
    each(Mask, [&](unsigned L) {
      cell(F.Call->Result + C, L) = F.Returned[size_t(C) * Lanes + L];
    });
}

bool Warp::stop(const Twine &Reason, const Instruction *At) {
  if (!Launch.Stop)
    Launch.Stop = EmulationStop{Reason.str(), At};
  State = StateType::Stopped;
  return false;
}

void Warp::run(uint64_t Steps) {
  for (uint64_t I = 0; I < Steps && State == StateType::Running; ++I)
    if (!step())
      return;
}

bool Warp::step() {
  Frame &F = top();
  while (!F.Sides.empty()) {
    Side &S = F.Sides.back();
    S.Mask &= F.Alive;
    if (S.Mask && !(S.At == 0 && int(S.Block) == S.Meet))
      break;
    F.Sides.pop_back();
  }
  if (F.Sides.empty()) {
    pop();
    return true;
  }
  Side &S = F.Sides.back();
  const DecodedBlock &B = F.P->Blocks[S.Block];
  if (S.At == 0 && counts()) {
    ++Counts.Runs[S.Block];
    Counts.Lanes[S.Block] += popcount(S.Mask);
  }
  const Decoded &D = B.Code[S.At++];
  // One look at the budget of work for many steps.
  constexpr uint64_t Interval = 1024;
  if (Launch.Steps % Interval == 0 && !spendWork(Interval))
    return stop("the budget of work is exhausted", D.I);
  if (++Launch.Steps > Launch.Request.MaxSteps)
    return stop("the limit of " + Twine(Launch.Request.MaxSteps) +
                    " warp instructions is reached",
                D.I);
  return execute(D, S.Mask);
}

void Warp::follow(const DecodedBlock &From, unsigned Successor, uint64_t Mask) {
  const Edge &E = From.Edges[Successor];
  if (counts()) {
    Counts.Taken[top().Sides.back().Block][Successor] += popcount(Mask);
    if (E.Enters >= 0)
      ++Counts.Entries[E.Enters];
  }
  // All are read before the first is written.
  SmallVector<uint64_t, 256> Values;
  for (const PhiCopy &Copy : E.Copies)
    for (unsigned C = 0; C < Copy.Cells; ++C)
      each(Mask, [&](unsigned L) { Values.push_back(cell(Copy.From + C, L)); });
  const uint64_t *Next = Values.data();
  for (const PhiCopy &Copy : E.Copies)
    for (unsigned C = 0; C < Copy.Cells; ++C)
      each(Mask, [&](unsigned L) { cell(Copy.To + C, L) = *Next++; });
}

/// Masks: [successor] the lanes of the current side that go there.
void Warp::divide(ArrayRef<uint64_t> Masks) {
  Frame &F = top();
  Side Now = F.Sides.back();
  const DecodedBlock &B = F.P->Blocks[Now.Block];
  // Two edges of a switch may lead to one block.
  SmallVector<std::pair<unsigned, uint64_t>, 4> Ways;
  for (unsigned S = 0; S < Masks.size(); ++S) {
    if (!Masks[S])
      continue;
    follow(B, S, Masks[S]);
    auto Same =
        find_if(Ways, [&](auto &W) { return W.first == B.Edges[S].To; });
    if (Same == Ways.end())
      Ways.push_back({B.Edges[S].To, Masks[S]});
    else
      Same->second |= Masks[S];
  }
  if (Ways.size() == 1) {
    F.Sides.back().Block = Ways[0].first;
    F.Sides.back().At = 0;
    return;
  }
  if (counts())
    ++Counts.Divergent[Now.Block];
  // The side itself waits where its parts meet, unless it ends there anyway.
  if (B.Meet >= 0 && B.Meet != Now.Meet) {
    F.Sides.back().Block = B.Meet;
    F.Sides.back().At = 0;
  } else {
    F.Sides.pop_back();
  }
  for (auto [To, Mask] : reverse(Ways))
    F.Sides.push_back({To, 0, Mask, B.Meet});
}

void Warp::branch(const Decoded &D, uint64_t Mask) {
  const auto *Switch = dyn_cast<SwitchInst>(D.I);
  SmallVector<uint64_t, 4> Masks(D.I->getNumSuccessors(), 0);
  if (Switch) {
    each(Mask, [&](unsigned L) {
      uint64_t On = cell(D.Operands[0], L);
      unsigned To = 0; // the default
      for (const auto &Case : Switch->cases())
        if (Case.getCaseValue()->getZExtValue() == On)
          To = Case.getSuccessorIndex();
      Masks[To] |= uint64_t(1) << L;
    });
  } else if (Masks.size() == 2) {
    each(Mask, [&](unsigned L) {
      Masks[cell(D.Operands[0], L) & 1 ? 0 : 1] |= uint64_t(1) << L;
    });
  } else {
    Masks[0] = Mask;
  }
  divide(Masks);
}

void Warp::leave(const Decoded &D, uint64_t Mask) {
  Frame &F = top();
  if (F.Call)
    for (unsigned C = 0; C < F.Call->Cells; ++C)
      each(Mask, [&](unsigned L) {
        F.Returned[size_t(C) * Lanes + L] = cell(D.Operands[0] + C, L);
      });
  F.Alive &= ~Mask;
}

bool Warp::exit(const Decoded &, uint64_t Mask) {
  for (Frame &F : Frames)
    F.Alive &= ~Mask;
  return true;
}

bool Warp::enterFunction(const Decoded &D, uint64_t Mask) {
  const Function *Callee = cast<CallBase>(D.I)->getCalledFunction();
  if (Frames.size() >= MaxFrames)
    return stop("calls are nested too deeply", D.I);
  const Program *P = Launch.programOf(*Callee);
  if (!P) {
    State = StateType::Stopped;
    return false;
  }
  std::vector<uint64_t> Passed;
  for (unsigned A = 0; A < P->Arguments.size(); ++A)
    for (unsigned C = 0; C < cellsOf(Callee->getArg(A)->getType()); ++C)
      for (unsigned L = 0; L < Lanes; ++L)
        Passed.push_back(cell(D.Operands[A] + C, L));
  push(*P, Mask, &D);
  const uint64_t *Next = Passed.data();
  for (unsigned A = 0; A < P->Arguments.size(); ++A)
    for (unsigned C = 0; C < cellsOf(Callee->getArg(A)->getType()); ++C)
      for (unsigned L = 0; L < Lanes; ++L)
        cell(P->Arguments[A] + C, L) = *Next++;
  return true;
}

bool Warp::barrier(const Decoded &D, uint64_t Mask) {
  State = StateType::AtBarrier;
  Barrier = &D;
  BarrierMask = Mask;
  BarrierLanes = popcount(Mask);
  BarrierTrue = 0;
  if (D.Cells)
    each(Mask, [&](unsigned L) { BarrierTrue += cell(D.Operands[0], L) != 0; });
  return true;
}

void Warp::leaveBarrier(unsigned True, unsigned LanesOfBlock) {
  State = StateType::Running;
  if (!Barrier->Cells)
    return;
  // 0: how many, 1: all, 2: any.
  uint64_t Result = Barrier->Extra == 0   ? True
                    : Barrier->Extra == 1 ? True == LanesOfBlock
                                          : True > 0;
  each(BarrierMask, [&](unsigned L) { cell(Barrier->Result, L) = Result; });
}

bool Warp::execute(const Decoded &D, uint64_t Mask) {
  switch (D.Opcode) {
  case Instruction::Br:
  case Instruction::Switch:
    branch(D, Mask);
    return true;
  case Instruction::Ret:
    leave(D, Mask);
    return true;
  case Instruction::Unreachable:
    return stop("it runs into code that cannot be reached", D.I);
  case Instruction::Call:
    if (!(this->*D.Handler)(D, Mask))
      return false;
    break;
  case Instruction::ICmp:
  case Instruction::FCmp:
    compare(D, Mask);
    break;
  case Instruction::Load:
    return load(D, Mask);
  case Instruction::Store:
    return store(D, Mask);
  case Instruction::AtomicRMW:
    return atomic(D, Mask);
  case Instruction::AtomicCmpXchg:
    return swap(D, Mask);
  case Instruction::GetElementPtr:
    return addresses(D, Mask);
  case Instruction::Alloca:
    return allocate(D, Mask);
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
    if (!element(D, Mask))
      return false;
    break;
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
    if (!aggregate(D, Mask))
      return false;
    break;
  case Instruction::Select: {
    // One condition for all elements, or one for each.
    bool Each = D.I->getOperand(0)->getType()->isVectorTy();
    for (unsigned C = 0; C < D.Cells; ++C)
      each(Mask, [&](unsigned L) {
        bool First = cell(D.Operands[0] + (Each ? C : 0), L) & 1;
        cell(D.Result + C, L) = cell(D.Operands[First ? 1 : 2] + C, L);
      });
    break;
  }
  case Instruction::Freeze:
    map(D, Mask, [](uint64_t V) { return V; });
    break;
  case Instruction::Fence:
    return true;
  case Instruction::FNeg:
    map(D, Mask, [&](uint64_t V) { return V ^ uint64_t(1) << (D.Bits - 1); });
    break;
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::FRem:
    real(D, Mask);
    break;
  default:
    if (D.I->isCast()) {
      if (!conversion(D, Mask))
        return false;
      break;
    }
    if (!D.I->isBinaryOp())
      return stop(Twine("the instruction ") + D.I->getOpcodeName() +
                      " is not emulated",
                  D.I);
    integer(D, Mask);
  }
  if (D.Counter >= 0 && counts() && D.I->getType()->isIntegerTy(1))
    countCondition(D, Mask);
  return true;
}

void Warp::countCondition(const Decoded &D, uint64_t Mask) {
  WarpCounts::Condition &C = Counts.Conditions[D.Counter];
  C.Lanes += popcount(Mask);
  each(Mask, [&](unsigned L) { C.True += cell(D.Result, L) & 1; });
}

} // namespace gpuestimate
