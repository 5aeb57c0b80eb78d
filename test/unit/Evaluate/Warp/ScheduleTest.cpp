/// \file
/// The order of operations: every one once per copy, nothing before what it
/// needs, memory and barriers in order, long latencies first.
#include "helpers/EvaluateRandom.h"
#include "gtest/gtest.h"
#include <map>

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

std::vector<unsigned> order(const OpKernel &K, unsigned Block = 0) {
  std::vector<unsigned> Ops;
  std::vector<BlockSchedule> All = scheduleBlocks(K.Model);
  for (const Slot &S : All[Block].Slots)
    Ops.push_back(S.Op);
  return Ops;
}
using Order = std::vector<unsigned>;

TEST(Schedule, LongLatencyFirst) {
  OpKernel K;
  K.block(-1);
  K.op(OpClass::IntAdd);
  K.op(OpClass::Fp32Add);
  unsigned Address = K.op(OpClass::IntMul);
  unsigned Value = K.load("a", {{Address, false}});
  K.op(OpClass::Fp32Add, {{Value, false}});
  // The load's address and the load go first, the rest waits for nothing.
  EXPECT_EQ(order(K), (Order{2, 0, 1, 3, 4}));
}

TEST(Schedule, LoadsMoveTogether) {
  OpKernel K;
  K.block(-1);
  for (unsigned I = 0; I < 3; ++I) {
    K.load("a");
    K.op(OpClass::Fp32Add, {{I * 2, false}});
  }
  EXPECT_EQ(order(K), (Order{0, 2, 4, 1, 3, 5}));
}

TEST(Schedule, NothingCrossesABarrierOrFence) {
  for (OpClass Fence : {OpClass::Barrier, OpClass::Fence}) {
    OpKernel K;
    K.block(-1);
    K.op(OpClass::IntAdd);
    K.op(Fence);
    K.load("a");
    EXPECT_EQ(order(K), (Order{0, 1, 2}));
  }
}

TEST(Schedule, NothingCrossesABranchToASlowPath) {
  OpKernel K;
  K.block(-1);
  K.op(OpClass::IntAdd);
  unsigned Branch = K.op(OpClass::Branch);
  K.load("a");
  EXPECT_EQ(order(K), (Order{0, 1, 2}));
  // That of a loop is at its end anyway, and is one of all copies.
  K.Model.Operations[Branch].LoopOverhead = true;
  EXPECT_EQ(order(K), (Order{2, 0, 1}));
}

/// store, then a load that would like to go first.
Order storeThenLoad(llvm::function_ref<void(OpKernel &)> Change = nullptr,
                    MemorySpace LoadSpace = MemorySpace::Global) {
  OpKernel K;
  for (const char *Name : {"p", "q"}) {
    KernelArgument A;
    A.Name = Name;
    A.Kind = KernelArgument::Pointer;
    K.Model.Arguments.push_back(A);
  }
  K.block(-1);
  K.store("p", {}, K.tid() * 4);
  if (LoadSpace == MemorySpace::Shared)
    K.loadShared("q");
  else
    K.load("q", {}, K.tid() * 4);
  K.op(OpClass::Fp32Add, {{1, false}});
  K.Model.Accesses[0].BaseArgument = 0;
  K.Model.Accesses[1].BaseArgument = 1;
  if (Change)
    Change(K);
  return order(K);
}

TEST(Schedule, PredicatedBlocksAreLaidOutWithTheirNeighbours) {
  // A tile and its border: shared[t] = a[i]; if (c) shared[t + 32] = b[i].
  for (bool Predicated : {true, false}) {
    OpKernel K;
    K.block(-1);
    unsigned Condition = K.op(OpClass::Compare);
    unsigned Tile = K.load("a");
    K.storeShared("s", {{Tile, false}});
    K.block(-1, K.parameter("c"));
    K.Model.Blocks.back().Predicated = Predicated;
    unsigned Border = K.load("b", {{Condition, false}});
    K.storeShared("s", {{Border, false}}, (K.tid() + 32) * 4);
    K.block(-1);
    K.op(OpClass::Barrier);
    std::vector<BlockSchedule> S = scheduleBlocks(K.Model);
    if (Predicated) {
      EXPECT_EQ(order(K), (Order{0, 1, 3, 2, 4, 5}));
      EXPECT_EQ(S[1].Hyperblock, 0u);
      EXPECT_EQ(S[2].Hyperblock, 0u);
    } else {
      EXPECT_EQ(order(K), (Order{1, 0, 2}));
      EXPECT_EQ(order(K, 1), (Order{3, 4}));
      EXPECT_EQ(S[1].Hyperblock, 1u);
    }
  }
}

