#include "gpu-estimate/Evaluate/Launch/Spills.h"
#include "gpu-estimate/Evaluate/Launch/Occupancy.h"
#include <algorithm>

namespace gpuestimate {

/// An estimated need for registers is believed to exceed a limit from here on,
/// in multiples of the limit.
static constexpr double SurelyMore = 1.1;

RegisterSpills spilledRegisters(const GpuModel &Gpu, const Resources &Res) {
  if (Res.RegistersSource != "estimate")
    return Res.Spills;
  unsigned Allowed = registersOn(Gpu, Res), Needed = Res.leastRegisters();
  if (Needed <= Allowed || Needed < SurelyMore * Allowed)
    return {};
  unsigned Spilled = Needed - Allowed;
  return {Spilled, Spilled, Spilled};
}

/// Appends an empty loop to the kernel's body, or to that of the loop Parent.
static int appendLoop(KernelModel &Kernel, unsigned TripCount,
                      int Parent = -1) {
  unsigned Index = Kernel.Loops.size();
  Loop Added;
  Added.Counter = "spill." + std::to_string(Index);
  Added.TripCount = Kernel.Context->constant(TripCount);
  Added.Active = Kernel.Context->constant(1);
  Added.Parent = Parent;
  Added.Location = Kernel.Location;
  (Parent < 0 ? Kernel.Body : Kernel.Loops[Parent].Body)
      .push_back({RegionNode::IsLoop, Index});
  Kernel.Loops.push_back(std::move(Added));
  return static_cast<int>(Index);
}

namespace {

/// Accesses of each thread to its words: AtOnce of them in each iteration of a
/// loop, from FirstWord on.
struct AccessRun {
  AccessKind Kind = AccessKind::Store;
  unsigned Slots = 1, FirstWord = 0, AtOnce = 1;
  bool Waits = false; ///< for all of an iteration, before the next
};

} // namespace

static void appendAccesses(KernelModel &Kernel, const AccessRun &Run,
                           int InLoop) {
  const bool Store = Run.Kind == AccessKind::Store;
  const unsigned Block = Kernel.Blocks.size();
  BasicBlock Around;
  Around.FirstOp = Kernel.Operations.size();
  Around.Active = Kernel.Context->constant(1);
  Operation Wait; // no instruction of its own: the use of the values
  Wait.Count = 0;
  Wait.Location = Kernel.Location;
  for (unsigned I = 0; I < Run.AtOnce; ++I) {
    MemoryAccess Access;
    Access.Space = MemorySpace::Local;
    Access.Kind = Run.Kind;
    Access.Address = Kernel.Context->parameter(Kernel.Loops[InLoop].Counter) *
                         (4.0 * Run.AtOnce) +
                     4.0 * (Run.FirstWord + I);
    Access.Base = "spilled registers";
    Access.BaseBytes = 4ull * Run.Slots;
    Access.Block = Block;
    Access.Location = Kernel.Location;

    Operation Op;
    Op.Class = Store ? OpClass::StoreLocal : OpClass::LoadLocal;
    Op.Effect = PerformedAccess{unsigned(Kernel.Accesses.size())};
    Op.Location = Kernel.Location;
    Wait.Operands.push_back({unsigned(Kernel.Operations.size()), false});
    Kernel.Operations.push_back(std::move(Op));
    Kernel.Accesses.push_back(std::move(Access));
  }
  if (Run.Waits)
    Kernel.Operations.push_back(std::move(Wait));
  Around.EndOp = Kernel.Operations.size();
  Kernel.Loops[InLoop].Body.push_back({RegionNode::IsBlock, Block});
  Kernel.Blocks.push_back(std::move(Around));
}

/// More loads than one wait usually covers; a bound on what is appended.
static constexpr unsigned MostAtOnce = 16;

KernelModel withSpills(const KernelModel &Kernel, RegisterSpills Spills) {
  KernelModel Changed = Kernel;
  const unsigned Slots = std::max(Spills.Slots, 1u);
  for (auto [Kind, Count] : {std::pair(AccessKind::Store, Spills.Stores),
                             std::pair(AccessKind::Load, Spills.Loads)}) {
    const bool Waits = Kind == AccessKind::Load && Spills.Waits > 0;
    const unsigned AtOnce =
        Waits ? std::clamp((Count + Spills.Waits / 2) / Spills.Waits, 1u,
                           std::min(MostAtOnce, Slots))
              : 1;
    auto access = [&](unsigned Words, int Outer) {
      const unsigned Rest = Words % AtOnce;
      if (Words > Rest)
        appendAccesses(Changed, {Kind, Slots, 0, AtOnce, Waits},
                       appendLoop(Changed, Words / AtOnce, Outer));
      if (Rest > 0)
        appendAccesses(Changed, {Kind, Slots, Words - Rest, 1, false},
                       appendLoop(Changed, Rest, Outer));
    };
    const unsigned Passes = Count / Slots;
    if (Passes > 0)
      access(Slots, Passes > 1 ? appendLoop(Changed, Passes) : -1);
    if (Count % Slots > 0)
      access(Count % Slots, -1);
  }
  Changed.Res.LocalBytes += 4ull * Slots;
  return Changed;
}

Assumption spillAssumption(const KernelModel &Kernel, RegisterSpills Spills) {
  bool Estimated = Kernel.Res.RegistersSource == "estimate";
  Assumption A;
  A.What = "registers of '" + Kernel.Name + "' spilled to local memory";
  A.Why =
      Estimated
          ? "about so many more are needed than a thread has; each is taken "
            "to be stored and loaded once by each thread, the least that "
            "it can cost"
          : "the compiler spills so many, with " +
                std::to_string(Spills.Stores) + " stores and " +
                std::to_string(Spills.Loads) + " loads; " +
                (Kernel.Res.RegistersSource == "amdgpu"
                     ? "a loop around them whose trip count is not a constant "
                       "is taken to run once"
                     : "each of these is taken to run once in each thread");
  A.Settle = Estimated ? "--ptxas PATH" : "";
  A.Value = A.Low = A.High = Spills.Slots;
  A.Location = Kernel.Location;
  return A;
}

} // namespace gpuestimate
