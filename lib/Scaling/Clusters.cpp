#include "gpu-estimate/Scaling/Clusters.h"

#include <algorithm>
#include <cmath>

namespace gpuestimate {

/// Bias and weighted sum of each unit.
static Row layer(const std::vector<Row> &Units, const Row &Inputs) {
  Row Sums;
  for (const Row &Weights : Units) {
    double Sum = Weights[0];
    for (size_t I = 0; I < Inputs.size(); ++I)
      Sum += Weights[I + 1] * Inputs[I];
    Sums.push_back(Sum);
  }
  return Sums;
}

Row Classifier::probabilities(const Row &Features) const {
  Row Normalised;
  for (size_t I = 0; I < Features.size(); ++I)
    Normalised.push_back((Features[I] - Mean[I]) / Deviation[I]);
  Row Activations = layer(Hidden, Normalised);
  for (double &Activation : Activations)
    Activation = std::tanh(Activation);
  Row Scores = layer(Output, Activations);
  double Largest = *std::max_element(Scores.begin(), Scores.end()), Sum = 0;
  for (double &Score : Scores) {
    Score = std::exp(Score - Largest);
    Sum += Score;
  }
  for (double &Score : Scores)
    Score /= Sum;
  return Scores;
}

Row ClusterSet::values(const Row &Features, bool Blend) const {
  if (Centroids.size() == 1)
    return Centroids.front();
  Row Probabilities = Network.probabilities(Features);
  if (!Blend) {
    auto Best = std::max_element(Probabilities.begin(), Probabilities.end());
    return Centroids[static_cast<size_t>(Best - Probabilities.begin())];
  }
  Row Mean(Centroids.front().size(), 0);
  for (size_t C = 0; C < Centroids.size(); ++C)
    for (size_t I = 0; I < Mean.size(); ++I)
      Mean[I] += Probabilities[C] * std::log(Centroids[C][I]);
  for (double &Value : Mean)
    Value = std::exp(Value);
  return Mean;
}

double ClusterModel::leftOutError() const {
  double Sum = 0;
  for (const auto &[Kernel, Error] : LeftOut)
    Sum += Error;
  return Sum / static_cast<double>(LeftOut.size());
}

ScalingValues ClusterModel::values(const Row &Features) const {
  ScalingValues Values;
  if (!Sm.Centroids.empty())
    Values.Sm = Sm.values(Features, Blend);
  for (const ClusterSet &Set : Clocks)
    Values.Clocks.push_back(unflatten(Grid, Set.values(Features, Blend)));
  return Values;
}

} // namespace gpuestimate
