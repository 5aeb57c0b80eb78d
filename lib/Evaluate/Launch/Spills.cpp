#include "gpu-estimate/Evaluate/Launch/Spills.h"
#include "gpu-estimate/Evaluate/Launch/Occupancy.h"

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

/// Appends an access of each thread to word number Counter of its Slots.
static void appendAccess(KernelModel &Kernel, AccessKind Kind, unsigned Slots,
                         int InLoop) {
  bool Store = Kind == AccessKind::Store;
  unsigned Block = Kernel.Blocks.size();
  MemoryAccess Access;
  Access.Space = MemorySpace::Local;
  Access.Kind = Kind;
  Access.Address =
      Kernel.Context->parameter(Kernel.Loops[InLoop].Counter) * 4.0;
  Access.Base = "spilled registers";
  Access.BaseBytes = 4ull * Slots;
  Access.Block = Block;
  Access.Location = Kernel.Location;

  Operation Op;
  Op.Class = Store ? OpClass::StoreLocal : OpClass::LoadLocal;
  Op.Access = static_cast<int>(Kernel.Accesses.size());
  Op.Location = Kernel.Location;

  BasicBlock Around;
  Around.FirstOp = Kernel.Operations.size();
  Around.EndOp = Around.FirstOp + 1;
  Around.Active = Kernel.Context->constant(1);

  Kernel.Loops[InLoop].Body.push_back({RegionNode::IsBlock, Block});
  Kernel.Operations.push_back(std::move(Op));
  Kernel.Accesses.push_back(std::move(Access));
  Kernel.Blocks.push_back(std::move(Around));
}

KernelModel withSpills(const KernelModel &Kernel, RegisterSpills Spills) {
  KernelModel Changed = Kernel;
  unsigned Slots = std::max(Spills.Slots, 1u);
  for (auto [Kind, Count] : {std::pair(AccessKind::Store, Spills.Stores),
                             std::pair(AccessKind::Load, Spills.Loads)}) {
    unsigned Passes = Count / Slots, Rest = Count % Slots;
    if (Passes > 0) {
      int Outer = Passes > 1 ? appendLoop(Changed, Passes) : -1;
      appendAccess(Changed, Kind, Slots, appendLoop(Changed, Slots, Outer));
    }
    if (Rest > 0)
      appendAccess(Changed, Kind, Slots, appendLoop(Changed, Rest));
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
  A.Value = Spills.Slots;
  A.Location = Kernel.Location;
  return A;
}

} // namespace gpuestimate
