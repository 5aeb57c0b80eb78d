/// \file
/// The clusters of one GPU, and which predictor of scaling (ScalingMethod.h) is
/// the best one there.
#ifndef GPU_ESTIMATE_SCALING_GPUCLUSTERS_H
#define GPU_ESTIMATE_SCALING_GPUCLUSTERS_H

#include "gpu-estimate/Scaling/Clusters.h"
#include "gpu-estimate/Scaling/Features.h"
#include "gpu-estimate/Scaling/ScalingMethod.h"
#include "llvm/Support/Error.h"

namespace gpuestimate {

/// What a kernel's cluster is chosen by.
enum class FeatureKind : unsigned char { Static, Counter };

/// Clocks in MHz.
struct ClockPoint {
  double Core = 0, Memory = 0;

  /// Equal but for what drivers round and clocks waver: 1 %.
  bool isNear(ClockPoint Other) const;
};

/// The clusters of one table of measured times, for one kind of features.
struct ClusterTable {
  ClusterModel Clusters, Correction;
  FeatureKind Kind = FeatureKind::Static;

  const ConfigurationGrid &grid() const { return Clusters.Grid; }
  ClockPoint base() const;
  /// The nearest clocks of the grid's range.
  ClockPoint nearest(ClockPoint To) const;
  bool contains(ClockPoint Point) const;
};

class GpuClusters {
public:
  /// The tables of Gpu in scaling/clusters.txt that have both predictors, with
  /// the errors of kernels left out; none where the file has no such GPU.
  /// Errors: the file cannot be read.
  static llvm::Expected<GpuClusters> load(llvm::StringRef Gpu,
                                          FeatureKind Kind);
  /// The clusters of given models.
  static GpuClusters of(llvm::ArrayRef<ClusterModel> Models,
                        llvm::StringRef Gpu, FeatureKind Kind);

  /// Takes the table of this base point from Others, if both have one.
  void take(const GpuClusters &Others, ClockPoint Base);

  bool empty() const { return Tables.empty(); }
  llvm::ArrayRef<ClusterTable> tables() const { return Tables; }
  /// The table whose range is nearest to the point; there must be one.
  const ClusterTable &tableFor(ClockPoint Point) const;

  /// Mean absolute error of the ratio to the base point over all tables, as a
  /// fraction; the kernel that is predicted was left out of the training.
  double error(ScalingMethod Method) const;
  /// The method of the least error; the analytic one without tables.
  ScalingMethod best() const;
  /// "errors of kernels left out of the training: analytic 2.7%, clusters 3.3%,
  /// correction 3.0%", or that there are no clusters.
  std::string describeErrors() const;

private:
  std::vector<ClusterTable> Tables;
};

/// The inputs of the networks of Model. Errors: a feature that is not known.
llvm::Expected<Row> featureRow(const ClusterModel &Model,
                               const NamedFeatures &Known,
                               const Elasticities &Moves);

/// The factors of a kernel with these features over the clocks of its table.
/// Errors as of featureRow().
llvm::Expected<ClockFactors> clockFactors(const ClusterModel &Model,
                                          const NamedFeatures &Known,
                                          const Elasticities &Moves);

/// GPUs that scaling/clusters.txt has tables of.
llvm::Expected<std::vector<std::string>> gpusWithClusters();

} // namespace gpuestimate

#endif
