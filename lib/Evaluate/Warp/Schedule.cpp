#include "gpu-estimate/Evaluate/Warp/Schedule.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <algorithm>
#include <deque>
#include <queue>

namespace gpuestimate {
namespace {

/// One node of the dependence graph of a segment (the operations between two
/// barriers of a block, all copies).
struct Node {
  Slot What;
  double Latency = 0, Issue = 0;
  double Height = 0; ///< latency path to the end of the segment
  double Ready = 0;
  unsigned Blockers = 0;
  std::vector<std::pair<unsigned, double>> Users; ///< node, delay
};

/// Latency that a compiler assumes, which does not know where a load will hit.
/// Fixed numbers rather than the GPU's keep the order, and with it
/// the number of loads in flight, the same on every GPU: a greedy schedule may
/// get longer when one of its latencies gets shorter (Graham 1969), and a
/// better machine must not be slower.
double nominalLatency(const KernelModel &Kernel, const Operation &Op) {
  if (Op.access()) {
    const MemoryAccess &A = Kernel.Accesses[*Op.access()];
    if (A.Kind == AccessKind::Store ||
        (A.Kind == AccessKind::Atomic && !A.ReturnsValue))
      return 1; // nobody waits for it
    switch (A.Space) {
    case MemorySpace::Global:
    case MemorySpace::Local:
    case MemorySpace::Texture:
      return 300;
    case MemorySpace::Shared:
      return 30;
    case MemorySpace::Constant:
      return 10;
    }
  }
  switch (info(Op.Class).UsualPipe) {
  case Pipe::Tensor:
    return 30.0 * Op.Chain;
  case Pipe::LoadStore:
  case Pipe::Sfu:
    return 20.0 * Op.Chain;
  case Pipe::Fp64:
    return 8.0 * Op.Chain;
  default:
    return 4.0 * Op.Chain;
  }
}

/// Whether nothing may move across Op. A wait begins where it stands.
bool isFence(const Operation &Op) {
  return Op.Class == OpClass::Barrier || Op.Class == OpClass::Fence ||
         Op.wait() || Op.arrival();
}

/// A branch within a block, as to the slow path of a division, ends a basic
/// block of the machine code, whose order the compiler chooses by itself.
bool endsBasicBlock(const Operation &Op) {
  return Op.Class == OpClass::Branch && !Op.LoopOverhead;
}

class BlockScheduler {
public:
  BlockScheduler(const KernelModel &Kernel, ScheduleCache &Cache)
      : Kernel(Kernel), Cache(Cache), Distances(Cache.Distances) {
    llvm::StringMap<unsigned> Bases;
    for (const MemoryAccess &A : Kernel.Accesses) {
      bool Restrict =
          A.BaseArgument && Kernel.Arguments[*A.BaseArgument].Restrict;
      Objects.push_back(
          {A.Base.empty()
               ? 0
               : Bases.try_emplace(A.Base, Bases.size() + 1).first->second,
           Restrict});
    }
  }

