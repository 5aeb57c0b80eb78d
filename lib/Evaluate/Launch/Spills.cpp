#include "gpu-estimate/Evaluate/Launch/Spills.h"
#include "gpu-estimate/Evaluate/Launch/Occupancy.h"

namespace gpuestimate {

/// An estimated need for registers is believed to exceed a limit from here on,
/// in multiples of the limit.
static constexpr double SurelyMore = 1.1;

unsigned spilledRegisters(const GpuModel &Gpu, const Resources &Res) {
  if (Res.RegistersSource != "estimate")
    return Res.SpillBytes / 4;
  unsigned Allowed = registersOn(Gpu, Res), Needed = Res.leastRegisters();
  return Needed > Allowed && Needed >= SurelyMore * Allowed ? Needed - Allowed
                                                            : 0;
}

KernelModel withSpills(const KernelModel &Kernel, unsigned Registers) {
  KernelModel Changed = Kernel;
  ExprContext &C = *Changed.Context;
  for (bool Store : {true, false}) {
    Loop SpillLoop;
    SpillLoop.Counter = Store ? "spill.stored" : "spill.loaded";
    SpillLoop.TripCount = C.constant(Registers);
    SpillLoop.Active = C.constant(1);
    SpillLoop.Body.push_back(
        {RegionNode::IsBlock, unsigned(Changed.Blocks.size())});
    SpillLoop.Location = Kernel.Location;

    MemoryAccess Access;
    Access.Space = MemorySpace::Local;
    Access.Kind = Store ? AccessKind::Store : AccessKind::Load;
    Access.Address = C.parameter(SpillLoop.Counter) * 4.0;
    Access.Base = "spilled registers";
    Access.BaseBytes = 4ull * Registers;
    Access.Block = Changed.Blocks.size();
    Access.Location = Kernel.Location;

    Operation Op;
    Op.Class = Store ? OpClass::StoreLocal : OpClass::LoadLocal;
    Op.Access = static_cast<int>(Changed.Accesses.size());
    Op.Location = Kernel.Location;

    BasicBlock Around;
    Around.FirstOp = Changed.Operations.size();
    Around.EndOp = Around.FirstOp + 1;
    Around.Active = C.constant(1);

    Changed.Body.push_back(
        {RegionNode::IsLoop, unsigned(Changed.Loops.size())});
    Changed.Operations.push_back(std::move(Op));
    Changed.Accesses.push_back(std::move(Access));
    Changed.Blocks.push_back(std::move(Around));
    Changed.Loops.push_back(std::move(SpillLoop));
  }
  Changed.Res.LocalBytes += 4ull * Registers;
  return Changed;
}

Assumption spillAssumption(const KernelModel &Kernel, unsigned Registers) {
  bool Estimated = Kernel.Res.RegistersSource == "estimate";
  Assumption A;
  A.What = "registers of '" + Kernel.Name + "' spilled to local memory";
  A.Why = std::string(Estimated ? "about so many more are needed than a thread "
                                  "has"
                                : "ptxas reports spills") +
          "; each is taken to be stored and loaded once by each thread, the "
          "least that it can cost";
  A.Settle = Estimated ? "--ptxas PATH" : "";
  A.Value = Registers;
  A.Location = Kernel.Location;
  return A;
}

} // namespace gpuestimate
