/// \file
/// Resources of a thread: registers and their spills, private arrays in memory,
/// and the occupancy that they allow.
#include "Advisor.h"

#include "gpu-estimate/Advice/AccessGroups.h"
#include "gpu-estimate/Evaluate/Launch/Occupancy.h"
#include "gpu-estimate/Evaluate/Launch/Spills.h"
#include "gpu-estimate/Model/Transform/PrivateArrays.h"
#include "gpu-estimate/Support/Format.h"
#include "gpu-estimate/Support/Numbers.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

static constexpr double LowOccupancy = 0.5;
namespace {
/// A change that lets more blocks be resident on a multiprocessor, and its
/// effect.
struct MoreBlocks {
  std::string Remedy;
  std::optional<Prediction> Result;
};
} // namespace

/// Fewer registers: the largest number with which another block fits.
static MoreBlocks fewerRegisters(const Advisor &A) {
  for (unsigned Registers = (A.Base.RegistersPerThread - 1) / 8 * 8;
       Registers >= 16; Registers -= 8) {
    Resources Fewer = A.Kernel.Res;
    Fewer.RegistersPerThread = Registers;
    Expected<Occupancy> Occ = computeOccupancy(A.Gpu, Fewer, A.L);
    if (!Occ) {
      consumeError(Occ.takeError());
      continue;
    }
    if (Occ->BlocksPerSm <= A.Base.Occ.BlocksPerSm)
      continue;
    KernelModel Changed = A.Kernel;
    Changed.Res = Fewer;
    std::optional<Prediction> Result = A.tryOut(Changed);
    if (!Result)
      continue;
    return {"at most " + std::to_string(Registers) +
                " registers per thread let " +
                std::to_string(Result->Occ.BlocksPerSm) +
                " blocks share a multiprocessor, if they suffice without "
                "spills (__launch_bounds__)",
            std::move(Result)};
  }
  return {};
}

/// Less shared memory: the largest size with which another block fits.
static MoreBlocks lessShared(const Advisor &A) {
  double Unit = std::max(1.0, A.Gpu.SharedAllocationUnit.value());
  double Room = A.Gpu.SharedPerSm.value() / (A.Base.Occ.BlocksPerSm + 1);
  double MaxBytes =
      std::floor(Room / Unit) * Unit - A.Gpu.SharedReservedPerBlock.value();
  if (MaxBytes <= 0)
    return {};
  KernelModel Changed = A.Kernel;
  Launch Less = A.L;
  uint64_t Excess = A.Base.SharedBytesPerBlock - uint64_t(MaxBytes);
  uint64_t OfStatic = std::min(Excess, Changed.Res.StaticSharedBytes);
  Changed.Res.StaticSharedBytes -= OfStatic;
  Less.DynamicSharedBytes -= Excess - OfStatic;
  std::optional<Prediction> Result = A.tryOut(Changed, Less);
  if (!Result || Result->Occ.BlocksPerSm <= A.Base.Occ.BlocksPerSm)
    return {};
  return {"at most " + formatNumber(MaxBytes) +
              " bytes of shared memory per block let " +
              std::to_string(Result->Occ.BlocksPerSm) +
              " blocks share a multiprocessor",
          std::move(Result)};
}

void findLowOccupancy(Advisor &A) {
  const Occupancy &O = A.Base.Occ;
  MoreBlocks More;
  std::string Cause;
  if (O.LimitedBy == "registers") {
    More = fewerRegisters(A);
    Cause = std::to_string(A.Base.RegistersPerThread) + " registers per thread";
  } else if (O.LimitedBy == "shared") {
    More = lessShared(A);
    Cause = std::to_string(A.Base.SharedBytesPerBlock) +
            " bytes of shared memory per block";
  } else if (O.LimitedBy == "blocks") {
    Cause = std::to_string(A.L.threadsPerBlock()) + " threads per block, " +
            std::to_string(A.Gpu.MaxBlocksPerSm) +
            " blocks at most on a multiprocessor";
  } else {
    return;
  }
  std::optional<double> Gain = A.gain(More.Result);
  if (O.Fraction >= LowOccupancy && Gain.value_or(0) < MinimumGain)
    return;
  A.add({"occupancy", O.LimitedBy, A.Kernel.Location,
         "'" + A.Base.Name + "' fills " + formatPercent(O.Fraction) +
             " of a multiprocessor's warps, limited by " + O.LimitedBy + " (" +
             Cause + ")",
         More.Remedy, Gain});
}

