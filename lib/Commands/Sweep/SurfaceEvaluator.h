/// \file
/// The surface of one kernel on one GPU.
///
/// Axes are of two sorts. A clock moves no count of the kernel, so one
/// evaluation serves all clocks (LaunchAtClocks.h). Every other axis changes
/// the traffic, the occupancy or the launch: each combination of their values,
/// a variant, is evaluated.
#ifndef GPU_ESTIMATE_LIB_COMMANDS_SWEEP_SURFACEEVALUATOR_H
#define GPU_ESTIMATE_LIB_COMMANDS_SWEEP_SURFACEEVALUATOR_H

#include "LaunchScaling.h"
#include "ProfiledRun.h"
#include "gpu-estimate/Session/Pipeline/KernelPipeline.h"
#include "gpu-estimate/Session/Pipeline/LaunchPipeline.h"
#include "gpu-estimate/Session/Plan/OpenSizes.h"
#include "gpu-estimate/Session/Settings/SearchSpace.h"

namespace gpuestimate {

class SurfaceEvaluator {
public:
  /// Reading: with its settings applied. Run: null without a profile. The
  /// arguments stay owned by the caller. Part: the part of the points that is
  /// evaluated; the others stay without a time. Place: where in their tables
  /// unknown sizes stand.
  SurfaceEvaluator(const KernelReading &Reading, const GpuModel &Card,
                   llvm::ArrayRef<SpaceAxis> Axes, const GpuClusters &Clusters,
                   const ProfiledRun *Run, const ScalingRequest &Scaling,
                   Shard Part = {}, SizePlace Place = SizePlace::Middle);

  /// Errors: a configuration that the card cannot have.
  llvm::Expected<Surface> run();

private:
  /// One choice of each axis that is no clock.
  struct Variant {
    SpacePoint Choice;     ///< of clocks 0
    size_t FirstPoint = 0; ///< with the first value of each clock
    /// The range of its clock points that belong to the part.
    size_t FirstClock = 0, EndClock = 0;
  };
  llvm::Expected<GpuModel> gpuOf(const Variant &V) const;
  std::vector<BoundLaunch> launchesOf(const Variant &V, const GpuModel &Gpu);
  /// The launches that the part has points of: a stretch, since neighbours
  /// share an evaluation.
  std::vector<Variant> variants() const;
  /// Errors: as run().
  llvm::Error checkConfigurations();
  void addVariant(const Variant &V, LaunchEvaluators &On);
  /// Adds the times of one launch to all points of the variant.
  llvm::Error addLaunch(const Variant &V, LaunchEvaluators &On,
                        const BoundLaunch &L, bool IsFirst);
  llvm::Error addAtClocks(const Variant &V, LaunchEvaluators &On,
                          const BoundLaunch &L, bool IsFirst);
  /// Other models than the default one are evaluated at each clock.
  llvm::Error addPredicted(const Variant &V, const GpuModel &Gpu,
                           const BoundLaunch &L, bool IsFirst);
  void add(size_t Point, Seconds Time, std::optional<Watts> Power,
           llvm::StringRef Bottleneck, bool IsFirst);
  void addCompared(size_t Point, const ScaledTimes &Times, bool IsFirst);
  /// What of the swept configurations no cluster has seen.
  void noteExtrapolations();
  /// Calls Do with each point of the variant and its clocks.
  llvm::Error
  forEachClock(const Variant &V, const GpuModel &Gpu,
               llvm::function_ref<llvm::Error(size_t Point, Hertz Core,
                                              std::optional<Hertz> Memory)>
                   Do) const;
  void refuse(const Variant &V, llvm::Error Why);
  /// The launch as it is on the card as it is, with what it assumes.
  void describeAsIs();
  /// Says how the grid goes with the block where the block is varied.
  void describeGrids();

  const KernelReading &Reading;
  const GpuModel &Card;
  llvm::ArrayRef<SpaceAxis> Axes;
  EvaluateOptions Options; ///< of the points
  KernelCopies Copies;
  const GpuClusters &Clusters;
  const ProfiledRun *Run;
  ScalingMethod Method = ScalingMethod::Analytic;
  bool Compare;
  Shard Part;
  SizePlace Place;
  LaunchInputs Inputs; ///< of all launches, but for the GPU and the axes
  std::vector<size_t> Strides; ///< [axis] points between neighbouring values
  size_t ClockPoints = 1;      ///< points of a variant
  Surface Result;
  /// [point] longest launch so far, whose bottleneck is shown.
  std::vector<Seconds> Longest;
  llvm::StringMap<unsigned> BottleneckNumbers;
};

} // namespace gpuestimate

#endif
