/// \file
/// The table of models.
#include "gpu-estimate/Evaluate/Models/Models.h"

#include "Interval.h"
#include "Kleimenov.h"
#include "MwpCwp.h"
#include "Roofline.h"
#include "SustainedRoofline.h"
#include "gpu-estimate/Evaluate/Models/LatencyBandwidth.h"
#include "gpu-estimate/Evaluate/Models/QuantitativeRoofline.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

static bool noTerm(Term) { return false; }

static constexpr ModelInfo ModelTable[] = {
    {DefaultModel, "latencies, issue, bandwidths, waves and launches",
     fillLatencyBandwidth, [](Term T) { return TermSet::all().contains(T); }},
    {"kleimenov", "the origin of the default model, as published",
     fillKleimenov},
    {"mwp-cwp", "warp parallelism of memory and computation", fillMwpCwp},
    {"mwp-cwp-printed", "mwp-cwp, by equations 16 and 17 also with tiles",
     fillMwpCwpPrinted, noTerm,
     /*IsCompared=*/false},
    {"mwp-cwp-baseline", "mwp-cwp with one miss rate for all accesses",
     fillMwpCwpBaseline, noTerm,
     /*IsCompared=*/false},
    {"quantitative-roofline", "three classes of instructions, or DRAM",
     fillQuantitativeRoofline},
    {"interval", "one warp's intervals, and what W warps do to them",
     fillInterval,
     [](Term T) { return T == Term::Outstanding || T == Term::DramQueue; }},
    {"interval-naive", "all warps as fast as one, up to the issue rate",
     fillNaiveInterval, noTerm,
     /*IsCompared=*/false},
    {"interval-markov", "a Markov chain of the number of stalled warps",
     fillMarkovChain, noTerm,
     /*IsCompared=*/false},
    {"sustained-roofline",
     "launch, bytes and operations at sustained rates: the baseline",
     fillSustainedRoofline},
    {"roofline", "DRAM bytes and floating-point operations at peak",
     fillRoofline},
};

ArrayRef<ModelInfo> modelTable() { return ModelTable; }

const ModelInfo *findModel(StringRef Name) {
  const ModelInfo *Model =
      find_if(ModelTable, [&](const ModelInfo &M) { return M.Name == Name; });
  return Model == std::end(ModelTable) ? nullptr : Model;
}

std::string modelNames() {
  std::string Names;
  for (const ModelInfo &M : ModelTable)
    Names += (Names.empty() ? "" : ", ") + M.Name.str();
  return Names;
}

Expected<std::vector<std::string>> modelsOfList(StringRef List,
                                                bool EmptyIsAll) {
  std::vector<std::string> Models;
  SmallVector<StringRef> Names;
  List.split(Names, ',', -1, /*KeepEmpty=*/false);
  for (StringRef Name : Names)
    if (Name != "all" && !isModel(Name))
      return createStringError("no model is called '" + Name +
                               "'; there are: " + modelNames() + ", all");
  bool All = is_contained(Names, "all") || (Names.empty() && EmptyIsAll);
  for (const ModelInfo &M : ModelTable)
    if ((All && M.IsCompared) || is_contained(Names, M.Name))
      Models.push_back(M.Name.str());
  return Models;
}

Error checkTerms(const ModelInfo &Model, const StringSet<> &Without) {
  std::string Names;
  StringSet<> Missing = Without;
  for (const TermInfo &T : timeComponents()) {
    if (!Model.HasTerm(T.Id))
      continue;
    Names += (Names.empty() ? "" : ", ") + T.Name.str();
    Missing.erase(T.Name);
  }
  if (Missing.empty())
    return Error::success();
  // Sets have no order; the message names the first in alphabetical order.
  StringRef First = Missing.begin()->getKey();
  for (const auto &Entry : Missing)
    First = std::min(First, Entry.getKey());
  return make_error<ModelRefusal>("--without: model " + Model.Name.str() +
                                  " has no term '" + First.str() + "'; " +
                                  (Names.empty()
                                       ? "none of its terms can be switched off"
                                       : "it has: " + Names));
}

} // namespace gpuestimate