void findSpills(Advisor &A) {
  const Resources &Res = A.Kernel.Res;
  unsigned Spilled = spilledRegisters(A.Gpu, Res).Slots;
  if (Spilled == 0)
    return;
  unsigned Allowed = registersOn(A.Gpu, Res), Needed = Allowed + Spilled;
  // As many registers as the launch allows.
  Resources Relaxed = Res;
  Relaxed.RegistersSource = "estimate";
  Relaxed.RegistersPerThread = Needed;
  Relaxed.MaxThreadsPerBlock = A.L.threadsPerBlock();
  Relaxed.MinBlocksPerSm = 1;
  unsigned Best = registersOn(A.Gpu, Relaxed);
  bool ByBounds = Res.MaxThreadsPerBlock && Best > Allowed;

  KernelModel Changed = A.Kernel;
  if (ByBounds) {
    Changed.Res = Relaxed;
  } else {
    Changed.Res.RegistersPerThread = Allowed;
    Changed.Res.Spills = {};
  }
  std::optional<Prediction> Result = A.tryOut(Changed);
  std::string Bounds =
      std::to_string(Res.MaxThreadsPerBlock) +
      (Res.MinBlocksPerSm ? ", " + std::to_string(Res.MinBlocksPerSm) : "");
  A.add({"spill", "spill", A.Kernel.Location,
         "'" + A.Base.Name + "' needs " +
             (Res.RegistersSource == "estimate" ? "about " : "") +
             std::to_string(Needed) + " registers per thread and has " +
             std::to_string(Allowed) + ": " + std::to_string(Needed - Allowed) +
             " are spilled to local memory" +
             (ByBounds ? ", because of __launch_bounds__(" + Bounds + ")" : ""),
         ByBounds
             ? "__launch_bounds__(" + std::to_string(A.L.threadsPerBlock()) +
                   ") leaves " + std::to_string(Best) + " registers per thread"
             : "split the kernel or shorten the lives of its values; the "
               "gain is that of no spills",
         A.gain(Result), A.energyGain(Result)});
}

/// What keeps Array in registers, where L (may be null) is the loop over it.
static std::string registerRemedy(const std::string &Array, uint64_t Bytes,
                                  const Loop *L) {
  constexpr uint64_t MostRegisters = 255; // of a thread, of 4 bytes
  if (!L)
    return "index " + Array +
           " with constants only (unroll the loops around it), so that it "
           "stays in registers";
  if (Bytes > MostRegisters * 4)
    return "give each thread a smaller part of " + Array + ": its " +
           formatCount(Bytes) + " bytes are more than a thread's registers";
  std::optional<double> Trips = L->TripCount.asConstant();
  return (Trips ? "'#pragma unroll' at the loop at " + L->Location.brief() +
                      " (" + formatCount(*Trips) + " iterations)"
                : "a constant bound of the loop at " + L->Location.brief() +
                      " with '#pragma unroll', or '#pragma unroll N' where the "
                      "index repeats after N iterations,") +
         " makes every index of " + Array +
         " a constant, so that it stays in registers";
}

void findLocalArrays(Advisor &A) {
  auto Sectors = [](const AccessReport &R) { return R.SectorsPerRequest; };
  std::vector<std::string> Seen;
  for (const AccessSite &Site : A.sites("local", Sectors, Sectors)) {
    const AccessReport &R = Site.Report;
    if (is_contained(Seen, R.Base))
      continue;
    Seen.push_back(R.Base);
    double Requests = 0;
    for (const AccessReport &Other : A.Base.Accesses)
      if (Other.Space == "local" && Other.Base == R.Base)
        Requests += Other.Requests;
    const Loop *L = loopOverArray(A.Kernel, R.Base);
    std::string Array = R.Base.empty() ? "a private array" : "'" + R.Base + "'";
    Finding F{"local-array",
              "local-array",
              L ? L->Location : R.Location,
              Array + " lives in local memory, because " +
                  (!L ? "its index is not a constant"
                   : L->TripCount.asConstant()
                       ? "this loop over it is not laid out"
                       : "this loop over it has no constant trip count") +
                  ": " + formatCount(Requests) + " requests",
              "",
              std::nullopt};
    if (Seen.size() <= Advisor::MaxTried) {
      uint64_t Bytes = 0;
      for (const MemoryAccess &Access : A.Kernel.Accesses)
        if (Access.Space == MemorySpace::Local && Access.Base == R.Base)
          Bytes = std::max(Bytes, Access.BaseBytes.value_or(0));
      F.Remedy = registerRemedy(Array, Bytes, L);
      A.setGains(F, A.tryOut(withArrayInRegisters(A.Kernel, R.Base)));
    }
    A.add(std::move(F));
  }
}

} // namespace gpuestimate
