/// \file
/// What the charts of a report show, as plain data. Report draws it; nothing is
/// measured or fitted here: every point is the prediction or an evaluation of
/// the same kernel with one thing changed.
#ifndef GPU_ESTIMATE_ADVICE_CHARTS_H
#define GPU_ESTIMATE_ADVICE_CHARTS_H

#include "gpu-estimate/Advice/Explain.h"
#include "gpu-estimate/Evaluate/Evaluator/Evaluate.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace gpuestimate {

/// The launch on its GPU's roofline. Operations are floating-point ones, but
/// not those of matrix units, or warp instructions for a kernel without any.
struct Roofline {
  bool CountsFlops = true;
  double Rate = 0; ///< operations per second of the launch's execution
  struct Roof {
    std::string Name;
    double Rate = 0; ///< bytes, or operations, per second
  };
  std::vector<Roof> Bandwidths, Peaks;
  struct Point {
    std::string Level;    ///< name of the bandwidth
    double Intensity = 0; ///< operations per byte that passes the level
  };
  std::vector<Point> Points; ///< of the levels that are used
};

/// P was made from Kernel and Gpu. Bytes of L1: sectors that the requests
/// touch; of shared memory: passes times the width of all banks; of L2 and DRAM
/// those of P.Count.
Roofline roofline(const Prediction &P, const KernelModel &Kernel,
                  const GpuModel &Gpu);

/// The CPI stack of the same kernel in another situation.
struct StackBar {
  std::string Label;   ///< "12 warps"
  bool IsUsed = false; ///< the situation of the prediction itself
  Seconds Time;
  std::vector<std::pair<std::string, double>> Parts; ///< cycles/instruction
};

/// One evaluation of the kernel with something changed.
struct CurvePoint {
  double At = 0;
  std::string Label; ///< "n = 4096", "16x16"
  bool IsUsed = false;
  Seconds Time;
  std::string Bottleneck;
};

/// Time against one parameter.
struct Curve {
  std::string Parameter;
  bool LaunchFollows = false;     ///< grid or block change with it
  std::vector<CurvePoint> Points; ///< ascending
};

/// The launch on one of many GPUs.
struct GpuRow {
  std::string Id, Name;
  bool IsUsed = false;
  std::string Refusal; ///< why there is no time; "" where there is one
  Seconds Time;
  std::string Bottleneck;
  double Occupancy = 0;
  /// Model quantitative-roofline: operations and bytes per second that the GPU
  /// reaches with this mix of instructions (T'_op, B_mem), operations per byte
  /// of the kernel (O_krn; infinite where nothing reaches DRAM). Nothing where
  /// the model refuses.
  struct Capability {
    double Operations = 0, Bytes = 0, Intensity = 0;
  };
  std::optional<Capability> Quantitative;
};

/// Quantities of a prediction by quantitative-roofline; nothing where the
/// kernel has no operations of its type.
std::optional<GpuRow::Capability> capability(const Prediction &P);

/// One evaluation's arguments.
struct ChartInputs {
  const KernelModel &Kernel;
  const GpuModel &Gpu;
  const Launch &Used;
  const Bindings &Values;
  const EvaluateOptions &Options;
};

/// The launch with fewer blocks on each multiprocessor, up to those that
/// there are.
std::vector<StackBar> stacksByOccupancy(const ChartInputs &In);
/// The first blocks of the launch, from one up to all of them.
std::vector<StackBar> stacksByWarps(const ChartInputs &In);
/// The launch on each of Gpus, as LaunchOn says it is there, with the code of
/// In.Gpu's architecture.
std::vector<GpuRow>
rowsByGpu(const ChartInputs &In, llvm::ArrayRef<GpuModel> Gpus,
          llvm::function_ref<PlannedLaunch(const GpuModel &)> LaunchOn);

/// Lines of one file.
struct SourceExcerpt {
  std::string File;
  unsigned First = 1;
  std::vector<std::string> Lines;
};

/// Everything about one prediction.
struct EstimateCharts {
  Roofline Roofs;
  std::vector<StackBar> ByOccupancy, ByWarps;
  std::vector<Curve> ByParameter;
  std::vector<CurvePoint> ByBlock;
  std::string NoBlocks; ///< why ByBlock is empty
  std::vector<GpuRow> ByGpu;
  std::vector<SourceExcerpt> Source;
};

} // namespace gpuestimate

#endif
