#include "gpu-estimate/Session/Pipeline/NestComparison.h"

#include "gpu-estimate/Targets/Cpu/CpuTime.h"
#include "gpu-estimate/Targets/Fpga/FpgaTime.h"
#include "gpu-estimate/Targets/Nest/LimitNames.h"
#include "gpu-estimate/Targets/Nest/Reuse.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

void NestComparison::onFpga(TargetComparison &C, const FpgaModel &Fpga,
                            const LaunchPlan &Plan) const {
  const KernelModel &Unfused = *Variants.Unfused;
  LoopNestNumbers Nest = numberNest(Unfused, Plan.Used, Plan.Values);
  FpgaTime T = timeOnFpga(Unfused, Nest, Fpga);
  C.Time = T.Time;
  C.Bottleneck = T.Bottleneck;
  C.Limits = {{name(FpgaLimit::Pipeline).str(), T.Pipeline},
              {name(FpgaLimit::Axi).str(), T.Axi},
              {name(FpgaLimit::Dram).str(), T.Dram}};
  C.Pipelines = std::move(T.Pipelines);
}

/// Every array is one copy, which is started as a kernel is; a nest that is
/// launched many times finds its arrays there after the first time.
static void addCopies(TargetComparison &C, const LoopNestNumbers &Nest,
                      const CpuModel &Cpu, const GpuModel &Gpu,
                      double Repeats) {
  if (Cpu.UnifiedMemory)
    return;
  PassedBytes Copied = distinctBytes(Nest);
  StringSet<> In, Out;
  for (const NestedAccess &A : Nest.Accesses) {
    if (A.Reads)
      In.insert(A.Base);
    if (A.Writes)
      Out.insert(A.Base);
  }
  C.Copies = true;
  C.BytesIn = Copied.Read;
  C.BytesOut = Copied.Written;
  Seconds Once = Copied.both() / Cpu.linkBandwidth() +
                 Gpu.LaunchLatency * (In.size() + Out.size());
  C.CopyTime = Once / std::max(1.0, Repeats);
  if (Repeats > 1)
    C.Premises.push_back("the arrays stay on the GPU for all launches");
}

void NestComparison::onCpu(TargetComparison &C, size_t Index,
                           const GpuModel &Gpu, const LaunchPlan &Plan) const {
  const ComparisonTarget &Other = S.Targets[Index];
  LoopNestNumbers Nest = numberNest(Kernel, Plan.Used, Plan.Values);
  bool Warm = S.Opts.Caches.value_or(CacheState::Warm) == CacheState::Warm;
  CpuTime T = timeOnCpu(Nest, Variants.Code[Index], Other.Cpu,
                        Other.Request.Cores.value_or(Other.Cpu.Cores), Warm);
  C.Time = T.Time;
  C.Cores = T.Cores;
  C.Bottleneck = T.Bottleneck;
  C.Limits = std::move(T.Limits);
  C.Premises = std::move(T.Premises);
  addCopies(C, Nest, Other.Cpu, Gpu, Plan.Repeats);
}

TargetComparison NestComparison::compare(size_t Index, Seconds OnGpu,
                                         const GpuModel &Gpu,
                                         const LaunchPlan &Plan) const {
  const ComparisonTarget &Other = S.Targets[Index];
  TargetComparison C;
  C.Kind = Other.Request.Kind;
  const MachineIdentity &Machine = Other.machine();
  C.Machine = Machine.Id;
  C.MachineName = Machine.Name;
  C.Gpu = OnGpu;
  if (!Kernel.Nest)
    C.Problem = "it is no loop nest of plain C";
  else if (!Variants.NoCode[Index].empty())
    C.Problem = Variants.NoCode[Index];
  else if (C.Kind == TargetRequest::Fpga)
    onFpga(C, Other.Fpga, Plan);
  else
    onCpu(C, Index, Gpu, Plan);
  return C;
}

std::vector<TargetComparison>
NestComparison::run(const Prediction &P, const GpuModel &Gpu,
                    const LaunchPlan &Plan) const {
  std::vector<TargetComparison> Result;
  for (size_t I = 0; I < S.Targets.size(); ++I) {
    TargetComparison &C = Result.emplace_back(compare(I, P.Time, Gpu, Plan));
    if (C.Problem.empty() && S.BreakEvens)
      C.Even = breakEven(I, Gpu, Plan);
  }
  return Result;
}

} // namespace gpuestimate
