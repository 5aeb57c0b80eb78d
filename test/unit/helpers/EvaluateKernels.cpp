#include "EvaluateKernels.h"
#include "gpu-estimate/Evaluate/Access/BindParameters.h"
#include <cmath>

namespace gpuestimate::test {

GpuModel plainGpu() {
  GpuModel G;
  G.Id = G.Name = "plain";
  G.Vendor = "NVIDIA";
  G.ComputeCapability = "8.0";
  G.SmCount = 4;
  G.CoreClock = Hertz(1e9);
  G.MaxWarpsPerSm = 64;
  G.MaxBlocksPerSm = 32;
  G.RegistersPerSm = 65536;
  G.SharedPerSm = Bytes(164 * 1024);
  G.SharedPerBlockMax = Bytes(163 * 1024);
  G.SharedPerBlockDefault = Bytes(48 * 1024);
  G.SharedAllocationUnit = Bytes(128);
  G.SharedReservedPerBlock = Bytes(1024);
  for (const OpClassInfo &I : opClassTable()) {
    OpCost &C = G.Ops[static_cast<unsigned>(I.Class)];
    C.On = I.UsualPipe;
    C.Latency = Cycles(4);
    C.Throughput = 128;
    if (C.On == Pipe::Fp64)
      C.Throughput = 32;
    else if (C.On == Pipe::Sfu)
      C.Throughput = 64;
    else if (C.On == Pipe::LoadStore)
      C.Throughput = 32;
    else if (C.On == Pipe::Tensor)
      C.Throughput = 1024;
  }
  G.L1 = {Bytes(192 * 1024), Bytes(128), Bytes(32), Cycles(30)};
  G.L1Bandwidth = BytesPerCycle(128);
  G.L2 = {Bytes(4096 * 1024), Bytes(128), Bytes(32), Cycles(200)};
  G.L2Bandwidth = BytesPerSecond(128e9);
  G.L2WriteBandwidth = BytesPerSecond(96e9);
  G.DramLatency = Cycles(500);
  G.DramPeakBandwidth = BytesPerSecond(64e9);
  G.DramReadBandwidth = BytesPerSecond(60e9);
  G.DramCopyBandwidth = BytesPerSecond(50e9);
  G.DramWriteBandwidth = BytesPerSecond(55e9);
  G.DramSize = Bytes(8e9);
  G.SharedLatency = Cycles(20);
  G.SharedBankWidth = Bytes(4);
  G.SharedBandwidth = BytesPerCycle(128);
  G.ConstantLatency = Cycles(8);
  G.TextureLatency = Cycles(80);
  G.SharedAtomicLatency = Cycles(40);
  G.GlobalAtomicLatency = Cycles(230);
  G.GlobalAtomicRate = 64;
  G.BarrierLatency = Cycles(10);
  G.BarrierPerWarp = Cycles(2);
  G.LaunchLatency = Seconds(5e-6);
  G.LaunchInterval = Seconds(2e-6);
  return G;
}

namespace {

double number(Expr E, const Bindings &Values) {
  return evaluate(E, Values).value_or(0);
}

/// Fills path and totals of a body that each warp executes Times times.
struct UniformWalk {
  const KernelModel &K;
  const Bindings &Values;
  LaunchSample &S;
  void body(const std::vector<RegionNode> &Body, double Times) {
    WarpPath &P = S.Paths.front();
    for (const RegionNode &I : Body) {
      if (I.Kind == RegionNode::IsBlock) {
        P.BlockShare[I.Index] = number(K.Blocks[I.Index].Active, Values);
        S.BlockWarps[I.Index] = S.Warps * Times * P.BlockShare[I.Index];
        continue;
      }
      const Loop &L = K.Loops[I.Index];
      P.LoopShare[I.Index] = number(L.Active, Values);
      P.LoopTrips[I.Index] = std::max(0.0, number(L.TripCount, Values));
      double Entries = Times * P.LoopShare[I.Index];
      double Iterations = Entries * P.LoopTrips[I.Index];
      S.LoopWarpEntries[I.Index] = S.Warps * Entries;
      S.LoopWarpIterations[I.Index] = S.Warps * Iterations;
      body(L.Body, Iterations);
    }
  }
};

double warpsPerBlock(const GpuModel &Gpu, const Launch &L) {
  return std::ceil(double(L.threadsPerBlock()) / Gpu.WarpSize);
}

} // namespace

UniformLaunch uniformLaunch(const KernelModel &K, const GpuModel &Gpu,
                            const Launch &L, const Bindings &Values,
                            const std::vector<AccessFacts> &Facts) {
  UniformLaunch U;
  LaunchSample &S = U.Sample;
  S.Warps = double(L.blocks()) * warpsPerBlock(Gpu, L);
  S.BlockWarps.resize(K.Blocks.size());
  S.LoopWarpEntries.resize(K.Loops.size());
  S.LoopWarpIterations.resize(K.Loops.size());
  S.Blocks.push_back({{0, 0, 0}, double(L.blocks())});
  WarpPath &P = S.Paths.emplace_back();
  P.Weight = S.Warps;
  P.BlockShare.resize(K.Blocks.size());
  P.LoopShare.resize(K.Loops.size());
  P.LoopTrips.resize(K.Loops.size());
  for (const Wait &W : K.Waits)
    P.WaitCycles.push_back(number(W.Length, Values));
  UniformWalk{K, Values, S}.body(K.Body, 1);
  for (double Warps : S.BlockWarps)
    S.BlockThreads.push_back(Warps * Gpu.WarpSize);

  Traffic &F = U.Flow;
  for (unsigned I = 0; I < K.Accesses.size(); ++I) {
    const MemoryAccess &A = K.Accesses[I];
    AccessFacts Fact = I < Facts.size() ? Facts[I] : AccessFacts();
    AccessTotals T;
    T.Requests = S.BlockWarps[A.Block];
    T.Threads = T.Requests * Gpu.WarpSize;
    T.Sectors = T.Requests * Fact.SectorsPerRequest;
    T.Lines = T.Requests * Fact.LinesPerRequest;
    T.Wavefronts = T.Requests * Fact.PassesPerRequest;
    T.SameAddress =
        A.Kind == AccessKind::Atomic ? T.Requests * Fact.LanesPerAddress : 0;
    S.Accesses.push_back(T);
    AccessTraffic Predicted;
    if (A.Space == MemorySpace::Global) {
      bool Write = A.Kind == AccessKind::Store;
      Predicted.L1Hit = Write ? 0 : Fact.L1Hit;
      Predicted.L2Hit = Fact.L2Hit;
      Predicted.L2MissWaitFraction = 1 - Fact.L2Hit;
      Predicted.L2Bytes = T.Sectors * 32 * (1 - Predicted.L1Hit);
      double Dram = Predicted.L2Bytes * (1 - Predicted.L2Hit);
      (Write ? Predicted.DramWriteBytes : Predicted.DramReadBytes) = Dram;
      (Write ? F.DramWriteBytes : F.DramReadBytes) += Dram;
      (Write ? F.L2WriteBytes : F.L2ReadBytes) += Predicted.L2Bytes;
      (Write ? F.L2WritePackets : F.L2ReadPackets) +=
          T.Lines * (1 - Predicted.L1Hit);
    }
    F.Accesses.push_back(Predicted);
  }
  return U;
}

ModelUnderTest::ModelUnderTest(const KernelModel &Kernel, const GpuModel &Gpu,
                               const Launch &L, const Bindings &Values,
                               const std::vector<AccessFacts> &Facts)
    : Gpu(Gpu), L(L), Occ(llvm::cantFail(computeOccupancy(Gpu, Kernel.Res, L))),
      Uniform(uniformLaunch(Kernel, Gpu, L, Values, Facts)),
      Schedule(scheduleBlocks(Kernel)),
      Costs(Kernel, this->Gpu, Uniform.Sample, Uniform.Flow, Schedule,
            llvm::divideCeil(L.threadsPerBlock(), Gpu.WarpSize),
            Occ.WarpsPerSm),
      Work(measureWorkload(Kernel, this->Gpu, L,
                           bindParameters(Kernel, L, Values).All,
                           Uniform.Sample, Uniform.Flow, Costs, Schedule)),
      Model(Kernel, this->Gpu, this->L, Occ, Uniform.Sample, Costs, Schedule,
            Work) {}

double ModelUnderTest::bound(llvm::StringRef Name) {
  for (const Bound &B : Model.bounds({}))
    if (B.Name == Name)
      return B.Time.value();
  return -1;
}

WalkUnderTest::WalkUnderTest(const KernelModel &Kernel, const GpuModel &G,
                             unsigned WarpsPerBlock, const Bindings &Values,
                             const std::vector<AccessFacts> &Facts)
    : Gpu(G),
      Uniform(uniformLaunch(Kernel, Gpu,
                            launch({1, 1, 1}, {WarpsPerBlock * 32, 1, 1}),
                            Values, Facts)),
      Schedule(scheduleBlocks(Kernel)),
      Costs(Kernel, Gpu, Uniform.Sample, Uniform.Flow, Schedule, WarpsPerBlock),
      Timer(Kernel, Costs, Schedule, WarpsPerBlock) {}

} // namespace gpuestimate::test