  /// The schedule of operations [First, End). UnrolledLoop: whose body they
  /// are, when it is laid out several times.
  const BlockSchedule &run(unsigned First, unsigned End,
                           const Loop *UnrolledLoop) {
    FirstOp = First;
    EndOp = End;
    InnerLoop = UnrolledLoop;
    auto [Entry, New] = Cache.Schedules.try_emplace(key());
    if (New)
      Entry->second = schedule();
    return Entry->second;
  }

private:
  /// All that the block's schedule depends on.
  llvm::StringRef key() {
    Key.clear();
    Key.append({FirstOp, EndOp, InnerLoop ? InnerLoop->Unroll : 0});
    for (unsigned I = FirstOp; I < EndOp; ++I) {
      const Operation &Op = Kernel.Operations[I];
      Key.append({uint64_t(Op.Class) << 3 | isFence(Op) << 2 |
                      Op.access().has_value() << 1 | Op.LoopOverhead,
                  uint64_t(Op.Count) << 32 | Op.Chain, Op.Operands.size()});
      for (const Operand &O : Op.Operands)
        Key.push_back(uint64_t(O.Producer) << 1 | O.Carried);
      if (!Op.access())
        continue;
      const MemoryAccess &A = Kernel.Accesses[*Op.access()];
      const Object &Accessed = Objects[*Op.access()];
      bool MovesOn = InnerLoop && A.Address && movesOn(A);
      Key.append({uint64_t(A.Space) << 16 | uint64_t(A.Kind) << 8 |
                      A.ReadOnly << 4 | A.ReturnsValue << 3 |
                      Accessed.Restrict << 2 | !A.BaseArgument << 1 | MovesOn,
                  uint64_t(Accessed.Base) << 32 | A.BytesPerThread,
                  reinterpret_cast<uintptr_t>(A.Address.node())});
    }
    return {reinterpret_cast<const char *>(Key.data()),
            Key.size() * sizeof(uint64_t)};
  }

  BlockSchedule schedule() {
    unsigned Copies = InnerLoop ? std::max(1u, InnerLoop->Unroll) : 1;
    BlockSchedule Result;
    bool HasFence = false;
    for (unsigned I = FirstOp; I < EndOp; ++I)
      HasFence |= isFence(Kernel.Operations[I]);
    // A barrier in the body keeps the copies apart anyway.
    Result.Copies = HasFence ? 1 : std::min(Copies, MaxScheduledCopies);
    Position.assign(size_t(Result.Copies) * (EndOp - FirstOp), -1);
    Readers.clear();
    if (Result.Copies > 1)
      findReaders();
    for (unsigned Copy = 0; Copy < Result.Copies; ++Copy)
      for (unsigned I = FirstOp; I < EndOp; ++I) {
        const Operation &Op = Kernel.Operations[I];
        if (Op.LoopOverhead && Copy + 1 != Result.Copies)
          continue;
        if (isFence(Op) || endsBasicBlock(Op)) {
          flush(Result);
          Result.Slots.push_back({I, Copy});
          continue;
        }
        append({I, Copy});
      }
    flush(Result);
    spendWork(2 * Result.Slots.size());
    return Result;
  }

  void findReaders() {
    Readers.assign(EndOp - FirstOp, {});
    Held.clear();
    HeldWords = 0;
    double Words = 0; // of one iteration, which needs them in any case
    for (unsigned I = FirstOp; I < EndOp; ++I)
      if (const Operation &Op = Kernel.Operations[I]; isLoad(Op))
        Words += wordsOf(Op);
    WordsAhead = std::max(MaxWordsAhead, Words);
    for (unsigned I = FirstOp; I < EndOp; ++I)
      for (const Operand &O : Kernel.Operations[I].Operands)
        if (!O.Carried && O.Producer >= FirstOp && O.Producer < I)
          Readers[O.Producer - FirstOp].push_back(I);
  }

  double wordsOf(const Operation &Op) const {
    return std::max(1.0, Kernel.Accesses[*Op.access()].BytesPerThread / 4.0);
  }

  bool isLoad(const Operation &Op) const {
    return Op.access() &&
           Kernel.Accesses[*Op.access()].Kind == AccessKind::Load;
  }

  void append(Slot S) {
    const Operation &Op = Kernel.Operations[S.Op];
    int Index = Nodes.size();
    Node &N = Nodes.emplace_back();
    N.What = S;
    N.Latency = nominalLatency(Kernel, Op);
    N.Issue = Op.Count;
    for (const Operand &O : Op.Operands) {
      if (O.Carried && S.Copy == 0)
        continue;
      if (O.Producer < FirstOp || O.Producer >= EndOp)
        continue;
      int Producer = position({O.Producer, O.Carried ? S.Copy - 1 : S.Copy});
      if (Producer >= 0)
        addEdge(Producer, Index, Nodes[Producer].Latency);
    }
    if (Op.access())
      orderMemory(Index, *Op.access());
    position(S) = Index;
    if (!Readers.empty() && isLoad(Op))
      reuseRegisters(S);
  }

