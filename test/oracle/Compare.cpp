/// \file
/// Closed form against simulation.
#include "Compare.h"
#include "Evaluate/Sampling/SamplingPlan.h"
#include "LaunchSimulator.h"
#include "SweptCurve.h"
#include "gpu-estimate/Evaluate/Access/Request.h"
#include "gpu-estimate/Evaluate/Cache/Traffic.h"
#include "gpu-estimate/Frontend/Frontend.h"
#include "gpu-estimate/Lowering/LowerKernel.h"
#include "gpu-estimate/Support/Hash.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>
#include <set>

namespace gpuestimate::test {

static constexpr unsigned ThreadsPerSm = 512;

static CacheShape l1Shape(const OracleMachine &M, const SetHash &Hash) {
  return {M.Gpu.L1.Size.value(), M.L1Ways, Hash};
}

static CacheShape l2Shape(const OracleMachine &M, const SetHash &Hash) {
  return {M.Gpu.L2.Size.value(), M.L2Ways, Hash};
}

std::vector<OracleMachine> oracleMachines() {
  GpuModel G;
  G.ComputeCapability = "8.0";
  G.SmCount = 6;
  G.L1 = {Bytes(32 * 1024), Bytes(128), Bytes(32), Cycles(33)};
  G.L1UnifiedWithShared = false;
  G.L2 = {Bytes(256 * 1024), Bytes(128), Bytes(32), Cycles(200)};
  G.SharedBanks = 32;
  G.SharedBankWidth = Bytes(4);
  OracleMachine Ideal{"ideal", G, 0, 0, {}, false, {}};
  for (uint64_t Draw = 0; Draw < 4; ++Draw)
    Ideal.Hashes.push_back({{SetHash::Drawn, Draw}, {}});
  Ideal.Curves.L1 = sweptCurve(l1Shape(Ideal, {}));
  Ideal.Curves.L2 = sweptCurve(l2Shape(Ideal, {}));
  // The smallest irreducible polynomials of degree 7, for 128 sets.
  OracleMachine Sets{"sets", G, 64, 16, {}, false, {}};
  for (uint64_t Polynomial : {0x83, 0x89, 0x8f, 0x91})
    Sets.Hashes.push_back({{SetHash::Drawn, Sets.Hashes.size()},
                           {SetHash::Remainder, Polynomial}});
  std::vector<CacheShape> Draws;
  for (uint64_t Draw = 0; Draw < 32; ++Draw)
    Draws.push_back(l1Shape(Sets, {SetHash::Drawn, 100 + Draw}));
  Sets.Curves.L1 = sweptCurve(Draws);
  Sets.Curves.L2 = sweptCurve(l2Shape(Sets, Sets.Hashes.front().second));
  Sets.Gpu.PartialWriteRead = Bytes(32);
  OracleMachine Warm = Ideal;
  Warm.Name = "warm";
  Warm.Warm = true;
  return {Ideal, Sets, Warm};
}

double Comparison::worst() const {
  return std::max({std::abs(Got.L1Hit - Want.L1Hit),
                   std::abs(Got.L2Hit - Want.L2Hit),
                   std::abs(Got.Written - Want.Written)});
}

double indexAt(double Element, double Range) {
  return std::floor(unitFraction(mixBits(uint64_t(Element) + 1)) * Range);
}

/// The share, or 0 of nothing.
static double share(double Part, double Whole) {
  return Whole > 0 ? std::clamp(Part / Whole, 0.0, 1.0) : 0;
}

namespace {
struct Sums {
  double Looked = 0, Passed = 0; ///< loads in L1
  double Loaded = 0, Read = 0, Stored = 0;
};
} // namespace

static TrafficShares shares(const Sums &S, double Written) {
  TrafficShares Out;
  Out.L1Hit = S.Looked > 0 ? 1 - share(S.Passed, S.Looked) : 0;
  Out.L2Hit = S.Loaded > 0 ? 1 - share(S.Read, S.Loaded) : 0;
  Out.Written = share(Written, S.Stored);
  return Out;
}

static unsigned blocksPerSm(const Launch &L) {
  return std::max<uint64_t>(1, ThreadsPerSm / L.threadsPerBlock());
}

/// Of the sum over a launch of the sectors of requests whose addresses are
/// data: requests are taken to be independent of each other.
static double standardError(const KernelModel &K, const LaunchTrace &Trace) {
  struct Moments {
    double Count = 0, Sum = 0, Squares = 0;
  };
  std::vector<Moments> ByAccess(K.Accesses.size());
  for (const std::vector<WarpTrace> &Block : Trace.Blocks)
    for (const WarpTrace &Warp : Block)
      for (const WarpRequest &R : Warp.Requests) {
        if (R.Access < 0 || !K.Accesses[R.Access].DataDependent)
          continue;
        Moments &M = ByAccess[R.Access];
        double Sectors = R.End - R.First;
        ++M.Count;
        M.Sum += Sectors;
        M.Squares += Sectors * Sectors;
      }
  double Variance = 0;
  for (const Moments &M : ByAccess)
    if (M.Count > 1)
      Variance +=
          M.Count * (M.Squares - M.Sum * M.Sum / M.Count) / (M.Count - 1);
  return std::sqrt(Variance);
}

static TrafficShares simulated(const KernelModel &K, const Shape &S,
                               const LaunchTrace &Trace, const OracleMachine &M,
                               const std::pair<SetHash, SetHash> &Hashes) {
  SimulatedMachine Sim{M.Gpu, blocksPerSm(S.L), l1Shape(M, Hashes.first),
                       l2Shape(M, Hashes.second)};
  Sim.Launches = M.Warm ? 2 : 1;
  Sim.Draw = Hashes.first.Parameter;
  SimulatedTraffic T = simulate(K, Trace, Sim);
  Sums Sum;
  TrafficShares Extra;
  for (unsigned A = 0; A < K.Accesses.size(); ++A) {
    const SimulatedAccess &Access = T.Accesses[A];
    CacheRole Role = cacheRole(K.Accesses[A], M.Gpu);
    Extra.Sectors += Access.Asked;
    Extra.BankPasses += Trace.BankPasses[A];
    Sum.Read += Access.Read;
    if (Role == CacheRole::CachedLoad || Role == CacheRole::Private) {
      Sum.Looked += Access.Asked;
      Sum.Passed += Access.ToL2;
    }
    if (Role == CacheRole::Store || Role == CacheRole::Atomic)
      Sum.Stored += Access.ToL2;
    if (Role != CacheRole::Store)
      Sum.Loaded += Access.ToL2;
  }
  Sum.Passed += T.LocalWritten;
  Sum.Stored += T.LocalWritten;
  TrafficShares Out = shares(Sum, T.Written);
  Out.Sectors = Extra.Sectors;
  Out.SectorsError = standardError(K, Trace);
  Out.BankPasses = Extra.BankPasses;
  return Out;
}

/// Which hash a real cache has is not published, so that the closed form knows
/// none: the fractions are means over some.
static TrafficShares simulated(const KernelModel &K, const Shape &S,
                               const LaunchTrace &Trace,
                               const OracleMachine &M) {
  TrafficShares Mean;
  double Share = 1.0 / double(M.Hashes.size());
  for (const auto &Hashes : M.Hashes) {
    TrafficShares One = simulated(K, S, Trace, M, Hashes);
    Mean.L1Hit += Share * One.L1Hit;
    Mean.L2Hit += Share * One.L2Hit;
    Mean.Written += Share * One.Written;
    Mean.Sectors = One.Sectors;
    Mean.BankPasses = One.BankPasses;
    Mean.SectorsError = One.SectorsError;
  }
  return Mean;
}

static TrafficShares estimated(const KernelModel &K, const Shape &S,
                               const OracleMachine &M) {
  EvaluateOptions Options;
  Options.Caches = M.Warm ? CacheState::Warm : CacheState::Cold;
  LaunchSample Sample = sampleLaunch(K, M.Gpu, S.L, S.Values);
  Traffic T = estimateTraffic(K, M.Gpu, S.L, S.Values, Sample, blocksPerSm(S.L),
                              Options, M.Curves);
  Sums Sum;
  double Sectors = 0, Passes = 0;
  for (unsigned A = 0; A < K.Accesses.size(); ++A) {
    const AccessTraffic &Access = T.Accesses[A];
    CacheRole Role = cacheRole(K.Accesses[A], M.Gpu);
    double Asked = Sample.Accesses[A].Sectors;
    if (Role == CacheRole::None) {
      if (K.Accesses[A].Space == MemorySpace::Shared)
        Passes += Sample.Accesses[A].Wavefronts;
      continue;
    }
    Sectors += Asked;
    double ToL2 = Asked * (1 - Access.L1Hit);
    Sum.Read += Access.DramReadBytes / 32;
    if (Role == CacheRole::CachedLoad || Role == CacheRole::Private) {
      Sum.Looked += Asked;
      Sum.Passed += ToL2;
    }
    // What L1 writes back of private arrays is charged to their stores.
    bool WrittenBack =
        Role == CacheRole::Private && K.Accesses[A].Kind == AccessKind::Store;
    if (Role == CacheRole::Store || Role == CacheRole::Atomic || WrittenBack)
      Sum.Stored += ToL2;
    if (Role != CacheRole::Store && !WrittenBack)
      Sum.Loaded += ToL2;
  }
  TrafficShares Out = shares(Sum, T.DramWriteBytes / 32);
  Out.Sectors = Sectors;
  Out.BankPasses = Passes;
  return Out;
}

std::vector<Comparison> compare(const KernelModel &Kernel, const Shape &S,
                                llvm::ArrayRef<OracleMachine> Machines) {
  LaunchTrace Trace(Kernel, S.L, S.Values, Machines.front().Gpu,
                    [&](double Element) { return indexAt(Element, S.Range); });
  std::vector<Comparison> Out;
  for (const OracleMachine &M : Machines)
    Out.push_back({estimated(Kernel, S, M), simulated(Kernel, S, Trace, M)});
  return Out;
}

llvm::StringMap<KernelModel> oracleKernels() {
  llvm::StringMap<KernelModel> Out;
  std::set<std::string> Files;
  for (const KernelCases &C : oracleCases())
    Files.insert(C.File);
  for (const std::string &File : Files) {
    ParseRequest Request;
    Request.File =
        std::string(GPU_ESTIMATE_SOURCE_DIR) + "/test/oracle/kernels/" + File;
    Request.NoCudaSdk = true;
    std::string Diagnostics;
    auto Unit = parse(Request, Diagnostics);
    if (!Unit) {
      llvm::errs() << llvm::toString(Unit.takeError()) << Diagnostics;
      continue;
    }
    prepareForAnalysis(*Unit->Module);
    for (const KernelSource &K : Unit->Kernels)
      if (auto Model = lowerKernel(*Unit->Module->getFunction(K.Mangled), K))
        Out[K.Mangled] = std::move(*Model);
      else
        llvm::errs() << llvm::toString(Model.takeError()) << "\n";
  }
  return Out;
}

} // namespace gpuestimate::test
