#include "gpu-estimate/Evaluate/Launch/Occupancy.h"
#include "Evaluate/Launch/FittingResources.h"
#include "gpu-estimate/Evaluate/Launch/OccupancyLimits.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuestimate {

static constexpr OccupancyLimitInfo LimitTable[] = {
    {"threads", "warps that a multiprocessor can hold"},
    {"blocks", "blocks that a multiprocessor can hold"},
    {"registers", "registers of a multiprocessor"},
    {"shared", "shared memory of a multiprocessor"},
    {"grid", "blocks of the launch for each multiprocessor"},
};

ArrayRef<OccupancyLimitInfo> occupancyLimitTable() { return LimitTable; }

static Error refuse(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(), Message);
}

static Error checkShape(const GpuModel &Gpu, const Launch &L) {
  static constexpr char Axis[] = {'x', 'y', 'z'};
  for (unsigned D = 0; D < 3; ++D) {
    if (L.Grid[D] == 0 || L.Block[D] == 0)
      return refuse(formatv("the launch is empty: {0} dimension {1} is 0",
                            L.Grid[D] == 0 ? "grid" : "block", Axis[D])
                        .str());
    if (L.Block[D] > Gpu.MaxBlock[D])
      return refuse(
          formatv("block dimension {0} is {1}, but {2} allows at most {3}",
                  Axis[D], L.Block[D], Gpu.Name, Gpu.MaxBlock[D])
              .str());
    if (L.Grid[D] > Gpu.MaxGrid[D])
      return refuse(
          formatv("grid dimension {0} is {1}, but {2} allows at most {3}",
                  Axis[D], L.Grid[D], Gpu.Name, Gpu.MaxGrid[D])
              .str());
  }
  if (L.threadsPerBlock() > Gpu.MaxThreadsPerBlock)
    return refuse(
        formatv("a block of {0} threads is impossible: {1} allows at most {2}",
                L.threadsPerBlock(), Gpu.Name, Gpu.MaxThreadsPerBlock)
            .str());
  return Error::success();
}

/// Threads of the largest block that the compiler must make the kernel fit for;
/// 0 if none. HIP code without launch bounds is compiled for the largest block
/// of the GPU (clang's amdgpu-flat-work-group-size of 1 to 1024).
static unsigned boundOfBlock(const GpuModel &Gpu, const Resources &Res) {
  return !Res.MaxThreadsPerBlock && Gpu.Vendor == "AMD"
             ? Gpu.MaxThreadsPerBlock
             : Res.MaxThreadsPerBlock;
}

/// Registers of a thread that cost no resident warp, for code that needs Least.
/// ptxas reorders for as many warps as the machine can hold, and not beyond: 64
/// registers on compute capability 7.5, 40 on 8.6, 8.9 and 12.0, 32 on 8.0, 9.0
/// and 10.0. Code that needs more gets all that its number of warps leaves: 48,
/// 56, 64, 72, 80, 96, 128 or 168 (CUDA 13;
/// test/lit/Cli/ptxas-register-target.cu).
static unsigned registerTarget(const GpuModel &Gpu, unsigned Least) {
  if (Least == 0 || Gpu.WarpSize == 0)
    return Least;
  uint64_t Warps =
      std::min<uint64_t>(Gpu.MaxWarpsPerSm, blocksByRegisters(Gpu, Least, 1));
  if (Warps == 0)
    return Least;
  uint64_t PerWarp = alignDown(Gpu.RegistersPerSm / Warps,
                               std::max(1u, Gpu.RegisterAllocationUnit));
  return PerWarp / Gpu.WarpSize;
}

