/// \file
/// Trains the clusters of Scaling/Clusters.h and says how far off they are when
/// the kernel that is predicted was left out of the training.
///
///   gpu-estimate validate --dataset dvfs-programs --sources DIR
///                --format scaling -o table.csv
///   train-scaling table.csv -o clusters.txt
///   train-scaling table.csv --only nvidia-v100 --check clusters.txt
#include "ModelText.h"
#include "Table.h"
#include "Training.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <stdexcept>

using namespace gpuestimate;

namespace {

struct Arguments {
  std::vector<std::string> Tables;
  std::string Output, Check, Only;
  TrainingSettings Settings;
};

/// One of the predictors that are trained from a table.
struct Variant {
  const char *Kind; ///< prefix of the features
  bool Corrects;    ///< the analytic model, else the base time alone
};

} // namespace

static constexpr size_t FewestKernels = 6;

static Arguments parse(int Count, char **Values) {
  Arguments A;
  for (int I = 1; I < Count; ++I) {
    std::string Name = Values[I];
    if (Name.rfind("-", 0) != 0) {
      A.Tables.push_back(Name);
      continue;
    }
    if (++I == Count)
      throw std::runtime_error(Name + ": expected a value");
    std::string Value = Values[I];
    if (Name == "-o")
      A.Output = Value;
    else if (Name == "--check")
      A.Check = Value;
    else if (Name == "--only")
      A.Only = Value;
    else if (Name == "--clusters")
      A.Settings.Clusters = static_cast<unsigned>(std::stoul(Value));
    else if (Name == "--hidden")
      A.Settings.HiddenUnits = static_cast<unsigned>(std::stoul(Value));
    else if (Name == "--decay")
      A.Settings.Decay = std::stod(Value);
    else
      throw std::runtime_error("no option is called " + Name);
  }
  if (A.Tables.empty())
    throw std::runtime_error(
        "usage: train-scaling TABLE... [-o FILE] [--check FILE] [--only TEXT]");
  return A;
}

/// The features of Kind that are used, in the order of their names.
static std::vector<std::string> featureNames(const MeasuredKernel &Kernel,
                                             const std::string &Kind) {
  // A network that sees twenty kernels can weigh few features.
  static const std::set<std::string> Static = {"dram", "core"};
  std::vector<std::string> Names;
  for (const auto &[Name, Value] : Kernel.Features) {
    if (Name.rfind(Kind + ":", 0) != 0)
      continue;
    std::string Feature = Name.substr(Kind.size() + 1);
    if (Kind != "static" || Static.count(Feature))
      Names.push_back(Feature);
  }
  return Names;
}

static TrainingKernel trainingKernel(const MeasuredTable &Table,
                                     const MeasuredKernel &Kernel,
                                     const Variant &V,
                                     const std::vector<std::string> &Names) {
  TrainingKernel T{Kernel.Name, Kernel.Measured, {}};
  if (V.Corrects)
    for (size_t I = 0; I < T.Times.size(); ++I)
      T.Times[I] /= Kernel.Predicted[I];
  Elasticities Moves = elasticities(Table.Grid, Kernel.Predicted, Table.Base);
  for (const std::string &Name : Names)
    T.Features.push_back(
        Name == CoreElasticity ? Moves.Core
        : Name == MemoryElasticity
            ? Moves.Memory
            : Kernel.Features.at(std::string(V.Kind) + ":" + Name));
  return T;
}

/// Mean absolute error of the predicted ratios to the base point.
static double error(const MeasuredTable &Table, const MeasuredKernel &Kernel,
                    const ClusterModel &Model, const Row &Features) {
  ScalingValues Values = Model.values(Features);
  size_t Base = indexOf(Table.Grid, Table.Base);
  double Sum = 0, Count = 0;
  GridPoint At;
  for (At.Sm = 0; At.Sm < Table.Grid.SmCounts.size(); ++At.Sm)
    for (At.Core = 0; At.Core < Table.Grid.CoreClocks.size(); ++At.Core)
      for (At.Memory = 0; At.Memory < Table.Grid.MemoryClocks.size();
           ++At.Memory) {
        size_t I = indexOf(Table.Grid, At);
        if (I == Base)
          continue;
        double Predicted = scalingFactor(Values, Table.Base, At);
        if (Model.Corrects)
          Predicted *= Kernel.Predicted[I] / Kernel.Predicted[Base];
        Sum += std::fabs(
            Predicted * Kernel.Measured[Base] / Kernel.Measured[I] - 1);
        ++Count;
      }
  return Sum / Count;
}

static double analyticError(const MeasuredTable &Table) {
  double Sum = 0;
  size_t Base = indexOf(Table.Grid, Table.Base);
  for (const MeasuredKernel &K : Table.Kernels)
    for (size_t I = 0; I < K.Measured.size(); ++I)
      Sum += std::fabs(K.Predicted[I] / K.Predicted[Base] * K.Measured[Base] /
                           K.Measured[I] -
                       1);
  return Sum /
         static_cast<double>(Table.Kernels.size() * (Table.Grid.size() - 1));
}