TEST(Schedule, ALoopWithAPredicateIsUnrolled) {
  OpKernel K;
  int L = K.loop(-1, K.number(100));
  K.Model.Loops[L].Unroll = 4;
  K.block(L);
  K.op(OpClass::Compare);
  K.block(L, K.parameter("c"));
  K.Model.Blocks.back().Predicated = true;
  unsigned Loaded = K.load("a", {{0, false}}, (K.id() + K.counter(L) * 32) * 4);
  K.op(OpClass::Fp32Add, {{Loaded, false}});
  K.block(L);
  K.op(OpClass::Branch);
  K.last().LoopOverhead = true;
  std::vector<BlockSchedule> S = scheduleBlocks(K.Model);
  EXPECT_EQ(S[0].Copies, 4u);
  EXPECT_EQ(S[0].Slots.size(), 4u * 3 + 1);
  K.Model.Blocks[1].Predicated = false;
  EXPECT_EQ(scheduleBlocks(K.Model)[0].Copies, 1u);
}

TEST(Schedule, LoadsStayBelowStoresThatMayAlias) {
  const Order Kept{0, 1, 2}, Moved{1, 0, 2};
  EXPECT_EQ(storeThenLoad(), Kept); // two pointers may be equal
  EXPECT_EQ(
      storeThenLoad([](OpKernel &K) { K.Model.Arguments[1].Restrict = true; }),
      Moved);
  EXPECT_EQ(
      storeThenLoad([](OpKernel &K) { K.Model.Accesses[1].ReadOnly = true; }),
      Moved);
  EXPECT_EQ(storeThenLoad(nullptr, MemorySpace::Shared), Moved);
  // Two declared arrays are distinct, a pointer into one of them may not be.
  auto Declared = [](OpKernel &K) {
    K.Model.Accesses[0].BaseArgument.reset();
    K.Model.Accesses[1].BaseArgument.reset();
  };
  EXPECT_EQ(storeThenLoad(Declared), Moved);
  EXPECT_EQ(storeThenLoad([&](OpKernel &K) {
              Declared(K);
              K.Model.Accesses[1].Base = "";
            }),
            Kept);
  // One array: the same word, a neighbour, an overlapping one.
  for (double Distance : {0., 4., 2.})
    EXPECT_EQ(storeThenLoad([&](OpKernel &K) {
                K.Model.Accesses[1].Base = "p";
                K.Model.Accesses[1].Address = K.tid() * 4 + Distance;
              }),
              Distance == 4 ? Moved : Kept)
        << Distance;
}

/// for (...) x[address] = f(x[address]), four copies: are loads of later
/// copies in front of the store of the first?
bool overlaps(llvm::function_ref<Expr(OpKernel &, int)> Address) {
  OpKernel K;
  int L = K.loop(-1, K.number(100));
  K.Model.Loops[L].Unroll = 4;
  K.block(L);
  K.load("x", {}, Address(K, L));
  K.store("x", {{0, false}}, Address(K, L));
  std::vector<Slot> Slots = scheduleBlocks(K.Model)[0].Slots;
  EXPECT_EQ(Slots.size(), 8u);
  return Slots[1].Op == 0;
}

TEST(Schedule, CopiesOfALoopAlias) {
  // Each iteration has its own element.
  EXPECT_TRUE(overlaps(
      [](OpKernel &K, int L) { return (K.tid() + K.counter(L) * 32) * 4; }));
  // Every iteration has the thread's one element: its value is the next input.
  EXPECT_FALSE(overlaps([](OpKernel &K, int) { return K.tid() * 4; }));
  EXPECT_FALSE(overlaps([](OpKernel &K, int) { return K.number(16); }));
  // A compiler does not know that a step is not 0.
  EXPECT_FALSE(overlaps([](OpKernel &K, int L) {
    return (K.tid() + K.counter(L) * K.parameter("step")) * 4;
  }));
}

