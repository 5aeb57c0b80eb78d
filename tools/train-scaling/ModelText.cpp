#include "ModelText.h"

#include <cstdio>

namespace gpuestimate {

/// Digits that a value of a model has. More would differ between processors.
static std::string number(double Value) {
  char Text[32];
  std::snprintf(Text, sizeof Text, "%.6g", Value);
  return Text;
}

static std::string line(const std::string &Key, const Row &Values) {
  std::string Text = Key;
  for (double Value : Values)
    Text += " " + number(Value);
  return Text + "\n";
}

std::string fileHeader() {
  return "# Clusters of kernels that scale alike, and networks that choose "
         "among them. Written by\n# tools/train-scaling; docs/models/wu.md "
         "describes it.\nschema gpu-estimate-scaling/1\n";
}

static std::string textOf(const std::string &Title, const ClusterSet &Set) {
  std::string Text = Title + "\n";
  for (const Row &Centroid : Set.Centroids)
    Text += line("centroid", Centroid);
  if (Set.Centroids.size() < 2)
    return Text;
  Text +=
      line("mean", Set.Network.Mean) + line("deviation", Set.Network.Deviation);
  for (const Row &Unit : Set.Network.Hidden)
    Text += line("hidden", Unit);
  for (const Row &Unit : Set.Network.Output)
    Text += line("output", Unit);
  return Text;
}

std::string textOf(const ClusterModel &Model) {
  std::string Text = "\nmodel " + Model.Name + "\n";
  for (const auto &[Key, Value] : Model.Record)
    Text += "record " + Key + " " + Value + "\n";
  for (const auto &[Kernel, Error] : Model.LeftOut)
    Text += line("left_out " + Kernel, {Error});
  Text += line("analytic_error", {Model.AnalyticError});
  Text += "gpu " + Model.Gpu + "\n" + line("sm_counts", Model.Grid.SmCounts) +
          line("core_mhz", Model.Grid.CoreClocks) +
          line("memory_mhz", Model.Grid.MemoryClocks) +
          line("base", {Model.Grid.SmCounts[Model.Base.Sm],
                        Model.Grid.CoreClocks[Model.Base.Core],
                        Model.Grid.MemoryClocks[Model.Base.Memory]});
  Text += "features";
  for (const std::string &Name : Model.Features)
    Text += " " + Name;
  Text += std::string("\nuse ") + (Model.Blend ? "blend" : "nearest") +
          "\nscales " + (Model.Corrects ? "error" : "time") + "\n";
  if (!Model.Sm.Centroids.empty())
    Text += textOf("sm_scaling", Model.Sm);
  for (size_t I = 0; I < Model.Clocks.size(); ++I)
    Text += textOf("clock_scaling " + number(Model.Grid.SmCounts[I]),
                   Model.Clocks[I]);
  return Text + "end\n";
}

} // namespace gpuestimate