static ClusterModel trainVariant(const MeasuredTable &Table, const Variant &V,
                                 const std::vector<std::string> &Names,
                                 const TrainingSettings &Settings) {
  ClusterModel Described;
  Described.Name =
      Table.name() + "/" + V.Kind + (V.Corrects ? "/correction" : "/clusters");
  Described.Gpu = Table.Gpu;
  Described.Grid = Table.Grid;
  Described.Base = Table.Base;
  Described.Features = Names;
  Described.Blend = V.Corrects;
  Described.Corrects = V.Corrects;
  std::vector<TrainingKernel> All;
  for (const MeasuredKernel &Kernel : Table.Kernels)
    All.push_back(trainingKernel(Table, Kernel, V, Names));
  ClusterModel Model = train(Described, All, Settings);
  for (size_t Left = 0; Left < All.size(); ++Left) {
    std::vector<TrainingKernel> Others = All;
    Others.erase(Others.begin() + static_cast<long>(Left));
    Model.LeftOut.push_back(
        {All[Left].Name,
         error(Table, Table.Kernels[Left], train(Described, Others, Settings),
               All[Left].Features)});
  }
  Model.AnalyticError = analyticError(Table);
  Model.Record = {{"dataset", Table.Dataset},
                  {"kernels", std::to_string(All.size())}};
  return Model;
}

static std::vector<ClusterModel> trainTable(const MeasuredTable &Table,
                                            const TrainingSettings &Settings) {
  std::vector<ClusterModel> Models;
  if (Table.Kernels.size() < FewestKernels)
    return Models;
  for (Variant V : {Variant{"static", false}, Variant{"static", true},
                    Variant{"counter", false}, Variant{"counter", true}}) {
    std::vector<std::string> Names =
        featureNames(Table.Kernels.front(), V.Kind);
    bool Known = !Names.empty();
    for (const MeasuredKernel &K : Table.Kernels)
      Known &= featureNames(K, V.Kind) == Names;
    if (!Known)
      continue;
    Names.push_back(CoreElasticity);
    if (Table.Grid.MemoryClocks.size() > 1)
      Names.push_back(MemoryElasticity);
    if (V.Kind == std::string("counter") && !V.Corrects)
      Names = featureNames(Table.Kernels.front(), V.Kind);
    Models.push_back(trainVariant(Table, V, Names, Settings));
  }
  return Models;
}

/// "5.91 % left out, 4.38 % without gaussian (34.92 %), analytic 3.60 %"
static std::string summary(const ClusterModel &Model) {
  auto Worst = std::max_element(
      Model.LeftOut.begin(), Model.LeftOut.end(),
      [](const auto &A, const auto &B) { return A.second < B.second; });
  double Count = static_cast<double>(Model.LeftOut.size()),
         All = Model.leftOutError();
  char Text[256];
  std::snprintf(Text, sizeof Text,
                "%.2f %% left out, %.2f %% without %s (%.2f %%), analytic "
                "%.2f %%",
                100 * All, 100 * (All * Count - Worst->second) / (Count - 1),
                Worst->first.c_str(), 100 * Worst->second,
                100 * Model.AnalyticError);
  return Text;
}

/// Compares Text with the models of the same names in a file.
static bool equalsFile(const std::vector<ClusterModel> &Models,
                       const std::string &File) {
  std::ifstream In(File);
  std::stringstream Known;
  Known << In.rdbuf();
  bool Equal = In.good() || !Known.str().empty();
  for (const ClusterModel &Model : Models)
    if (Known.str().find(textOf(Model)) == std::string::npos) {
      std::cerr << File << ": '" << Model.Name
                << "' is not what the training gives\n";
      Equal = false;
    }
  return Equal;
}

static int run(const Arguments &A) {
  std::vector<ClusterModel> Models;
  for (const std::string &File : A.Tables)
    for (const MeasuredTable &Table : readTables(File)) {
      if (Table.name().find(A.Only) == std::string::npos)
        continue;
      for (const std::string &Kernel : Table.Incomplete)
        std::cerr << Table.name() << ": '" << Kernel
                  << "' lacks a configuration or features\n";
      for (ClusterModel &Model : trainTable(Table, A.Settings)) {
        std::cout << Model.Name << ": " << summary(Model) << '\n';
        Models.push_back(std::move(Model));
      }
    }
  if (!A.Output.empty()) {
    std::ofstream Out(A.Output);
    Out << fileHeader();
    for (const ClusterModel &Model : Models)
      Out << textOf(Model);
    if (!Out.flush())
      throw std::runtime_error(A.Output + ": cannot be written");
  }
  return A.Check.empty() || equalsFile(Models, A.Check) ? 0 : 1;
}

int main(int Count, char **Values) {
  try {
    return run(parse(Count, Values));
  } catch (const std::exception &E) {
    std::cerr << "train-scaling: error: " << E.what() << '\n';
    return 2;
  }
}