TEST(Schedule, CopiesAreBounded) {
  OpKernel K;
  int L = K.loop(-1, K.number(100));
  K.Model.Loops[L].Unroll = 64;
  K.block(L);
  K.op(OpClass::Fp32Add);
  K.op(OpClass::IntAdd);
  K.last().LoopOverhead = true;
  BlockSchedule S = scheduleBlocks(K.Model)[0];
  EXPECT_EQ(S.Copies, MaxScheduledCopies);
  EXPECT_EQ(S.Slots.size(), MaxScheduledCopies + 1); // overhead once
}

// As many iterations load ahead as registers are free for their words: the
// most values that are loaded and not yet read.
TEST(Schedule, IterationsLoadAsManyWordsAheadAsFit) {
  auto LoadedAhead = [](unsigned Loads, unsigned Bytes) {
    OpKernel K;
    int L = K.loop(-1, K.number(100));
    K.Model.Loops[L].Unroll = 16;
    K.block(L);
    for (unsigned I = 0; I < Loads; ++I) {
      unsigned Value = K.load("a");
      K.Model.Accesses.back().BytesPerThread = Bytes;
      K.op(OpClass::Fp32Add, {{Value, false}});
    }
    BlockSchedule S = scheduleBlocks(K.Model)[0];
    EXPECT_EQ(S.Copies, MaxScheduledCopies);
    EXPECT_EQ(S.Slots.size(), size_t(2) * Loads * S.Copies);
    int Held = 0, Most = 0;
    for (const Slot &Of : S.Slots) {
      Held += K.Model.Operations[Of.Op].access() ? 1 : -1;
      Most = std::max(Most, Held);
    }
    return Most;
  };
  EXPECT_EQ(LoadedAhead(1, 4), 16);
  EXPECT_EQ(LoadedAhead(4, 4), 16);
  EXPECT_EQ(LoadedAhead(1, 16), 4);
  EXPECT_EQ(LoadedAhead(12, 4), 16);
  EXPECT_EQ(LoadedAhead(20, 4), 20);
}

/// A loop of 16 copies with a load and a sum, and what Change adds to it: the
/// copies of the load that a warp issues before it waits for one of them.
double issuedTogether(llvm::function_ref<void(OpKernel &)> Change,
                      unsigned Unroll = 16) {
  OpKernel K;
  int L = K.loop(-1, K.number(1000));
  K.Model.Loops[L].Unroll = Unroll;
  K.block(L);
  unsigned Value = K.load("a", {}, K.counter(L) * 4);
  K.op(OpClass::Fp32Add, {{Value, false}, {1, true}});
  Change(K);
  return loadsIssuedTogether(K.Model, scheduleBlocks(K.Model))[0];
}

TEST(Schedule, LoadsIssuedTogetherBeforeAWait) {
  auto Nothing = [](OpKernel &) {};
  EXPECT_EQ(issuedTogether(Nothing), 16);
  EXPECT_EQ(issuedTogether(Nothing, 4), 4);
  EXPECT_EQ(issuedTogether(Nothing, 1), 1);
  // What keeps the copies apart: a barrier, and a store to the same array.
  EXPECT_EQ(issuedTogether([](OpKernel &K) { K.op(OpClass::Barrier); }), 1);
  auto StoresTo = [](const char *Base) {
    return [=](OpKernel &K) { K.store(Base, {{1, false}}, K.number(0)); };
  };
  EXPECT_EQ(issuedTogether(StoresTo("a")), 1);
  EXPECT_EQ(issuedTogether(StoresTo("b")), 16) << "another declared array";
  // Loads of four words: as many as have registers.
  EXPECT_EQ(issuedTogether(
                [](OpKernel &K) { K.Model.Accesses[0].BytesPerThread = 16; }),
            4);
}

TEST(Schedule, BarrierInTheBodyKeepsIterationsApart) {
  OpKernel K;
  int L = K.loop(-1, K.number(100));
  K.Model.Loops[L].Unroll = 4;
  K.block(L);
  K.op(OpClass::Fp32Add);
  K.op(OpClass::Barrier);
  EXPECT_EQ(scheduleBlocks(K.Model)[0].Copies, 1u);
}

