#include "EvaluateRandom.h"

namespace gpuestimate::test {

namespace {

class KernelMaker {
public:
  KernelMaker(Random &R, const RandomKernelOptions &O) : R(R), O(O) {}

  OpKernel run() {
    body(-1, 0);
    if (K.Model.Loops.empty())
      loop(-1, 0);
    K.Model.Res.RegistersPerThread = R.between(16, 64);
    return std::move(K);
  }

private:
  Expr share() {
    if (R.chance(0.7))
      return K.number(1);
    return K.number(O.WholeNumbers ? R.between(0, 1) : R.real(0, 1));
  }

  void body(int Parent, unsigned Depth) {
    for (unsigned I = R.between(1, 3); I > 0; --I)
      if (Depth < 3 && R.chance(0.4))
        loop(Parent, Depth);
      else
        block(Parent);
  }

  void loop(int Parent, unsigned Depth) {
    Expr Trips = K.number(O.WholeNumbers ? R.between(0, O.MaxTrips)
                                         : R.real(0, O.MaxTrips));
    if (K.Model.Loops.empty())
      Trips = K.parameter("n");
    int L = K.loop(Parent, Trips, share());
    static constexpr unsigned Unrolls[] = {1, 1, 2, 4, 16};
    K.Model.Loops[L].Unroll = Unrolls[R.between(0, 4)];
    if (R.chance(0.6))
      block(L);
    else
      body(L, Depth + 1);
  }

  /// The innermost loop that contains both, or -1.
  int commonLoop(int A, int B) {
    for (; A >= 0; A = K.Model.Loops[A].Parent)
      for (int C = B; C >= 0; C = K.Model.Loops[C].Parent)
        if (A == C)
          return A;
    return -1;
  }

  std::vector<Operand> operands() {
    std::vector<Operand> Result;
    unsigned Next = K.Model.Operations.size();
    for (unsigned I = R.between(0, 2); I > 0 && Next > 0; --I)
      Result.push_back(
          {Next - 1 - R.between(0, std::min(Next - 1, 12u)), false});
    return Result;
  }

  void block(int Parent) {
    K.block(Parent, share());
    if (O.Predicates)
      K.Model.Blocks.back().Predicated = R.chance(0.5);
    LoopOf.push_back(Parent);
    unsigned First = K.Model.Operations.size();
    for (unsigned I = R.between(1, 12); I > 0; --I)
      operation(Parent);
    unsigned End = K.Model.Operations.size();
    BlockOf.resize(End, K.Model.Blocks.size() - 1);
    if (Parent < 0)
      return;
    // Values from the previous iteration, of any operation of a common loop.
    for (unsigned I = First; I < End; ++I)
      if (R.chance(0.2)) {
        unsigned P = R.between(0, End - 1);
        if (commonLoop(LoopOf[BlockOf[P]], Parent) >= 0)
          K.Model.Operations[I].Operands.push_back({P, true});
      }
    if (R.chance(0.5)) {
      K.op(OpClass::IntAdd);
      K.last().Operands.push_back({End, true});
      K.last().LoopOverhead = true;
      K.op(OpClass::Branch, {{End, false}});
      K.last().LoopOverhead = true;
      BlockOf.resize(End + 2, K.Model.Blocks.size() - 1);
    }
  }

  void operation(int Parent) {
    static constexpr OpClass Arithmetic[] = {
        OpClass::Fp32Fma, OpClass::Fp32Add, OpClass::IntAdd, OpClass::Fp64Fma,
        OpClass::Sfu,     OpClass::Shift,   OpClass::Compare};
    std::string Base(1, char('a' + R.between(0, 3)));
    Expr Address = K.id() * 4;
    if (Parent >= 0 && R.chance(0.7))
      Address = (K.id() + K.counter(Parent) * 128) * 4;
    switch (R.between(0, O.Barriers ? 11 : 10)) {
    case 0:
    case 1:
      K.load(Base, operands(), Address);
      break;
    case 2:
      K.store(Base, operands(), Address);
      break;
    case 3:
      K.loadShared("s", operands());
      break;
    case 4:
      K.storeShared("s", operands());
      break;
    case 5:
      if (R.chance(0.5)) {
        // One statement for each draw: the order in which arguments are
        // evaluated is the compiler's.
        std::vector<Operand> Read = operands();
        Expr Place = R.chance(0.3) ? K.number(0) : Address;
        K.memory(OpClass::AtomicGlobal, MemorySpace::Global, AccessKind::Atomic,
                 Base, Place, std::move(Read));
      } else
        K.memory(OpClass::AtomicShared, MemorySpace::Shared, AccessKind::Atomic,
                 "s", K.tid() * 4, operands());
      break;
    case 11:
      K.op(OpClass::Barrier);
      break;
    default:
      std::vector<Operand> Read = operands();
      K.op(Arithmetic[R.between(0, 6)], std::move(Read));
      K.last().Count = R.between(1, 3);
      K.last().Chain = R.between(1, K.last().Count);
    }
  }

