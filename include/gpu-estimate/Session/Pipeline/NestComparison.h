/// \file
/// Loop nests of plain C on the machines of --against: the same launch plan,
/// evaluated there too, and the size at which the answer turns.
#ifndef GPU_ESTIMATE_SESSION_PIPELINE_NESTCOMPARISON_H
#define GPU_ESTIMATE_SESSION_PIPELINE_NESTCOMPARISON_H

#include "gpu-estimate/Model/Machine/Machines.h"
#include "gpu-estimate/Session/Pipeline/Setup.h"
#include "gpu-estimate/Session/Plan/LaunchPlan.h"
#include "gpu-estimate/Targets/Nest/MachineNest.h"

namespace gpuestimate {

/// The forms of one nest that other machines run.
struct NestVariants {
  /// The kernel with multiplications and additions apart: for an FPGA.
  std::optional<KernelModel> Unfused;
  /// Code for each of Setup::Targets; empty for an FPGA.
  std::vector<MachineNest> Code;
  /// Reason why there is no comparison with each of Setup::Targets, or "".
  std::vector<std::string> NoCode;
};

class NestComparison {
public:
  NestComparison(const Setup &S, const KernelModel &Kernel,
                 const NestVariants &Variants)
      : S(S), Kernel(Kernel), Variants(Variants) {}

  /// One for each machine of S.Targets, in order. P is the prediction of Plan
  /// on Gpu.
  std::vector<TargetComparison> run(const Prediction &P, const GpuModel &Gpu,
                                    const LaunchPlan &Plan) const;

private:
  TargetComparison compare(size_t Index, Seconds OnGpu, const GpuModel &Gpu,
                           const LaunchPlan &Plan) const;
  std::optional<BreakEven> breakEven(size_t Index, const GpuModel &Gpu,
                                     const LaunchPlan &Plan) const;
  /// The parameter whose doubling makes the nest grow most, and its value; of
  /// those that the user named, if one does.
  std::pair<std::string, double>
  sizeParameter(const LaunchPlan &Plan, const LaunchInputs &Inputs) const;
  double work(const LaunchPlan &Plan) const;
  void onFpga(TargetComparison &C, const FpgaModel &Fpga,
              const LaunchPlan &Plan) const;
  void onCpu(TargetComparison &C, size_t Index, const GpuModel &Gpu,
             const LaunchPlan &Plan) const;

  const Setup &S;
  const KernelModel &Kernel;
  const NestVariants &Variants;
};

} // namespace gpuestimate

#endif
