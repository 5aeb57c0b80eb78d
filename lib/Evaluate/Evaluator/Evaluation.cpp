#include "Evaluation.h"

#include "AccessReports.h"
#include "Evaluate/Launch/FittingResources.h"
#include "Evaluate/Launch/LaunchTime.h"
#include "Evaluate/Models/KernelFormulas.h"
#include "Evaluate/Power/Power.h"
#include "LineCosts.h"
#include "gpu-estimate/Evaluate/Launch/Occupancy.h"
#include "gpu-estimate/Evaluate/Models/LatencyBandwidth.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuestimate {

Evaluation::Evaluation(const KernelModel &Kernel, const GpuModel &Gpu,
                       const Launch &L, const Occupancy &Occ,
                       const Bindings &All, const EvaluateOptions &Options,
                       std::unique_ptr<SampledLaunch> Sampled,
                       const std::vector<BlockSchedule> &Schedule)
    : Kernel(Kernel), Gpu(Gpu), L(L), Occ(Occ), All(All), Options(Options),
      Requests(std::move(Sampled)), Sample(Requests->Sample),
      Flow(estimateTraffic(Requests->Lanes, Gpu, L, All, Sample,
                           Occ.BlocksPerSm, Options, {},
                           Options.Cache ? &Options.Cache->Traffic : nullptr)),
      Schedule(Schedule),
      Costs(Kernel, Gpu, Sample, Flow, Schedule,
            divideCeil(L.threadsPerBlock(), Gpu.WarpSize), Occ.WarpsPerSm),
      Work(measureWorkload(Kernel, Gpu, L, All, Sample, Flow, Costs, Schedule,
                           Options.Executed)) {}

void Evaluation::fillCounts(Prediction &P) {
  P.Occ = Occ;
  Resources Res = fittingResources(Gpu, Kernel.Res, L);
  P.RegistersPerThread = registersOn(Gpu, Res);
  P.RegistersSource = Res.RegistersSource;
  // A transformed kernel, and one that does not fit as compiled, has no code.
  if (Res.RegistersSource != "estimate")
    P.Code = Res.Code;
  P.SharedBytesPerBlock = Kernel.Res.StaticSharedBytes + L.DynamicSharedBytes;
  P.Count = Work.Count;
  P.L1HitRate = Flow.L1Hit;
  P.L2HitRate = Flow.L2Hit;
}

/// Refuses a kernel with instructions that the GPU has no unit for.
Error Evaluation::checkUnits() const {
  for (const OpClassInfo &Row : opClassTable())
    if (Work.Count.ByClass[static_cast<unsigned>(Row.Class)] > 0 &&
        Gpu.cost(Row.Class).Throughput <= 0)
      return make_error<ModelRefusal>(Gpu.Id + " has no unit for " +
                                      Row.Name.str());
  return Error::success();
}

Expected<Seconds> Evaluation::time(const ModelInfo &Info) {
  if (Error E = checkUnits())
    return E;
  EvaluateOptions TimeOnly = Options;
  TimeOnly.Wanted.Explanation = false;
  Prediction P;
  fillCounts(P);
  if (Error E = Info.Fill(P, inputs(TimeOnly)))
    return E;
  return P.Time;
}

Expected<LaunchDemand> Evaluation::demand() {
  if (Error E = checkUnits())
    return E;
  return LatencyBandwidthModel(inputs(Options)).demand(switchedOff(Options));
}

Error Evaluation::fill(Prediction &P, const ModelInfo &Info) {
  fillCounts(P);
  P.Model = Info.Name;
  if (Error E = checkUnits())
    return E;
  ModelInputs In = inputs(Options);
  P.Accesses = accessReports(In);
  append_range(P.Premises, Flow.Premises);
  if (Error E = Info.Fill(P, In))
    return E;
  P.Power =
      estimatePower(P.Count, P.Time, P.Execution, Gpu, smsInUse(In.Gpu, In.L));
  if (Options.Wanted.Lines)
    fillLines(P, In);
  if (Options.Wanted.Formulas)
    P.Formulas = buildKernelFormulas(In);
  if (P.Count.WarpInstructions > 0)
    P.WarpCyclesPerInstruction = (P.Time * Gpu.CoreClock).value() *
                                 smsInUse(In.Gpu, In.L) * Occ.WarpsPerSm /
                                 P.Count.WarpInstructions;
  return Error::success();
}

} // namespace gpuestimate
