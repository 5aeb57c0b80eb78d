/// \file
/// Makes the clusters of Scaling/Clusters.h from measured tables: K-means over
/// the scaling values, then a network with one hidden layer from features to
/// clusters. Both come from dlib and depend on nothing but their inputs, so
/// that the same table gives the same text.
#ifndef GPU_ESTIMATE_TOOLS_TRAINSCALING_TRAINING_H
#define GPU_ESTIMATE_TOOLS_TRAINSCALING_TRAINING_H

#include "gpu-estimate/Scaling/Clusters.h"
#include <string>
#include <vector>

namespace gpuestimate {

/// A kernel over a grid of configurations.
struct TrainingKernel {
  std::string Name;
  Row Times;    ///< as indexOf() orders them: times or errors of predictions
  Row Features; ///< at the base point
};

struct TrainingSettings {
  unsigned Clusters = 4;
  unsigned HiddenUnits = 6;
  double Decay = 0.02; ///< weight of the squared weights in the loss
};

/// The clusters of Kernels; at least one. Grid, Base and Features of Described
/// are kept.
ClusterModel train(ClusterModel Described,
                   const std::vector<TrainingKernel> &Kernels,
                   const TrainingSettings &Settings);

} // namespace gpuestimate

#endif