TEST(Schedule, MemoryOfChangedCopiesChangesNothing) {
  for (unsigned Seed = 0; Seed < 200; ++Seed) {
    SCOPED_TRACE("seed " + std::to_string(Seed));
    Random R(Seed);
    OpKernel K = randomKernel(R);
    ScheduleCache Memory;
    scheduleBlocks(K.Model, Memory);
    // What a block's order depends on, one after the other.
    auto compare = [&] {
      std::vector<BlockSchedule> With = scheduleBlocks(K.Model, Memory),
                                 Without = scheduleBlocks(K.Model);
      for (unsigned B = 0; B < With.size(); ++B) {
        ASSERT_EQ(With[B].Copies, Without[B].Copies);
        ASSERT_EQ(With[B].Slots.size(), Without[B].Slots.size());
        for (unsigned I = 0; I < With[B].Slots.size(); ++I) {
          EXPECT_EQ(With[B].Slots[I].Op, Without[B].Slots[I].Op);
          EXPECT_EQ(With[B].Slots[I].Copy, Without[B].Slots[I].Copy);
        }
      }
    };
    for (unsigned Change = 0; Change < 8; ++Change) {
      Operation &Op = K.Model.Operations[Change % K.Model.Operations.size()];
      Op.Chain = Op.Count += Change;
      for (MemoryAccess &A : K.Model.Accesses)
        A.Address = Change % 2 ? K.tid() * 4.0 : K.number(16.0 * Change);
      for (Loop &L : K.Model.Loops)
        L.Unroll = 1 + Change % 3;
      if (!K.Model.Accesses.empty())
        K.Model.Accesses.front().Kind =
            Change % 3 ? AccessKind::Load : AccessKind::Store;
      compare();
    }
  }
}

TEST(Schedule, EverythingOnceAndAfterItsOperands) {
  for (unsigned Seed = 0; Seed < 500; ++Seed) {
    SCOPED_TRACE("seed " + std::to_string(Seed));
    Random R(Seed);
    RandomKernelOptions O;
    O.Predicates = Seed % 2;
    OpKernel K = randomKernel(R, O);
    std::vector<BlockSchedule> Schedule = scheduleBlocks(K.Model);
    ASSERT_EQ(Schedule.size(), K.Model.Blocks.size());
    for (unsigned B = 0; B < Schedule.size(); ++B) {
      const BlockSchedule &S = Schedule[B];
      if (S.Hyperblock != B) {
        EXPECT_TRUE(S.Slots.empty());
        EXPECT_EQ(S.Copies, Schedule[S.Hyperblock].Copies);
        continue;
      }
      BasicBlock Block = K.Model.Blocks[B];
      for (unsigned Next = B + 1;
           Next < Schedule.size() && Schedule[Next].Hyperblock == B; ++Next)
        Block.EndOp = K.Model.Blocks[Next].EndOp;
      std::map<std::pair<unsigned, unsigned>, unsigned> At;
      for (unsigned I = 0; I < S.Slots.size(); ++I) {
        Slot Step = S.Slots[I];
        EXPECT_TRUE(At.insert({{Step.Op, Step.Copy}, I}).second) << "twice";
        EXPECT_GE(Step.Op, Block.FirstOp);
        EXPECT_LT(Step.Op, Block.EndOp);
        EXPECT_LT(Step.Copy, S.Copies);
      }
      unsigned Barrier = 0;
      for (unsigned I : Block.operations()) {
        const Operation &Op = K.Model.Operations[I];
        for (unsigned C = Op.LoopOverhead ? S.Copies - 1 : 0; C < S.Copies;
             ++C) {
          ASSERT_TRUE(At.count({I, C})) << "operation " << I << " copy " << C;
          unsigned Place = At[{I, C}];
          for (const Operand &O : Op.Operands) {
            if (O.Carried && C == 0)
              continue;
            auto P = At.find({O.Producer, O.Carried ? C - 1 : C});
            if (P != At.end()) {
              EXPECT_LT(P->second, Place);
            }
          }
          // Program order holds across barriers.
          EXPECT_GE(Place, Barrier);
          if (Op.Class == OpClass::Barrier)
            Barrier = Place;
        }
      }
    }
  }
}

} // namespace
