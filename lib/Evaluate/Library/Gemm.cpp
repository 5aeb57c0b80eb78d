#include "gpu-estimate/Evaluate/Launch/Bounds.h"
#include "gpu-estimate/Evaluate/Launch/Occupancy.h"
#include "gpu-estimate/Evaluate/Library/LibraryKernels.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>

using namespace llvm;

namespace gpuestimate {

namespace {

/// A tile of C, in elements.
struct Tile {
  unsigned M, N;
  unsigned elements() const { return M * N; }
};

/// "Matrix Multiplication Background User's Guide", section 2.3.
constexpr Tile TensorTiles[] = {{256, 128}, {128, 256}, {128, 128}, {256, 64},
                                {64, 256},  {128, 64},  {64, 128},  {64, 64}};
/// cublasLtMatmulTile_t has these, too; the kernels of cuBLAS without tensor
/// cores are named after them ("sgemm_128x64_nn").
constexpr Tile ScalarTiles[] = {{128, 128}, {128, 64}, {64, 128},
                                {64, 64},   {128, 32}, {32, 128},
                                {64, 32},   {32, 64},  {32, 32}};
constexpr unsigned Splits[] = {1, 2, 3, 4, 6, 8, 12, 16, 32};

/// The unit that multiplies and adds.
struct Unit {
  double MacsPerCycle = 0; ///< of one multiprocessor
  bool IsTensor = false;
  unsigned OperandBytes = 0, SumBytes = 0; ///< of an element
  double Macs = 1;               ///< real multiply-adds for one of the elements
  double MacsPerInstruction = 1; ///< of a thread; 2 for pairs of halves
  Resource Limit = Resource::Tensor;
};

/// Bytes of a warp's access of 16 bytes a lane.
constexpr double VectorAccessBytes = 16 * 32;

/// How the kernel works on one tile. Cycles are those of a multiprocessor.
struct TilePlan {
  Tile Of = {};
  unsigned Split = 1;
  double Steps = 0, Blocks = 0, BlocksOfSm = 0, Resident = 0;
  double StepCycles = 0;
  Resource StepLimit = Resource::Tensor;
  double EndsCycles = 0; ///< fill of the pipeline, and the store of the tile
  double SmCycles = 0;   ///< of the multiprocessor with most blocks
  double DramSeconds = 0, ReductionSeconds = 0;
};

class GemmModel {
public:
  /// Fixed: null for a library, which chooses.
  GemmModel(const GpuModel &Gpu, const GemmProblem &P, const Unit &U,
            const ProductTiling *Fixed = nullptr)
      : Gpu(Gpu), P(P), U(U), Fixed(Fixed),
        Major(std::atoi(Gpu.ComputeCapability.c_str())),
        HasWarpgroups(U.IsTensor && Major == FirstWithWarpgroups &&
                      (!Fixed || (Fixed->Warps % 4 == 0 && Fixed->M >= 64))) {}

  LibraryKernelTime best() const;
  std::optional<TilePlan> fixedPlan() const {
    return plan({Fixed->M, Fixed->N}, Fixed->Split);
  }
  LibraryKernelTime timeOf(const TilePlan &Plan) const;

private:
  static constexpr int FirstWithAsyncCopies = 8, FirstWithWarpgroups = 9;

  std::optional<TilePlan> plan(Tile T, unsigned Split) const;
  unsigned warps(Tile T) const;
  double resident(Tile T, double StepK, unsigned Stages) const;
  void setStep(TilePlan &Plan, double StepK) const;
  double l2BytesPerCycle(const TilePlan &Plan) const;
  double dramSeconds(const TilePlan &Plan) const;
  Seconds time(const TilePlan &Plan) const;
  /// A launch before has left the operands in L2.
  bool fitsL2() const { return footprint() <= Gpu.L2.Size.value(); }
  double operandBytes() const {
    double A = P.DistinctA > 0 ? P.DistinctA : P.M * P.K;
    double B = P.DistinctB > 0 ? P.DistinctB : P.K * P.N;
    return P.Batch * (A + B) * U.OperandBytes;
  }
  double resultBytes() const { return P.Batch * P.M * P.N * P.ResultBytes; }
  double footprint() const { return operandBytes() + resultBytes(); }