  /// The load S gets the registers of one of an earlier iteration, when that
  /// has been read: all loads in between have their own.
  void reuseRegisters(Slot S) {
    double Words = wordsOf(Kernel.Operations[S.Op]);
    Held.push_back(S);
    HeldWords += Words;
    while (HeldWords > WordsAhead && Held.front().Copy < S.Copy) {
      Slot Before = Held.front();
      Held.pop_front();
      HeldWords -= wordsOf(Kernel.Operations[Before.Op]);
      for (unsigned I : Readers[Before.Op - FirstOp])
        if (int Reader = position({I, Before.Copy}); Reader >= 0)
          addEdge(Reader, position(S), 1);
    }
  }

  int &position(Slot S) {
    return Position[size_t(S.Copy) * (EndOp - FirstOp) + S.Op - FirstOp];
  }

  void addEdge(unsigned From, unsigned To, double Delay) {
    Nodes[From].Users.push_back({To, Delay});
    ++Nodes[To].Blockers;
  }

  static bool writes(const MemoryAccess &A) {
    return A.Kind != AccessKind::Load;
  }

  bool isSameObject(unsigned First, unsigned Second) const {
    return Objects[First].Base && Objects[First].Base == Objects[Second].Base;
  }

  bool mayAlias(unsigned First, unsigned Second) const {
    const MemoryAccess &A = Kernel.Accesses[First],
                       &B = Kernel.Accesses[Second];
    if (A.Space != B.Space || A.ReadOnly || B.ReadOnly)
      return false;
    if (isSameObject(First, Second))
      return true;
    if (Objects[First].Restrict || Objects[Second].Restrict)
      return false;
    // Two declared objects are distinct; pointer arguments may be equal.
    bool Declared = !A.BaseArgument && !B.BaseArgument;
    return !(Declared && Objects[First].Base && Objects[Second].Base);
  }

  void orderMemory(unsigned Index, unsigned Access) {
    bool Writes = writes(Kernel.Accesses[Access]);
    // A window keeps long unrolled bodies linear; what is further apart is
    // ordered through the operations in between.
    unsigned First =
        Memory.size() > MemoryWindow ? Memory.size() - MemoryWindow : 0;
    for (unsigned I = First; I < Memory.size(); ++I) {
      const Slot &Earlier = Nodes[Memory[I]].What;
      unsigned Before = *Kernel.Operations[Earlier.Op].access();
      if ((Writes || writes(Kernel.Accesses[Before])) &&
          mayAlias(Access, Before) &&
          !isDistinct(Before, Access, Earlier.Copy != Nodes[Index].What.Copy))
        addEdge(Memory[I], Index, 1);
    }
    Memory.push_back(Index);
  }

  /// Does the address move from one iteration to the next by a constant of at
  /// least the access width? A compiler cannot know that of a variable step.
  bool movesOn(const MemoryAccess &A) {
    auto [Entry, New] = Moves.try_emplace({A.Address.node(), InnerLoop}, false);
    if (New && A.Address.dependsOn(InnerLoop->Counter)) {
      ExprContext &Ctx = A.Address.context();
      llvm::StringMap<Expr> Next;
      Next[InnerLoop->Counter] = Ctx.parameter(InnerLoop->Counter) + 1;
      std::optional<double> Step =
          Distances(A.Address, Ctx.substitute(A.Address, Next));
      Entry->second = Step && std::abs(*Step) >= A.BytesPerThread;
    }
    return Entry->second;
  }

