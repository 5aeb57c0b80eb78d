/// \file
/// Other mappings of the work to threads: exchanged coordinates, more work per
/// thread, other block shapes, fused kernels.
#include "Advisor.h"

#include "gpu-estimate/Model/Transform/Coarsening.h"
#include "gpu-estimate/Model/Transform/Fusion.h"
#include "gpu-estimate/Support/Format.h"
#include "gpu-estimate/Support/Numbers.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

static const char *const Dimensions[] = {"x", "y", "z"};

/// Largest number of accesses of a coarsened kernel that is evaluated:
/// coarsening a body of hundreds of loads is not practical, and its evaluation
/// would take seconds.
static constexpr size_t MostAccesses = 512;

/// "'i'" for a loop of plain C, "threadIdx.y" for a kernel.
static std::string coordinate(const Advisor &A, unsigned Dimension) {
  ArrayRef<ParallelLoop> Loops = A.Kernel.parallelLoops();
  return Dimension < Loops.size()
             ? "'" + Loops[Dimension].Counter + "'"
             : std::string("threadIdx.") + Dimensions[Dimension];
}

static bool isNest(const Advisor &A) { return A.Kernel.Nest.has_value(); }

static void addMapping(Advisor &A, StringRef Id, std::string Problem,
                       std::string Remedy, std::optional<double> Gain) {
  if (Gain && *Gain >= MinimumGain)
    A.add({"mapping", Id.str(), A.Kernel.Location, std::move(Problem),
           std::move(Remedy), Gain});
}

void findInterchange(Advisor &A) {
  bool Flat = A.L.Block[1] * A.L.Grid[1] == 1;
  // CUDA code may depend on constant block sizes.
  if (!isNest(A) && A.L.Block[0] != A.L.Block[1])
    return;
  if (Flat || A.L.Block[2] * A.L.Grid[2] > 1 || cooperates(A.Kernel))
    return;
  // Exchanging coordinates only helps if neighbouring threads are far apart in
  // memory.
  if (none_of(A.Base.Accesses, [](const AccessReport &R) {
        return R.Space == "global" && !R.DataDependent &&
               R.SectorsPerRequest > 2 * R.IdealSectorsPerRequest;
      }))
    return;
  Launch Other = A.L;
  for (unsigned D = 0; D < 2; ++D) {
    uint64_t Extent = A.L.Grid[1 - D] * A.L.Block[1 - D];
    Other.Grid[D] = (Extent + A.L.Block[D] - 1) / A.L.Block[D];
    // Threads beyond the end are idle only if the kernel has a guard.
    if (!isNest(A) && Extent % A.L.Block[D] != 0)
      return;
  }
  std::string Remedy =
      isNest(A) ? "let neighbouring threads run along " + coordinate(A, 1) +
                      ": grid(" + A.Kernel.parallelLoops()[1].Counter + ", " +
                      A.Kernel.parallelLoops()[0].Counter + ")"
                : "exchange the roles of threadIdx.x and threadIdx.y";
  addMapping(A, "interchange",
             "neighbouring threads of '" + A.Base.Name + "' run along " +
                 coordinate(A, 0) + ", which scatters its accesses",
             std::move(Remedy),
             A.gain(A.tryOut(withExchangedXY(A.Kernel), Other)));
}

/// True if the copies of a coarsened thread share loads.
static bool sharesLoads(const Advisor &A, unsigned Dimension) {
  std::string Index = std::string("blockIdx.") + Dimensions[Dimension];
  double All = 0, Shared = 0;
  for (auto [I, Report] : enumerate(A.Base.Accesses)) {
    const MemoryAccess &M = A.Kernel.Accesses[I];
    if (M.Kind != AccessKind::Load || M.Space != MemorySpace::Global)
      continue;
    All += Report.Requests;
    if (M.Address && !M.Address.dependsOn(Index) && !M.DataDependent)
      Shared += Report.Requests;
  }
  // A few shared loads (coefficients) are no reason.
  return Shared >= 0.1 * All && Shared < All;
}