  const GpuModel &Gpu;
  const GemmProblem &P;
  const Unit &U;
  const ProductTiling *Fixed;
  int Major;
  /// Warpgroups multiply out of shared memory (wgmma), one warp copies (TMA).
  bool HasWarpgroups;
};

} // namespace

/// Warps that multiply. CUTLASS's default tiles of a warp are 64 x 64 on tensor
/// cores, 32 x 64 without and 32 x 32 in double precision; on compute
/// capability 9 a warpgroup of four warps has 64 rows, and at most two of them
/// share a tile.
unsigned GemmModel::warps(Tile T) const {
  if (Fixed)
    return Fixed->Warps;
  if (HasWarpgroups)
    return 4 * std::min(2u, T.M / 64);
  unsigned OfWarp = U.OperandBytes >= 8 ? 32 * 32 : (U.IsTensor ? 64 : 32) * 64;
  return std::max(1u, T.elements() / OfWarp);
}

/// Blocks of a multiprocessor by the registers for sums and operands, and by
/// the shared memory for all stages; 0 if not even one fits.
double GemmModel::resident(Tile T, double StepK, unsigned Stages) const {
  constexpr double OtherRegisters = 32; // addresses, counters, one operand
  double Threads = warps(T) * 32;
  Resources Res;
  Res.RegistersSource = "library";
  Res.RegistersPerThread = static_cast<unsigned>(
      T.elements() * (U.SumBytes / 4) / Threads + OtherRegisters);
  if (Res.RegistersPerThread > Gpu.MaxRegistersPerThread)
    return 0;
  Launch L;
  L.Grid = {uint64_t(Gpu.SmCount) * Gpu.MaxBlocksPerSm, 1, 1};
  // A warpgroup of the library's does nothing but copy.
  L.Block = {uint64_t(Threads) + (HasWarpgroups && !Fixed ? 128 : 0), 1, 1};
  L.DynamicSharedBytes =
      uint64_t((T.M + T.N) * StepK * U.OperandBytes * Stages);
  Expected<Occupancy> O = computeOccupancy(Gpu, Res, L);
  if (!O) {
    consumeError(O.takeError());
    return 0;
  }
  return O->BlocksPerSm;
}

/// Bytes of L2 that one multiprocessor gets per cycle.
double GemmModel::l2BytesPerCycle(const TilePlan &Plan) const {
  double Users = std::min<double>(Gpu.SmCount, Plan.Blocks);
  return Gpu.L2Bandwidth.value() / Gpu.CoreClock.value() / Users;
}

/// Cycles for which one step of one block holds each resource.
void GemmModel::setStep(TilePlan &Plan, double StepK) const {
  Tile T = Plan.Of;
  double Element = U.OperandBytes;
  double Warps = warps(T), WarpSide = std::sqrt(T.elements() / Warps);
  double Loaded = (T.M + T.N) * StepK * Element; // into shared memory
  // A warpgroup reads its 64 rows, and each reads all columns; other warps read
  // the rows and columns of their own tile.
  double Shared =
      HasWarpgroups ? (T.M + T.N * std::max(1.0, T.M / 64.0)) * StepK * Element
                    : Loaded + Warps * 2 * WarpSide * StepK * Element;
  // Two blocks of a cluster share the tile of the longer side (multicast).
  double FromL2 =
      HasWarpgroups && Plan.Blocks > 1 && !Fixed
          ? (std::min(T.M, T.N) + std::max(T.M, T.N) / 2.0) * StepK * Element
          : Loaded;
  auto Limit = [&](double Cycles, Resource R) {
    if (Cycles > Plan.StepCycles) {
      Plan.StepCycles = Cycles;
      Plan.StepLimit = R;
    }
  };
  double Macs = T.elements() * StepK * U.Macs;
  Limit(Macs / U.MacsPerCycle, U.Limit);
  Limit(Shared / Gpu.SharedBandwidth.value(), Resource::SharedBandwidth);
  Limit(FromL2 / l2BytesPerCycle(Plan), Resource::L2Bandwidth);
  if (!U.IsTensor) {
    // Multiply-adds; loads of 16 bytes a lane from shared memory, of the square
    // of C that a thread has; and copies to shared memory, two instructions
    // each. Eight more advance addresses and the loop.
    double ThreadSide = std::sqrt(T.elements() / (Warps * 32));
    double Instructions =
        Macs / 32 / U.MacsPerInstruction +
        Warps * 32 * 2 * ThreadSide * StepK * Element / VectorAccessBytes +
        2 * Loaded / VectorAccessBytes + 8 * Warps;
    Limit(Instructions / (Gpu.SchedulersPerSm * Gpu.IssueRate),
          Resource::Issue);
  }
}

/// Where operands and result do not fit L2, each block of tiles that are
/// resident at once reads its rows and columns again: 2 M N K / side elements,
/// side^2 elements of C being resident. Of a convolution those are elements of
/// patches, which share their pixels.
double GemmModel::dramSeconds(const TilePlan &Plan) const {
  if (fitsL2())
    return 0;
  double Resident = std::min(Plan.Blocks, Gpu.SmCount * Plan.Resident);
  double Side = std::sqrt(Resident * Plan.Of.elements());
  double Shared =
      operandBytes() / (P.Batch * (P.M * P.K + P.K * P.N) * U.OperandBytes);
  double Read = std::max(operandBytes(), Shared * 2 * P.Batch * P.M * P.N *
                                             P.K * U.OperandBytes / Side);
  double All = Read + resultBytes();
  return (Bytes(All) / dramBandwidthOfLines(Gpu, resultBytes() / All)).value();
}

std::optional<TilePlan> GemmModel::plan(Tile T, unsigned Split) const {
  // Bytes of a row of a step: 16 and 32 elements in CUTLASS's defaults.
  double StepBytes = HasWarpgroups ? 128 : U.IsTensor ? 64 : 32;
  double StepK = std::max(1.0, StepBytes / U.OperandBytes);
  if (Fixed)
    StepK = Fixed->K;
  constexpr unsigned LeastStepsOfPart = 8;
  if (!Fixed && Split > 1 && P.K / Split < LeastStepsOfPart * StepK)
    return std::nullopt;
  unsigned Stages = Major >= FirstWithAsyncCopies ? 4 : 2;
  if (Fixed)
    Stages = std::max(1u, Fixed->Stages);
  TilePlan Plan;
  Plan.Of = T;
  Plan.Split = Split;
  while (!(Plan.Resident = resident(T, StepK, Stages)))
    if (Fixed || --Stages < 2)
      return std::nullopt;
  Plan.Steps = std::ceil(P.K / Split / StepK);
  Plan.Blocks = std::ceil(P.M / T.M) * std::ceil(P.N / T.N) * P.Batch * Split;
  Plan.BlocksOfSm = std::ceil(Plan.Blocks / Gpu.SmCount);
  Plan.Resident = std::min(Plan.Resident, Plan.BlocksOfSm);
  setStep(Plan, StepK);

  double Latency = fitsL2() ? Gpu.L2.Latency.value() : Gpu.DramLatency.value();
  // With one stage the copy of a step begins when the step before is done.
  double Copy = Latency / std::max(1u, Stages - 1);
  // Each warp has the pipes of one processing block.
  double IdleBlocks = std::max(1.0, double(Gpu.SchedulersPerSm) / warps(T));
  double Alone = Stages > 1 ? std::max(Plan.StepCycles * IdleBlocks, Copy)
                            : Plan.StepCycles * IdleBlocks + Latency;
  if (!HasWarpgroups)
    Alone += Gpu.BarrierLatency.value() + Gpu.SharedLatency.value();
  double Stored = T.elements() * (Split > 1 ? U.SumBytes : P.ResultBytes);
  double StoreRate = Gpu.L2WriteBandwidth.value() / Gpu.CoreClock.value() /
                     std::min<double>(Gpu.SmCount, Plan.Blocks);
  Plan.EndsCycles = Gpu.BlockStart.value() + Latency + Gpu.L2.Latency.value() +
                    Stored / StoreRate;
  // The copies start with a descriptor that is in memory.
  if (HasWarpgroups)
    Plan.EndsCycles += Latency;
  // Blocks side by side hide each other's ends.
  bool HidesEnds = Plan.Resident > 1 || HasWarpgroups;
  double Steady = Plan.BlocksOfSm * Plan.Steps * Plan.StepCycles +
                  Plan.EndsCycles * (HidesEnds ? 1 : Plan.BlocksOfSm);
  double Rounds = std::ceil(Plan.BlocksOfSm / std::max(1.0, Plan.Resident));
  Plan.SmCycles =
      std::max(Steady, Rounds * (Plan.Steps * Alone + Plan.EndsCycles));
  Plan.DramSeconds = dramSeconds(Plan);
  if (Split > 1) {
    // Another kernel adds the parts, which are in L2.
    Bytes Parts(P.Batch * P.M * P.N * U.SumBytes * Split);
    Plan.ReductionSeconds = (Gpu.LaunchLatency + Parts / Gpu.L2WriteBandwidth +
                             Parts / Gpu.L2Bandwidth)
                                .value();
  }
  return Plan;
}

Seconds GemmModel::time(const TilePlan &Plan) const {
  double Execution =
      std::max(Plan.SmCycles / Gpu.CoreClock.value(), Plan.DramSeconds);
  return Gpu.LaunchLatency + Seconds(Execution + Plan.ReductionSeconds);
}

LibraryKernelTime GemmModel::best() const {
  std::optional<TilePlan> Best;
  for (Tile T : U.IsTensor ? ArrayRef(TensorTiles) : ArrayRef(ScalarTiles))
    for (unsigned Split : Splits)
      if (std::optional<TilePlan> Plan = plan(T, Split))
        if (!Best || time(*Plan) < time(*Best))
          Best = Plan;
  if (Best && Best->Blocks > 0)
    return timeOf(*Best);
  LibraryKernelTime Result; // nothing to do, or a GPU like no other
  Result.Time = Gpu.LaunchLatency;
  Result.Breakdown = {{Term::Launch, 1}};
  return Result;
}

LibraryKernelTime GemmModel::timeOf(const TilePlan &Plan) const {
  const TilePlan *Best = &Plan;
  LibraryKernelTime Result;
  Result.Time = time(Plan);
  double All = Result.Time.value(), Clock = Gpu.CoreClock.value();
  double Computing = Best->SmCycles / Clock;
  bool IsDramBound = Best->DramSeconds > Computing;
  Result.Bound = IsDramBound ? Resource::DramBandwidth : Best->StepLimit;
  double Balanced =
      Best->Blocks / Gpu.SmCount * Best->Steps * Best->StepCycles / Clock;
  auto Add = [&](Term T, double Seconds) {
    if (Seconds > 0)
      Result.Breakdown.push_back({T, Seconds / All});
  };
  if (IsDramBound) {
    Add(Term::Dram, Best->DramSeconds);
  } else {
    Term Steady = Best->StepLimit == Resource::SharedBandwidth ? Term::Shared
                  : Best->StepLimit == Resource::L2Bandwidth   ? Term::L2
                  : Best->StepLimit == Resource::Issue         ? Term::Issue
                  : Best->StepLimit == Resource::RegisterRead  ? Term::Registers
                                                               : Term::Pipes;
    double Ends = std::min(Best->EndsCycles / Clock, Computing);
    Balanced = std::min(Balanced, Computing - Ends);
    Add(Steady, Balanced);
    Add(Term::Dram, Ends);
    Add(Term::Tail, Computing - Ends - Balanced);
  }
  Add(Term::L2, Best->ReductionSeconds);
  Add(Term::Launch, Gpu.LaunchLatency.value());
  double Covered = std::min(1.0, Best->Blocks / Gpu.SmCount);
  double Waves = Best->Blocks / (Best->Resident * Gpu.SmCount);
  Result.Share =
      std::min(1.0, std::max({Waves, Covered * std::min(1.0, Balanced / All),
                              Best->DramSeconds / All}));
  Result.Shape = formatv("tiles of {0}x{1} in {2} blocks", Best->Of.M,
                         Best->Of.N, uint64_t(Best->Blocks))
                     .str();
  if (Best->Split > 1)
    Result.Shape += ", sums split in " + std::to_string(Best->Split);
  return Result;
}

/// Without tensor cores. Since Volta two ports read the registers of a
/// processing block: three operands are 1.5 cycles of a warp where the banks
/// are used alike (OperandReads.h), so that 32 lanes a cycle are not reached.
static Unit scalarUnit(const GpuModel &Gpu, OpClass Class, unsigned Bytes,
                       double PerInstruction = 1) {
  constexpr int FirstWithTwoPorts = 7;
  constexpr double Ports = 2, Operands = 3;
  Unit U;
  U.OperandBytes = Bytes;
  U.SumBytes = std::max(4u, Bytes);
  U.MacsPerInstruction = PerInstruction;
  U.MacsPerCycle = Gpu.cost(Class).Throughput * PerInstruction;
  U.Limit = Bytes == 8                         ? Resource::Fp64
            : Bytes == 2 && PerInstruction > 1 ? Resource::Fp16
                                               : Resource::Fp32;
  double Words = Operands * std::max(1.0, Bytes / 4.0);
  double ByPorts =
      Gpu.SchedulersPerSm * Gpu.WarpSize * Ports / Words * PerInstruction;
  if (std::atoi(Gpu.ComputeCapability.c_str()) >= FirstWithTwoPorts &&
      ByPorts < U.MacsPerCycle) {
    U.MacsPerCycle = ByPorts;
    U.Limit = Resource::RegisterRead;
  }
  return U;
}

static Unit tensorUnit(const GpuModel &Gpu, OpClass Class, unsigned Bytes) {
  Unit U;
  U.OperandBytes = Bytes;
  U.SumBytes = std::max(4u, Bytes);
  U.MacsPerCycle = Gpu.cost(Class).Throughput;
  U.IsTensor = true;
  return U;
}

static Unit unitFor(const GpuModel &Gpu, GemmType Type) {
  auto Faster = [](const Unit &A, const Unit &B) {
    return A.MacsPerCycle > B.MacsPerCycle ? A : B;
  };
  switch (Type) {
  case GemmType::Half:
    return Faster(tensorUnit(Gpu, OpClass::TensorFp16, 2),
                  Faster(scalarUnit(Gpu, OpClass::Fp32Fma, 2),
                         scalarUnit(Gpu, OpClass::Fp16Fma, 2, 2)));
  case GemmType::Tf32:
    return Faster(tensorUnit(Gpu, OpClass::TensorTf32, 4),
                  scalarUnit(Gpu, OpClass::Fp32Fma, 4));
  case GemmType::Single:
    return scalarUnit(Gpu, OpClass::Fp32Fma, 4);
  case GemmType::Double:
    return Faster(tensorUnit(Gpu, OpClass::TensorFp64, 8),
                  scalarUnit(Gpu, OpClass::Fp64Fma, 8));
  case GemmType::Int8:
    return tensorUnit(Gpu, OpClass::TensorInt8, 1);
  }
  llvm_unreachable("all types have a unit");
}

/// The unit of a problem; the error names what the GPU has not.
static Expected<Unit> multiplierFor(const GpuModel &Gpu,
                                    const GemmProblem &Problem) {
  Unit U = unitFor(Gpu, Problem.Type);
  if (U.MacsPerCycle <= 0)
    return createStringError(
        formatv("{0} states no rate of products of this type", Gpu.Name).str());
  if (Problem.Complex) {
    // A complex product is four real ones.
    U.OperandBytes *= 2;
    U.SumBytes *= 2;
    U.Macs = 4;
  }
  return U;
}

Expected<LibraryKernelTime> gemmTime(const GpuModel &Gpu,
                                     const GemmProblem &Problem) {
  Expected<Unit> U = multiplierFor(Gpu, Problem);
  if (!U)
    return U.takeError();
  return GemmModel(Gpu, Problem, *U).best();
}

Expected<LibraryKernelTime> tiledGemmTime(const GpuModel &Gpu,
                                          const GemmProblem &Problem,
                                          const ProductTiling &Tiling) {
  Expected<Unit> U = multiplierFor(Gpu, Problem);
  if (!U)
    return U.takeError();
  GemmModel Model(Gpu, Problem, *U, &Tiling);
  if (std::optional<TilePlan> Plan = Model.fixedPlan())
    return Model.timeOf(*Plan);
  return createStringError(formatv(
      "tiles of {0}x{1}x{2} in {3} stages with {4} warps need more registers "
      "or shared memory than {5} has",
      Tiling.M, Tiling.N, Tiling.K, Tiling.Stages, Tiling.Warps, Gpu.Name));
}

} // namespace gpuestimate
