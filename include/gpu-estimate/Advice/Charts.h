/// \file
/// Data of the charts of a report; Report draws them. Every point is the
/// prediction or an evaluation of the kernel with one thing changed. Measured
/// are the ceilings of an experimental roofline alone.
#ifndef GPU_ESTIMATE_ADVICE_CHARTS_H
#define GPU_ESTIMATE_ADVICE_CHARTS_H

#include "gpu-estimate/Advice/Advice.h"
#include "gpu-estimate/Evaluate/Evaluator/Evaluate.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace gpuestimate {

/// The launch on its GPU's roofline. Operations are floating-point operations
/// outside of matrix units, or warp instructions for a kernel without such
/// operations.
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
    double Intensity = 0; ///< operations per byte at the level
  };
  std::vector<Point> Points; ///< of the levels that are used
  /// The experimental roofline, where the GPU model has one (roofline.*): peaks
  /// of the kernel's types, and the bandwidth of DRAM.
  std::vector<Roof> MeasuredPeaks = {};
  std::optional<double> MeasuredBandwidth = {}; ///< bytes per second
};

/// Returns the roofline of P, a prediction for Kernel on Gpu. L1 bytes are the
/// sectors of the requests, shared-memory bytes the passes times the width
/// of all banks, L2 and DRAM bytes those of P.Count.
Roofline roofline(const Prediction &P, const KernelModel &Kernel,
                  const GpuModel &Gpu);

/// The CPI stack of the same kernel in another situation.
struct StackBar {
  std::string Label;   ///< "12 warps"
  bool IsUsed = false; ///< the prediction itself
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
  std::optional<TimeError> Error = {}; ///< Prediction::Error
  /// Where it stands on the roofline: Roofline::Rate and Roofline::Points.
  double Rate = 0;
  std::vector<Roofline::Point> Levels = {};
};

/// Time against one parameter.
struct Curve {
  std::string Parameter;
  bool LaunchFollows = false;     ///< grid or block depend on it
  std::vector<CurvePoint> Points; ///< ascending
};

/// The launch on one of several GPUs.
struct GpuRow {
  std::string Id, Name;
  bool IsUsed = false;
  std::string Refusal; ///< why there is no time, or ""
  Seconds Time;
  std::string Bottleneck;
  std::optional<TimeError> Error; ///< Prediction::Error
  double Occupancy = 0;
  /// Result of the model quantitative-roofline: operations and bytes per second
  /// that the GPU sustains for this instruction mix (T'_op, B_mem), and
  /// operations per byte of the kernel (O_krn; infinite without DRAM traffic).
  /// Absent if the model refuses the kernel.
  struct Capability {
    double Operations = 0, Bytes = 0, Intensity = 0;
  };
  std::optional<Capability> Quantitative;
};

/// Reads the capability from a prediction by quantitative-roofline; nullopt if
/// the kernel has no operations of its type.
std::optional<GpuRow::Capability> capability(const Prediction &P);

/// Arguments of an evaluation.
struct ChartInputs {
  const KernelModel &Kernel;
  const GpuModel &Gpu;
  const Launch &Used;
  const Bindings &Values;
  const EvaluateOptions &Options;
};

/// The least time of the launch: its operations and DRAM bytes at the peak
/// rates of the GPU (model roofline); nullopt if that model refuses the kernel.
std::optional<Seconds> rooflineFloor(const ChartInputs &In);
/// The launch with 1, 2, ... resident blocks per multiprocessor, up to its own
/// number.
std::vector<StackBar> stacksByOccupancy(const ChartInputs &In);
/// The launch with only its first blocks, from one up to all of them.
std::vector<StackBar> stacksByWarps(const ChartInputs &In);
/// The launch on each of Gpus, planned by LaunchOn, with the code of In.Gpu's
/// architecture.
std::vector<GpuRow>
rowsByGpu(const ChartInputs &In, llvm::ArrayRef<GpuModel> Gpus,
          llvm::function_ref<LaunchWithArguments(const GpuModel &)> LaunchOn);

/// Lines of one file.
struct SourceExcerpt {
  std::string File;
  unsigned First = 1;
  std::vector<std::string> Lines;
};

/// All chart data of one prediction.
struct EstimateCharts {
  Roofline Roofs;
  std::optional<Seconds> Floor; ///< rooflineFloor()
  std::vector<StackBar> ByOccupancy, ByWarps;
  std::vector<Curve> ByParameter;
  std::vector<CurvePoint> ByBlock;
  std::string NoBlocks; ///< why ByBlock is empty
  std::vector<GpuRow> ByGpu;
  std::vector<SourceExcerpt> Source;
};

} // namespace gpuestimate

#endif