  Random &R;
  const RandomKernelOptions &O;
  OpKernel K;
  std::vector<int> LoopOf;       ///< [block]
  std::vector<unsigned> BlockOf; ///< [operation]
};

} // namespace

OpKernel randomKernel(Random &R, const RandomKernelOptions &Options) {
  return KernelMaker(R, Options).run();
}

std::vector<AccessFacts> randomFacts(Random &R, const KernelModel &Kernel) {
  std::vector<AccessFacts> Facts(Kernel.Accesses.size());
  for (AccessFacts &F : Facts) {
    F.L1Hit = R.chance(0.3) ? R.between(0, 1) : R.real(0, 1);
    F.L2Hit = R.chance(0.3) ? R.between(0, 1) : R.real(0, 1);
    F.SectorsPerRequest = R.between(1, 32);
    F.PassesPerRequest = R.chance(0.5) ? 1 : R.between(1, 32);
  }
  return Facts;
}

GpuModel randomGpu(Random &R) {
  GpuModel G = plainGpu();
  // Without the read ports of later ones: with them, more lanes can be slower
  // for one warp, because reading operands is no longer hidden behind a pipe.
  G.ComputeCapability = "6.0";
  static constexpr unsigned Schedulers[] = {1, 2, 4};
  G.SmCount = R.between(1, 140);
  G.SchedulersPerSm = Schedulers[R.between(0, 2)];
  G.IssueRate = R.chance(0.2) ? 2 : 1;
  G.CoreClock = Hertz(R.real(0.5e9, 2e9));
  for (const OpClassInfo &Class : opClassTable()) {
    OpCost &C = G.Ops[static_cast<unsigned>(Class.Class)];
    if (Class.Class == OpClass::ConvertInt32 ||
        Class.Class == OpClass::WarpReduce) {
      C = OpCost(); // not stated, as in most models
      continue;
    }
    C.Latency = Cycles(R.between(2, 40));
    C.Throughput = 1 << R.between(2, 7);
  }
  G.L1.Latency = Cycles(R.between(20, 140));
  G.L2.Latency = G.L1.Latency + Cycles(R.between(50, 200));
  G.DramLatency = G.L2.Latency + Cycles(R.between(100, 500));
  G.SharedLatency = Cycles(R.between(15, 40));
  G.GlobalAtomicLatency = G.L2.Latency + Cycles(R.between(0, 50));
  G.L1Bandwidth = BytesPerCycle(R.real(32, 256));
  G.SharedBandwidth = BytesPerCycle(R.real(32, 256));
  G.L2Bandwidth = BytesPerSecond(R.real(1e11, 4e12));
  G.L2WriteBandwidth = G.L2Bandwidth * R.real(0.5, 1);
  G.DramPeakBandwidth = G.L2Bandwidth * R.real(0.2, 0.9);
  G.DramReadBandwidth = G.DramPeakBandwidth * R.real(0.8, 0.95);
  G.DramWriteBandwidth = G.DramPeakBandwidth * R.real(0.7, 0.95);
  G.DramCopyBandwidth = G.DramPeakBandwidth * R.real(0.7, 0.95);
  G.BarrierLatency = Cycles(R.between(5, 40));
  G.BarrierPerWarp = Cycles(R.real(0, 4));
  G.BlockDispatchRate = R.real(0.1, 1);
  G.BlockStart = Cycles(R.between(0, 300));
  G.BlockStartPerWarp = Cycles(R.between(0, 20));
  G.MemoryKnee = R.real(2, 20);
  G.SharedAtomicSameAddressRate = R.real(0.1, 1);
  G.GlobalAtomicSameAddressRate = R.real(0.1, 2);
  G.GlobalAtomicRate = R.real(2, 100);
  if (R.chance(0.3)) {
    G.L2Partitions = 2;
    G.L2FarLatency = G.L2.Latency + Cycles(R.between(0, 200));
  }
  G.LaunchLatency = Seconds(R.real(1e-6, 1e-5));
  G.LaunchInterval = Seconds(R.real(1e-6, 1e-5));
  return G;
}

Launch randomLaunch(Random &R) {
  uint64_t Blocks =
      R.chance(0.3) ? R.between(1, 8) : uint64_t(1) << R.between(0, 18);
  return launch({Blocks + R.between(0, 3), 1, 1}, {R.between(1, 512), 1, 1});
}

} // namespace gpuestimate::test
