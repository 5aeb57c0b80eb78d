#include "Training.h"

#include <algorithm>
#include <cmath>
#include <dlib/clustering.h>
#include <dlib/optimization.h>
#include <dlib/rand.h>
#include <set>

namespace gpuestimate {

using Vector = dlib::matrix<double, 0, 1>;

static Vector vectorOf(const Row &Values) {
  Vector V(static_cast<long>(Values.size()));
  std::copy(Values.begin(), Values.end(), V.begin());
  return V;
}

static size_t nearest(const std::vector<Row> &Centroids, const Row &Values) {
  auto Distance = [&](const Row &Centroid) {
    double Sum = 0;
    for (size_t I = 0; I < Values.size(); ++I)
      Sum += (Centroid[I] - Values[I]) * (Centroid[I] - Values[I]);
    return Sum;
  };
  auto Best = std::min_element(
      Centroids.begin(), Centroids.end(),
      [&](const Row &A, const Row &B) { return Distance(A) < Distance(B); });
  return static_cast<size_t>(Best - Centroids.begin());
}

/// K-means (Lloyd) from centres that are far from each other. Fewer than wanted
/// where kernels are alike: a cluster has members.
static std::vector<Row> centroids(const std::vector<Row> &Rows,
                                  unsigned Clusters) {
  std::vector<Vector> Samples, Centers;
  for (const Row &Values : Rows)
    Samples.push_back(vectorOf(Values));
  dlib::pick_initial_centers(
      std::min<long>(Clusters, static_cast<long>(Samples.size())), Centers,
      Samples, dlib::linear_kernel<Vector>());
  dlib::find_clusters_using_kmeans(Samples, Centers);
  std::vector<Row> Found, Used;
  for (const Vector &Center : Centers)
    Found.emplace_back(Center.begin(), Center.end());
  std::set<size_t> Members;
  for (const Row &Values : Rows)
    Members.insert(nearest(Found, Values));
  for (size_t Member : Members)
    Used.push_back(Found[Member]);
  return Used;
}

namespace {

/// The loss of a network over samples as a function of all its weights: mean
/// cross entropy and Decay times the mean squared weight.
class NetworkFit {
public:
  NetworkFit(std::vector<Row> Inputs, std::vector<size_t> Labels,
             size_t Clusters, const TrainingSettings &Settings)
      : Inputs(std::move(Inputs)), Labels(std::move(Labels)),
        Clusters(Clusters), Hidden(Settings.HiddenUnits),
        Decay(Settings.Decay) {}

  Classifier fit() const;

private:
  size_t width() const { return Inputs.front().size() + 1; }
  size_t weightCount() const { return Hidden * width() + outputCount(); }
  size_t outputCount() const { return Clusters * (Hidden + 1); }
  void unpack(const Vector &Weights, Classifier &Into) const;
  double loss(const Vector &Weights, Vector *Gradient) const;

