/// \file
/// Clusters of kernels that scale alike, and the network that says to which
/// cluster a kernel belongs (Wu et al. 2015, sections III-C and III-D). One set
/// of clusters holds the clock scaling values of each count of multiprocessors,
/// and one the scaling over these counts; each set has a network of its own. A
/// prediction is the base time times the values of the clusters.
///
/// The clusters are made by tools/train-scaling; here they are only used.
#ifndef GPU_ESTIMATE_SCALING_CLUSTERS_H
#define GPU_ESTIMATE_SCALING_CLUSTERS_H

#include "gpu-estimate/Scaling/ScalingValues.h"
#include <string>
#include <utility>

namespace gpuestimate {

using Row = std::vector<double>;

/// Names of the features that Elasticities of the analytic prediction give.
inline constexpr const char *CoreElasticity = "core_elasticity",
                            *MemoryElasticity = "memory_elasticity";

/// A network with one hidden layer. With x the features, normalised to (x -
/// Mean) / Deviation:
///
///   h = tanh(W x + w0)      p = softmax(V h + v0)
///
/// p[c] is the probability of cluster c. A row of a matrix belongs to one unit
/// and begins with its bias w0 or v0.
struct Classifier {
  Row Mean, Deviation;
  std::vector<Row> Hidden, Output;

  Row probabilities(const Row &Features) const;
};

struct ClusterSet {
  std::vector<Row> Centroids; ///< scaling values, as flatten() orders them
  Classifier Network;         ///< not used with one cluster

  /// The values that a kernel with Features has: those of the most probable
  /// cluster, or (Blend) the mean of all, weighted with their probabilities,
  /// of the logarithms.
  Row values(const Row &Features, bool Blend) const;
};

/// The clusters of one table of measured times.
struct ClusterModel {
  std::string Name; ///< "nvidia-gtx-980/low/static"
  std::string Gpu;
  ConfigurationGrid Grid;
  GridPoint Base;
  std::vector<std::string> Features; ///< names, in the order of the inputs
  bool Blend = false;                ///< see ClusterSet::values
  /// The values scale the error of the analytic model, measured time /
  /// predicted time, and not the time itself.
  bool Corrects = false;
  ClusterSet Sm;                  ///< no centroids with one count
  std::vector<ClusterSet> Clocks; ///< for each count
  /// What is known of the model: ("dataset", "dvfs-programs").
  std::vector<std::pair<std::string, std::string>> Record;
  /// The kernels of the training with the mean absolute error of their ratios
  /// to the base point, as a fraction, when they were left out of it.
  std::vector<std::pair<std::string, double>> LeftOut;
  /// Error of the analytic model, mean over all kernels.
  double AnalyticError = 0;

  /// Mean over the kernels of LeftOut.
  double leftOutError() const;

  ScalingValues values(const Row &Features) const;
};

} // namespace gpuestimate

#endif
