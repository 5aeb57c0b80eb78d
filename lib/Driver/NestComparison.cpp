#include "NestComparison.h"

using namespace llvm;

namespace gpuestimate {

static void onFpga(Comparison &C, const FpgaModel &Fpga,
                   const KernelModel &Unfused, const LaunchPlan &Plan) {
  FpgaTime T =
      timeOnFpga(Unfused, numberNest(Unfused, Plan.Used, Plan.Values), Fpga);
  C.Time = T.Time;
  C.Bottleneck = T.Bottleneck;
  C.Limits = {{"pipeline", T.Pipeline}, {"axi", T.Axi}, {"dram", T.Dram}};
  C.Pipelines = std::move(T.Pipelines);
}

Comparison NestComparison::compare(const Rival &Other, Seconds OnGpu,
                                   const GpuModel &,
                                   const LaunchPlan &Plan) const {
  Comparison C;
  C.Kind = Other.Request.Kind;
  const MachineIdentity &Machine = Other.machine();
  C.Machine = Machine.Id;
  C.MachineName = Machine.Name;
  C.Gpu = OnGpu;
  if (Kernel.HostFunction.empty()) {
    C.Problem = "it is no loop nest of plain C";
    return C;
  }
  if (C.Kind == AgainstRequest::Fpga)
    onFpga(C, Other.Fpga, *Forms.Unfused, Plan);
  return C;
}

std::vector<Comparison> NestComparison::run(const Prediction &P,
                                            const GpuModel &Gpu,
                                            const LaunchPlan &Plan,
                                            const LaunchInputs &) const {
  std::vector<Comparison> Result;
  for (const Rival &Other : S.Rivals)
    Result.push_back(compare(Other, P.Time, Gpu, Plan));
  return Result;
}

} // namespace gpuestimate