  std::vector<Row> Inputs; ///< normalised
  std::vector<size_t> Labels;
  size_t Clusters, Hidden;
  double Decay;
};

} // namespace

void NetworkFit::unpack(const Vector &Weights, Classifier &Into) const {
  auto Next = Weights.begin();
  auto Take = [&](size_t Units, size_t Width) {
    std::vector<Row> Rows;
    for (size_t I = 0; I < Units; ++I, Next += static_cast<long>(Width))
      Rows.emplace_back(Next, Next + static_cast<long>(Width));
    return Rows;
  };
  Into.Hidden = Take(Hidden, width());
  Into.Output = Take(Clusters, Hidden + 1);
}

double NetworkFit::loss(const Vector &Weights, Vector *Gradient) const {
  Classifier Network;
  Network.Mean.assign(width() - 1, 0);
  Network.Deviation.assign(width() - 1, 1);
  unpack(Weights, Network);
  double Count = static_cast<double>(Inputs.size());
  double Loss = Decay * dlib::length_squared(Weights);
  if (Gradient)
    *Gradient = 2 * Decay * Weights;
  for (size_t S = 0; S < Inputs.size(); ++S) {
    Row Activations;
    for (const Row &Unit : Network.Hidden) {
      double Sum = Unit[0];
      for (size_t I = 0; I < Inputs[S].size(); ++I)
        Sum += Unit[I + 1] * Inputs[S][I];
      Activations.push_back(std::tanh(Sum));
    }
    Row P = Network.probabilities(Inputs[S]);
    Loss -= std::log(std::max(P[Labels[S]], 1e-300)) / Count;
    if (!Gradient)
      continue;
    Row Back(Hidden, 0);
    for (size_t C = 0; C < Clusters; ++C) {
      double Error = (P[C] - (C == Labels[S])) / Count;
      long At = static_cast<long>(Hidden * width() + C * (Hidden + 1));
      (*Gradient)(At) += Error;
      for (size_t H = 0; H < Hidden; ++H) {
        (*Gradient)(At + 1 + static_cast<long>(H)) += Error * Activations[H];
        Back[H] += Error * Network.Output[C][H + 1];
      }
    }
    for (size_t H = 0; H < Hidden; ++H) {
      double Error = Back[H] * (1 - Activations[H] * Activations[H]);
      long At = static_cast<long>(H * width());
      (*Gradient)(At) += Error;
      for (size_t I = 0; I < Inputs[S].size(); ++I)
        (*Gradient)(At + 1 + static_cast<long>(I)) += Error * Inputs[S][I];
    }
  }
  return Loss;
}

Classifier NetworkFit::fit() const {
  Vector Weights(static_cast<long>(weightCount()));
  dlib::rand Random("train-scaling");
  for (double &Weight : Weights)
    Weight = 0.5 * Random.get_random_gaussian();
  dlib::find_min(
      dlib::lbfgs_search_strategy(20),
      dlib::objective_delta_stop_strategy(1e-9, 500),
      [&](const Vector &W) { return loss(W, nullptr); },
      [&](const Vector &W) {
        Vector Gradient;
        loss(W, &Gradient);
        return Gradient;
      },
      Weights, -1);
  Classifier Network;
  unpack(Weights, Network);
  return Network;
}

/// Mean and standard deviation of each feature; a constant one has deviation 1.
static void normalise(Classifier &Into,
                      const std::vector<TrainingKernel> &Kernels) {
  double Count = static_cast<double>(Kernels.size());
  for (size_t F = 0; F < Kernels.front().Features.size(); ++F) {
    double Sum = 0, Squares = 0;
    for (const TrainingKernel &Kernel : Kernels)
      Sum += Kernel.Features[F];
    double Mean = Sum / Count;
    for (const TrainingKernel &Kernel : Kernels)
      Squares += (Kernel.Features[F] - Mean) * (Kernel.Features[F] - Mean);
    double Deviation = std::sqrt(Squares / Count);
    Into.Mean.push_back(Mean);
    Into.Deviation.push_back(Deviation > 1e-12 ? Deviation : 1);
  }
}

/// Clusters Rows, one for each kernel, and trains their network.
static ClusterSet trainSet(const std::vector<TrainingKernel> &Kernels,
                           const std::vector<Row> &Rows,
                           const TrainingSettings &Settings) {
  ClusterSet Set;
  Set.Centroids = centroids(Rows, Settings.Clusters);
  Classifier Scale;
  normalise(Scale, Kernels);
  std::vector<Row> Inputs;
  std::vector<size_t> Labels;
  for (size_t K = 0; K < Kernels.size(); ++K) {
    Row Input = Kernels[K].Features;
    for (size_t F = 0; F < Input.size(); ++F)
      Input[F] = (Input[F] - Scale.Mean[F]) / Scale.Deviation[F];
    Inputs.push_back(std::move(Input));
    Labels.push_back(nearest(Set.Centroids, Rows[K]));
  }
  if (Set.Centroids.size() > 1)
    Set.Network = NetworkFit(std::move(Inputs), std::move(Labels),
                             Set.Centroids.size(), Settings)
                      .fit();
  Set.Network.Mean = Scale.Mean;
  Set.Network.Deviation = Scale.Deviation;
  return Set;
}

ClusterModel train(ClusterModel Described,
                   const std::vector<TrainingKernel> &Kernels,
                   const TrainingSettings &Settings) {
  std::vector<ScalingValues> Values;
  for (const TrainingKernel &Kernel : Kernels)
    Values.push_back(
        scalingValues(Described.Grid, Kernel.Times, Described.Base));
  auto Rows = [&](auto RowOf) {
    std::vector<Row> Picked;
    for (const ScalingValues &V : Values)
      Picked.push_back(RowOf(V));
    return Picked;
  };
  Described.Sm = ClusterSet();
  Described.Clocks.clear();
  if (Described.Grid.SmCounts.size() > 1)
    Described.Sm = trainSet(
        Kernels, Rows([](const ScalingValues &V) { return V.Sm; }), Settings);
  for (size_t S = 0; S < Described.Grid.SmCounts.size(); ++S)
    Described.Clocks.push_back(trainSet(
        Kernels,
        Rows([S](const ScalingValues &V) { return flatten(V.Clocks[S]); }),
        Settings));
  return Described;
}

} // namespace gpuestimate
