#include "SizeRoles.h"

#include "gpu-estimate/Session/Plan/LaunchPlan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

static constexpr const char *Axes[] = {"x", "y", "z"};

SizeRoles::SizeRoles(const KernelModel &Kernel)
    : Kernel(Kernel), Used(Kernel), Block(blockByKernel(Kernel)) {
  for (unsigned Axis = 0; Axis < 3; ++Axis) {
    if (binary_search(Used.All, std::string("blockIdx.") + Axes[Axis]))
      BlockAxes |= 1u << Axis;
    if (binary_search(Used.All, std::string("threadIdx.") + Axes[Axis]))
      ThreadAxes |= 1u << Axis;
  }
  findDrivers();
  findSizes();
}

/// Integer arguments and members of arguments by value.
static std::vector<std::string> integerArguments(const KernelModel &Kernel,
                                                 const UsedParameters &Used) {
  StringSet<> Others; // what depends on data
  for (const Unknown &U : Kernel.Unknowns)
    Others.insert(U.Name);
  std::vector<std::string> Names;
  for (const std::string &Name : Used.Outer)
    if (!isLaunchSize(Name) && !Others.contains(Name) &&
        Kernel.Context->parameter(Name).isInteger())
      Names.push_back(Name);
  return Names;
}

void SizeRoles::findDrivers() {
  for (const std::string &Name : integerArguments(Kernel, Used)) {
    unsigned Guarded = Used.Roles->guardedAxes(Name), Strides = 0;
    for (const Loop &L : Kernel.Loops)
      for (unsigned Axis = 0; Axis < 3; ++Axis)
        if (L.TripCount && L.TripCount.dependsOn(Name) &&
            L.TripCount.dependsOn(std::string("gridDim.") + Axes[Axis]))
          Strides |= 1u << Axis;
    if (Strides)
      Strided.insert(Name);
    // The guard of a loop's first iteration tells the elements of a block.
    if (!Guarded && Strides) {
      Guarded = Strides;
      WithoutGuard.insert(Name);
    }
    // An index over several axes numbers the blocks in the order of x.
    if (Guarded) {
      Drivers[countr_zero(Guarded)].push_back(Name);
      NumberedAxes |= Guarded & (Guarded - 1);
    }
  }
}

void SizeRoles::findSizes() {
  std::vector<Expr> Ends;
  for (const Wait &W : Kernel.Waits)
    if (W.Length)
      Ends.push_back(W.Length);
  for (const Unknown &U : Kernel.Unknowns)
    if (U.Kind == Unknown::TripCount && U.UpperBound &&
        binary_search(Used.All, U.Name))
      Ends.push_back(*U.UpperBound);
  for (const std::string &Name : integerArguments(Kernel, Used)) {
    bool Bounds = Used.Roles->loopDepth(Name) > 0 ||
                  any_of(Ends, [&](Expr E) { return E.dependsOn(Name); });
    if (Bounds || drives(Name))
      Sizes.push_back(Name);
    if (!Bounds && drives(Name) && !Strided.contains(Name))
      GuardOnly.push_back(Name);
  }
}

bool SizeRoles::drives(StringRef Name) const {
  return any_of(Drivers,
                [&](const auto &Of) { return is_contained(Of, Name); });
}

bool SizeRoles::isGuardOnly(StringRef Name) const {
  return is_contained(GuardOnly, Name);
}

bool SizeRoles::isSize(StringRef Name) const {
  return is_contained(Sizes, Name);
}

bool SizeRoles::isShiftAmount(StringRef Name) const {
  return is_contained(Used.ShiftAmounts, Name);
}

unsigned SizeRoles::loopDepth(StringRef Name) const {
  return Used.Roles->loopDepth(Name);
}

bool SizeRoles::spansThreads(unsigned Axis) const {
  constexpr double Few = 32, Many = 64, Any = 8;
  const std::string Block = std::string("blockIdx.") + Axes[Axis],
                    Threads = std::string("blockDim.") + Axes[Axis];
  auto Distance = [&](Expr Address, double BlockDim) {
    Bindings Values;
    for (const std::string &Name : Address.parameters())
      Values[Name] = isCoordinate(Name) ? 0 : Any;
    Values[Threads] = BlockDim;
    double At[2] = {};
    for (int I : {0, 1}) {
      Values[Block] = I;
      At[I] = evaluate(Address, Values).value_or(0);
    }
    return std::fabs(At[1] - At[0]);
  };
  return any_of(Kernel.Accesses, [&](const MemoryAccess &A) {
    return A.Address && A.Address.dependsOn(Block) &&
           A.Address.dependsOn(Threads) &&
           Distance(A.Address, Many) > Distance(A.Address, Few);
  });
}

uint64_t SizeRoles::blocksFor(unsigned Axis, StringRef Driver, double N,
                              const std::array<uint64_t, 3> &Block) const {
  double PerBlock = static_cast<double>(Block[Axis]);
  if (!WithoutGuard.contains(Driver)) {
    // Between two grids, as extents are rounded up.
    constexpr uint64_t Few = 1024, Many = 2 * Few;
    auto Extent = [&](uint64_t Blocks) {
      Launch L;
      L.Block = Block;
      L.Grid[Axis] = Blocks;
      Bindings Sizes;
      for (unsigned I = 0; I < 3; ++I) {
        Sizes[std::string("blockDim.") + Axes[I]] = double(L.Block[I]);
        Sizes[std::string("gridDim.") + Axes[I]] = double(L.Grid[I]);
      }
      return Used.Roles->extent(Driver, L, Sizes, 1).value_or(0);
    };
    PerBlock = (Extent(Many) - Extent(Few)) / Few;
  }
  if (!(PerBlock > 0) || !(N > 0))
    return 0;
  return static_cast<uint64_t>(std::ceil(N / PerBlock));
}

} // namespace gpuestimate