  /// Two accesses of one object do not conflict when their addresses differ
  /// by a known constant of at least the access width, or when they are the
  /// same address in different iterations and it moves on between them.
  bool isDistinct(unsigned First, unsigned Second, bool OtherIteration) {
    const MemoryAccess &A = Kernel.Accesses[First],
                       &B = Kernel.Accesses[Second];
    if (!isSameObject(First, Second) || !A.Address || !B.Address)
      return false;
    std::optional<double> Distance = Distances(A.Address, B.Address);
    if (!Distance)
      return false;
    if (OtherIteration)
      return *Distance == 0 && movesOn(A);
    return std::abs(*Distance) >= std::max(A.BytesPerThread, B.BytesPerThread);
  }

  void flush(BlockSchedule &Out) {
    for (unsigned I = Nodes.size(); I-- > 0;) {
      Node &N = Nodes[I];
      N.Height = N.Latency;
      for (auto [User, Delay] : N.Users)
        N.Height = std::max(N.Height, Delay + Nodes[User].Height);
    }
    // Available operations wait by their ready time; ready ones go by height.
    auto Later = [&](unsigned A, unsigned B) {
      return std::tie(Nodes[A].Ready, A) > std::tie(Nodes[B].Ready, B);
    };
    auto Lower = [&](unsigned A, unsigned B) {
      return std::tuple(Nodes[A].Height, -double(A)) <
             std::tuple(Nodes[B].Height, -double(B));
    };
    std::priority_queue<unsigned, std::vector<unsigned>, decltype(Later)>
        Waiting(Later);
    std::priority_queue<unsigned, std::vector<unsigned>, decltype(Lower)> Ready(
        Lower);
    for (unsigned I = 0; I < Nodes.size(); ++I)
      if (Nodes[I].Blockers == 0)
        Waiting.push(I);
    double Cycle = 0;
    while (!Waiting.empty() || !Ready.empty()) {
      while (!Waiting.empty() && Nodes[Waiting.top()].Ready <= Cycle) {
        Ready.push(Waiting.top());
        Waiting.pop();
      }
      if (Ready.empty()) {
        Cycle = Nodes[Waiting.top()].Ready;
        continue;
      }
      unsigned Next = Ready.top();
      Ready.pop();
      Out.Slots.push_back(Nodes[Next].What);
      for (auto [User, Delay] : Nodes[Next].Users) {
        Nodes[User].Ready = std::max(Nodes[User].Ready, Cycle + Delay);
        if (--Nodes[User].Blockers == 0)
          Waiting.push(User);
      }
      Cycle += Nodes[Next].Issue;
    }
    for (const Node &N : Nodes)
      position(N.What) = -1;
    Nodes.clear();
    Memory.clear();
  }

  static constexpr unsigned MemoryWindow = 64;

  /// The object of an access: number of its base (0: unknown).
  struct Object {
    unsigned Base;
    bool Restrict;
  };

