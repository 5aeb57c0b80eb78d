/// \file
/// Kernels with operations, a GPU with round numbers, and launches whose
/// sample and traffic are stated instead of computed: what the tests of the
/// timing model are made of.
#ifndef GPU_ESTIMATE_TEST_UNIT_HELPERS_EVALUATEKERNELS_H
#define GPU_ESTIMATE_TEST_UNIT_HELPERS_EVALUATEKERNELS_H

#include "TestKernel.h"
#include "gpu-estimate/Evaluate/Launch/Occupancy.h"
#include "gpu-estimate/Evaluate/Models/LatencyBandwidth.h"
#include "llvm/Support/Error.h"

namespace gpuestimate::test {

/// Operations go to the block that was made last.
struct OpKernel : TestKernel {
  unsigned op(OpClass Class, std::vector<Operand> Operands = {}) {
    Operation Op;
    Op.Class = Class;
    Op.Operands = std::move(Operands);
    if (Class == OpClass::Fp32Fma)
      Op.FlopFp32 = 2;
    Model.Operations.push_back(Op);
    ++Model.Blocks.back().EndOp;
    return Model.Operations.size() - 1;
  }
  Operation &last() { return Model.Operations.back(); }

  unsigned memory(OpClass Class, MemorySpace Space, AccessKind Kind,
                  llvm::StringRef Base, Expr Address,
                  std::vector<Operand> Operands = {}) {
    unsigned Op = op(Class, std::move(Operands));
    Model.Operations[Op].Effect = PerformedAccess{
        access(Model.Blocks.size() - 1, Base, Address, Kind, 4, Space)};
    return Op;
  }
  unsigned load(llvm::StringRef Base, std::vector<Operand> Operands = {},
                Expr Address = Expr()) {
    return memory(OpClass::LoadGlobal, MemorySpace::Global, AccessKind::Load,
                  Base, Address ? Address : id() * 4, std::move(Operands));
  }
  unsigned store(llvm::StringRef Base, std::vector<Operand> Operands = {},
                 Expr Address = Expr()) {
    return memory(OpClass::StoreGlobal, MemorySpace::Global, AccessKind::Store,
                  Base, Address ? Address : id() * 4, std::move(Operands));
  }
  unsigned loadShared(llvm::StringRef Base, std::vector<Operand> Operands = {},
                      Expr Address = Expr()) {
    return memory(OpClass::LoadShared, MemorySpace::Shared, AccessKind::Load,
                  Base, Address ? Address : tid() * 4, std::move(Operands));
  }
  unsigned storeShared(llvm::StringRef Base, std::vector<Operand> Operands = {},
                       Expr Address = Expr()) {
    return memory(OpClass::StoreShared, MemorySpace::Shared, AccessKind::Store,
                  Base, Address ? Address : tid() * 4, std::move(Operands));
  }
};

/// Four multiprocessors of four schedulers; arithmetic takes 4 cycles, a warp
/// of fp32 or int one issue cycle, of fp64 and special functions 4 and 2; L1
/// 30, shared 20, L2 200, DRAM 500 cycles; 1 GHz.
GpuModel plainGpu();

/// What a caller states of one access instead of having it computed.
struct AccessFacts {
  double L1Hit = 0, L2Hit = 0;
  double SectorsPerRequest = 4, PassesPerRequest = 1;
  double LanesPerAddress = 1; ///< of atomics
  double LinesPerRequest = 1;
};

/// A kernel whose shares and trip counts are numbers once Values are bound:
/// every warp takes the same path.
struct UniformLaunch {
  LaunchSample Sample;
  Traffic Flow;
};
UniformLaunch uniformLaunch(const KernelModel &Kernel, const GpuModel &Gpu,
                            const Launch &L, const Bindings &Values = {},
                            const std::vector<AccessFacts> &Facts = {});

/// Everything from kernel to model, held together.
struct ModelUnderTest {
  ModelUnderTest(const KernelModel &Kernel, const GpuModel &Gpu,
                 const Launch &L, const Bindings &Values = {},
                 const std::vector<AccessFacts> &Facts = {});
  double cycles(TermSet Without = {}) { return Model.cycles(Without); }
  double bound(llvm::StringRef Name);

  GpuModel Gpu;
  Launch L;
  Occupancy Occ;
  UniformLaunch Uniform;
  std::vector<BlockSchedule> Schedule;
  OperationCosts Costs;
  Workload Work;
  LatencyBandwidthModel Model;
};

/// Cycles of the one path of a uniform kernel, alone on the machine.
struct WalkUnderTest {
  WalkUnderTest(const KernelModel &Kernel, const GpuModel &Gpu,
                unsigned WarpsPerBlock = 1, const Bindings &Values = {},
                const std::vector<AccessFacts> &Facts = {});
  WarpTime run(const WarpConditions &Conditions) {
    return Timer.run(Uniform.Sample.Paths.front(), Conditions);
  }
  WarpTime run(TermSet Without = {}) {
    return run(Costs.conditions(MemoryLatencies::unloaded(Gpu), Without));
  }
  double cycles(TermSet Without = {}) { return run(Without).Cycles; }

  GpuModel Gpu;
  UniformLaunch Uniform;
  std::vector<BlockSchedule> Schedule;
  OperationCosts Costs;
  WarpTimer Timer;
};

} // namespace gpuestimate::test

#endif