unsigned registersOn(const GpuModel &Gpu, const Resources &Res) {
  if (Res.RegistersSource != "estimate")
    return Res.RegistersPerThread;
  unsigned MaxRegisters = std::max(1u, Gpu.MaxRegistersPerThread);
  if (unsigned Bound = boundOfBlock(Gpu, Res)) {
    uint64_t OfBlock = alignTo(Bound, Gpu.WarpSize);
    // ptxas ignores a number of blocks that the machine cannot hold.
    uint64_t Held =
        std::min<uint64_t>(Gpu.MaxBlocksPerSm, uint64_t(Gpu.MaxWarpsPerSm) *
                                                   Gpu.WarpSize / OfBlock);
    uint64_t Promised = std::max(1u, Res.MinBlocksPerSm);
    uint64_t Threads = OfBlock * (Promised <= Held ? Promised : 1);
    // As many as keep the promised blocks resident, in whole units of a warp.
    uint64_t Unit =
        std::max(1u, Gpu.RegisterAllocationUnit / std::max(1u, Gpu.WarpSize));
    uint64_t Fit = alignDown(Gpu.RegistersPerSm / Threads, Unit);
    MaxRegisters =
        std::min<uint64_t>(MaxRegisters, std::max<uint64_t>(Fit, Unit));
  }
  return std::min({Res.RegistersPerThread, MaxRegisters,
                   registerTarget(Gpu, Res.leastRegisters())});
}

Expected<Occupancy> computeOccupancy(const GpuModel &Gpu,
                                     const Resources &Given, const Launch &L) {
  if (Error E = checkShape(Gpu, L))
    return E;
  Resources Res = fittingResources(Gpu, Given, L);
  if (Res.MaxThreadsPerBlock && L.threadsPerBlock() > Res.MaxThreadsPerBlock)
    return refuse(
        formatv("a block of {0} threads contradicts __launch_bounds__({1})",
                L.threadsPerBlock(), Res.MaxThreadsPerBlock)
            .str());
  double Shared = double(Res.StaticSharedBytes) + double(L.DynamicSharedBytes);
  if (Shared > Gpu.SharedPerBlockMax.value())
    return refuse(formatv("a block needs {0} bytes of shared memory, but {1} "
                          "gives at most {2}",
                          uint64_t(Shared), Gpu.Name,
                          uint64_t(Gpu.SharedPerBlockMax.value()))
                      .str());

  uint64_t Warps = divideCeil(L.threadsPerBlock(), Gpu.WarpSize);
  struct Limit {
    OccupancyLimit Kind;
    uint64_t Blocks;
  };
  std::vector<Limit> Limits = {
      {OccupancyLimit::Threads, Gpu.MaxWarpsPerSm / Warps},
      {OccupancyLimit::Blocks, Gpu.MaxBlocksPerSm}};

  unsigned Registers = registersOn(Gpu, Res);
  if (Registers)
    Limits.push_back(
        {OccupancyLimit::Registers, blocksByRegisters(Gpu, Registers, Warps)});
  double Unit = std::max(1.0, Gpu.SharedAllocationUnit.value());
  double PerBlock =
      std::ceil((Shared + Gpu.SharedReservedPerBlock.value()) / Unit) * Unit;
  if (PerBlock > 0 && Shared > 0)
    Limits.push_back(
        {OccupancyLimit::Shared, uint64_t(Gpu.SharedPerSm.value() / PerBlock)});

  const Limit *Least = &Limits.front();
  for (const Limit &Candidate : Limits)
    if (Candidate.Blocks < Least->Blocks)
      Least = &Candidate;
  if (Least->Blocks == 0)
    return refuse(formatv("no block fits a multiprocessor of {0}: {1} threads "
                          "of {2} registers "
                          "and {3} bytes of shared memory exceed its {4}",
                          Gpu.Name, L.threadsPerBlock(), Registers,
                          uint64_t(Shared), name(Least->Kind))
                      .str());

  Occupancy O;
  O.LimitedBy = name(Least->Kind).str();
  uint64_t ByGrid = divideCeil(L.blocks(), uint64_t(Gpu.SmCount));
  uint64_t Resident = Least->Blocks;
  if (ByGrid < Resident) {
    Resident = ByGrid;
    O.LimitedBy = name(OccupancyLimit::Grid).str();
  }
  O.BlocksPerSm = Resident;
  O.WarpsPerSm = Resident * Warps;
  O.Fraction = double(O.WarpsPerSm) / Gpu.MaxWarpsPerSm;
  O.Waves = double(L.blocks()) / (double(Least->Blocks) * Gpu.SmCount);
  return O;
}

double smsInUse(const GpuModel &Gpu, const Launch &L) {
  return std::min<double>(Gpu.SmCount, L.blocks());
}

} // namespace gpuestimate