void findCoarsening(Advisor &A) {
  static constexpr unsigned Factors[] = {2, 4, 8};
  if (A.Base.Accesses.size() != A.Kernel.Accesses.size())
    return;
  std::optional<double> Best;
  unsigned Dimension = 0, Factor = 0;
  for (unsigned D = 0; D < 3; ++D) {
    if (!sharesLoads(A, D))
      continue;
    std::optional<double> Before;
    for (unsigned F : Factors) {
      if (A.L.Grid[D] < F || A.Kernel.Accesses.size() * F > MostAccesses ||
          (!isNest(A) && A.L.Grid[D] % F != 0))
        break;
      std::optional<KernelModel> Changed = coarsen(A.Kernel, D, F);
      if (!Changed)
        break;
      Launch Other = A.L;
      Other.Grid[D] = (A.L.Grid[D] + F - 1) / F;
      std::optional<double> Gain = A.gain(A.tryOut(*Changed, Other));
      if (!Gain || (Before && *Gain <= *Before))
        break; // larger factors only have more registers and fewer blocks
      Before = Gain;
      if (!Best || *Gain > *Best + MinimumGain) {
        Best = Gain;
        Dimension = D;
        Factor = F;
      }
    }
  }
  if (!Best)
    return;
  std::string Work = std::to_string(Factor) + " times the work along " +
                     coordinate(A, Dimension);
  addMapping(A, "coarsen",
             "threads of '" + A.Base.Name + "' that differ in " +
                 coordinate(A, Dimension) + " load the same elements",
             "let each thread do " + Work +
                 ", in steps of a block, and load those elements once",
             Best);
}

void findBlockShape(Advisor &A, ArrayRef<LaunchWithArguments> Shapes) {
  std::optional<double> Best;
  const LaunchWithArguments *Chosen = nullptr;
  for (const LaunchWithArguments &Other : Shapes) {
    if (Other.Used.Block == A.L.Block)
      continue;
    std::optional<double> Gain =
        A.gain(A.unchangedTime(Other.Used, Other.Values));
    if (Gain && (!Best || *Gain > *Best + MinimumGain / 2)) {
      Best = Gain;
      Chosen = &Other;
    }
  }
  if (!Chosen)
    return;
  std::string Sizes;
  for (unsigned D = 0; D < std::max<size_t>(A.Kernel.parallelLoops().size(), 1);
       ++D)
    Sizes += (D ? ", " : "") + std::to_string(Chosen->Used.Block[D]);
  addMapping(A, "block-shape",
             "'" + A.Base.Name + "' runs in blocks of " +
                 formatSizes(A.L.Block) + " threads",
             "launch it in blocks of " + formatSizes(Chosen->Used.Block) +
                 ": block(" + Sizes + ")",
             Best);
}

void findFusion(Advisor &A, const KernelModel &Before,
                const LaunchWithArguments &Planned) {
  if (Planned.Used.Grid != A.L.Grid || Planned.Used.Block != A.L.Block)
    return;
  Expected<KernelModel> Fused = fuse(Before, A.Kernel);
  if (!Fused) {
    consumeError(Fused.takeError());
    return;
  }
  Bindings Values = Planned.Values;
  for (const auto &[Name, Value] : A.Values)
    Values.try_emplace(Name, Value);
  std::optional<Prediction> First = A.tryOut(Before, A.L, Planned.Values),
                            Both = A.tryOut(*Fused, A.L, Values);
  std::optional<Seconds> Second = A.unchangedTime();
  if (!First || !Second || !Both)
    return;
  addMapping(A, "fuse",
             "'" + A.Base.Name + "' has the same iterations as '" +
                 Before.Name + "' directly before it",
             "do the work of both in one loop nest (gain of one kernel over "
             "two)",
             1 - Both->Time / (First->Time + *Second));
}

} // namespace gpuestimate