  const KernelModel &Kernel;
  ScheduleCache &Cache;
  TermDifferenceCache &Distances;
  llvm::SmallVector<uint64_t, 0> Key;
  std::vector<Object> Objects; ///< [access]
  const Loop *InnerLoop = nullptr;
  /// movesOn() by the address and the loop.
  llvm::DenseMap<std::pair<const void *, const Loop *>, bool> Moves;
  std::vector<Node> Nodes;
  unsigned FirstOp = 0, EndOp = 0; ///< of the hyperblock
  std::deque<Slot> Held;           ///< loads whose registers no later one has
  double HeldWords = 0, WordsAhead = 0; ///< of 32 bits: of Held, and at most
  /// What reads each operation of the block in the same iteration.
  std::vector<llvm::SmallVector<unsigned, 4>> Readers;
  std::vector<int> Position;    ///< [copy][op] node, -1: none
  std::vector<unsigned> Memory; ///< nodes with an access, in program order
};

} // namespace

std::vector<BlockSchedule> scheduleBlocks(const KernelModel &Kernel) {
  ScheduleCache Cache;
  return scheduleBlocks(Kernel, Cache);
}

/// The number of nodes of Body, from number First on, that make a hyperblock.
static unsigned sizeOfHyperblock(const KernelModel &Kernel,
                                 llvm::ArrayRef<RegionNode> Body,
                                 unsigned First) {
  const BasicBlock *Last = &Kernel.Blocks[Body[First].Index];
  Expr Active = Last->Active;
  unsigned End = First + 1;
  for (; End < Body.size() && Body[End].Kind == RegionNode::IsBlock; ++End) {
    const BasicBlock &Next = Kernel.Blocks[Body[End].Index];
    bool Follows = Next.FirstOp == Last->EndOp &&
                   (Next.Predicated || Next.Active.node() == Active.node());
    if (!Follows)
      break;
    Last = &Next;
  }
  return End - First;
}

std::vector<BlockSchedule> scheduleBlocks(const KernelModel &Kernel,
                                          ScheduleCache &Cache) {
  BlockScheduler Scheduler(Kernel, Cache);
  std::vector<BlockSchedule> Result(Kernel.Blocks.size());
  auto Schedule = [&](llvm::ArrayRef<RegionNode> Body, const Loop *Around) {
    for (unsigned I = 0; I < Body.size();) {
      if (Body[I].Kind == RegionNode::IsLoop) {
        ++I;
        continue;
      }
      unsigned Size = sizeOfHyperblock(Kernel, Body, I);
      unsigned First = Body[I].Index, Last = Body[I + Size - 1].Index;
      const Loop *Unrolled = Size == Body.size() ? Around : nullptr;
      const BlockSchedule &S = Scheduler.run(
          Kernel.Blocks[First].FirstOp, Kernel.Blocks[Last].EndOp, Unrolled);
      for (const RegionNode &Node : Body.slice(I, Size)) {
        Result[Node.Index].Copies = S.Copies;
        Result[Node.Index].Hyperblock = First;
      }
      Result[First].Slots = S.Slots;
      I += Size;
    }
  };
  Schedule(Kernel.Body, nullptr);
  for (const Loop &L : Kernel.Loops)
    Schedule(L.Body, &L);
  return Result;
}

std::vector<BlockSchedule> programOrder(const KernelModel &Kernel) {
  std::vector<BlockSchedule> Result(Kernel.Blocks.size());
  for (unsigned B = 0; B < Result.size(); ++B) {
    Result[B].Hyperblock = B;
    for (unsigned I : Kernel.Blocks[B].operations())
      Result[B].Slots.push_back({I, 0});
  }
  return Result;
}

std::vector<double> loadsIssuedTogether(const KernelModel &Kernel,
                                        const std::vector<BlockSchedule> &S) {
  struct Loads {
    uint32_t Pending =
        0; ///< copies that no wait has followed yet, one bit each
    unsigned Issued = 0, Waits = 0;
    void wait() {
      Waits += Pending != 0;
      Pending = 0;
    }
  };
  static_assert(MaxScheduledCopies <= 32);
  std::vector<Loads> OfOp(Kernel.Operations.size());
  for (const BlockSchedule &Block : S)
    for (const Slot &What : Block.Slots) {
      const Operation &Op = Kernel.Operations[What.Op];
      for (const Operand &O : Op.Operands) {
        unsigned Copy = What.Copy - (O.Carried && What.Copy > 0);
        if (OfOp[O.Producer].Pending >> Copy & 1)
          OfOp[O.Producer].wait();
      }
      if (!Op.access())
        continue;
      OfOp[What.Op].Pending |= 1u << What.Copy;
      ++OfOp[What.Op].Issued;
    }
  std::vector<double> Result(Kernel.Accesses.size(), 1);
  for (unsigned I = 0; I < OfOp.size(); ++I) {
    OfOp[I].wait();
    if (OfOp[I].Waits > 0)
      Result[*Kernel.Operations[I].access()] =
          double(OfOp[I].Issued) / OfOp[I].Waits;
  }
  return Result;
}

} // namespace gpuestimate
