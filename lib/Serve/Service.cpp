#include "Service.h"

#include "EstimateJson.h"
#include "Products.h"
#include "RequestOptions.h"
#include "gpu-estimate/Advice/Tuning.h"
#include "gpu-estimate/Cli/Explanation.h"
#include "gpu-estimate/Model/Machine/Library.h"
#include "gpu-estimate/Model/Machine/ValidationRecord.h"
#include "gpu-estimate/Report/Diagnostics/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;

namespace gpuestimate {

static constexpr ServiceMethod Methods[] = {
    {"estimate",
     "Predicts how long each kernel of a CUDA, HIP or plain C source takes on "
     "a "
     "GPU, with an 80% interval, what bounds it, and what had to be assumed. "
     "No "
     "GPU is needed. 'defer' says that the interval is too wide to choose by.",
     true, false},
    {"rank",
     "Predicts several versions of a kernel, and sorts them by time. 'tied' "
     "versions cannot be told apart: measure them. Give 'grid' and 'block', or "
     "sources with their launch.",
     true, true},
    {"suggest",
     "Lists what slows the kernels of a source down, by line, each with the "
     "time that its remedy saves.",
     true, false},
    {"headroom",
     "Compares the predicted time of each kernel with the floor of the "
     "roofline: its operations and DRAM bytes at the GPU's peak rates.",
     true, false},
    {"explain",
     "Explains a name that results print: a diagnostic, a bound, a part of the "
     "time.",
     false, false},
    {"products",
     "Predicts kernels of a matrix product before they are written or "
     "compiled, "
     "from their tiles, warps and stages alone. Coarser than 'rank', and a "
     "thousand times as fast.",
     false, false},
    {"gpus", "Lists the GPU models.", false, false},
};

ArrayRef<ServiceMethod> serviceMethods() { return Methods; }

json::Object parameterSchema(const ServiceMethod &Method) {
  json::Object Properties;
  auto Add = [&](StringRef Name, json::Object Schema, StringRef Help) {
    Schema["description"] = Help;
    Properties[Name.str()] = std::move(Schema); // the name is kept
  };
  json::Object Text{{"type", "string"}};
  json::Array Required;
  if (Method.Name == "explain") {
    Add("name", Text,
        "The name, for example 'uncoalesced' or 'dram-bandwidth'.");
    Required.push_back("name");
  }
  if (Method.Name == "products")
    Required = addProductParameters(Properties);
  if (Method.TakesSource) {
    Add("source", Text, "The text of the source.");
    Add("file", Text,
        "The name of the source; it is read where 'source' is absent.");
    Add("language",
        json::Object{{"type", "string"},
                     {"enum", json::Array{"cuda", "hip", "ptx", "llvm", "c",
                                          "c++", "python"}}},
        "Of a source without a file name. Default: cuda.");
    Add("args",
        json::Object{{"type", "array"},
                     {"items", json::Object{{"type", "string"}}}},
        "Arguments of clang: -DTILE=16, -Iinclude.");
    for (const OptionSpec &Spec : optionTable())
      if (isRequestOption(Spec))
        Add(parameterName(Spec), json::Object{}, Spec.Help);
    Required.push_back("gpu");
  }
  if (Method.TakesCandidates) {
    Add("candidates",
        json::Object{{"type", "array"},
                     {"items", json::Object{{"type", "object"}}}},
        "The versions: each an object with 'id' and any of the other "
        "parameters, which replace those beside 'candidates'.");
    Required.push_back("candidates");
  }
  return json::Object{{"type", "object"},
                      {"properties", std::move(Properties)},
                      {"required", std::move(Required)}};
}

Expected<SharedAnalysis> Service::analysisOf(const json::Object &Parameters,
                                             ArrayRef<std::string> Models,
                                             Depth Wanted) const {
  Expected<Options> O = requestOptions(Defaults, Parameters);
  if (!O)
    return O.takeError();
  std::string Key; // members of objects are sorted
  raw_string_ostream(Key) << json::Value(without(Parameters, {"id"}));
  if (Wanted == Depth::Times) {
    Key += " times";
    O->Format = OutputFormat::Diagnostics;
  }
  return Memory->analyse(*O, Key, Models);
}

Expected<json::Value> Service::call(StringRef Method,
                                    const json::Object &Parameters) const {
  if (Method == "estimate")
    return estimate(Parameters);
  if (Method == "rank")
    return rank(Parameters);
  if (Method == "suggest")
    return suggest(Parameters);
  if (Method == "headroom")
    return headroom(Parameters);
  if (Method == "explain") {
    Expected<std::string> Text =
        explain(Parameters.getString("name").value_or(""));
    if (!Text)
      return Text.takeError();
    return json::Object{{"text", *Text}};
  }
  if (Method == "products")
    return productsJson(Defaults, Parameters);
  if (Method == "gpus")
    return gpusJson(Defaults);
  std::string Names;
  for (const ServiceMethod &M : Methods)
    Names += (Names.empty() ? "" : ", ") + M.Name.str();
  return make_error<UsageError>(
      ("no method is called '" + Method + "'; there are: " + Names).str());
}

Expected<json::Value> Service::estimate(const json::Object &Parameters) const {
  Expected<SharedAnalysis> A = analysisOf(Parameters);
  if (!A)
    return A.takeError();
  return analysisJson(**A);
}

namespace {
/// One candidate of a ranking on all GPUs of its request.
struct Candidate {
  json::Value Id = nullptr;
  SharedAnalysis Result; ///< null: Problem says why
  std::string Problem;
};
} // namespace

/// The kernels of one candidate on one GPU, as one configuration.
static TunedConfiguration
configurationOf(const std::vector<const ExplainedPrediction *> &Kernels) {
  TunedConfiguration C;
  const Prediction *Longest = nullptr;
  for (const ExplainedPrediction *E : Kernels) {
    C.Time += E->Estimate.Time;
    if (!Longest || E->Estimate.Time > Longest->Time)
      Longest = &E->Estimate;
  }
  C.Bottleneck = Longest->Bottleneck;
  if (Longest->Error)
    C.RatioError = Longest->Error->Ratio;
  return C;
}

/// The candidates that have an estimate on Gpu, the fastest first.
static json::Object rankOn(StringRef Gpu, ArrayRef<Candidate> Candidates) {
  Tuning T;
  std::vector<std::vector<const ExplainedPrediction *>> Kernels(
      Candidates.size());
  for (auto [I, C] : enumerate(Candidates)) {
    if (C.Result && C.Problem.empty())
      for (const ExplainedPrediction &E : C.Result->Estimates)
        if (E.Estimate.Gpu == Gpu)
          Kernels[I].push_back(&E);
    if (Kernels[I].empty())
      continue;
    TunedConfiguration &Row =
        T.Ranked.emplace_back(configurationOf(Kernels[I]));
    Row.Choice = {uint32_t(I)};
  }
  T.rank();
  json::Array Rows;
  for (const TunedConfiguration &Row : T.Ranked) {
    uint32_t Place = Row.Choice.front();
    json::Object Found{
        {"id", Candidates[Place].Id}, {"rank", int64_t(Row.Rank)},
        {"tied", Row.Tied},           {"time_ms", Row.Time.value() * 1e3},
        {"by_fastest", nullptr},      {"bottleneck", Row.Bottleneck}};
    if (std::optional<TimeFactors> Range = T.byFastest(Row))
      Found["by_fastest"] = json::Array{Range->Low, Range->High};
    json::Array Estimates;
    std::string Defer;
    for (const ExplainedPrediction *E : Kernels[Place]) {
      Estimates.push_back(estimateJson(*Candidates[Place].Result, *E));
      if (Defer.empty())
        Defer = whyDefer(*E);
    }
    Found["defer"] = !Defer.empty();
    if (!Defer.empty())
      Found["defer_reason"] = Defer;
    Found["estimates"] = std::move(Estimates);
    Rows.push_back(std::move(Found));
  }
  return json::Object{{"gpu", Gpu}, {"ranking", std::move(Rows)}};
}

Expected<json::Value> Service::rank(const json::Object &Parameters) const {
  const json::Array *Given = Parameters.getArray("candidates");
  if (!Given || Given->empty())
    return make_error<UsageError>("candidates: pass an array of objects");
  std::vector<Candidate> Candidates(Given->size());
  DefaultThreadPool Pool(hardware_concurrency());
  for (size_t I = 0; I < Given->size(); ++I) {
    const json::Object *Own = (*Given)[I].getAsObject();
    if (!Own)
      return make_error<UsageError>("candidates: pass an array of objects");
    Candidates[I].Id = int64_t(I);
    if (const json::Value *Id = Own->get("id"))
      Candidates[I].Id = *Id;
    Pool.async([this, &Parameters, Own, &Into = Candidates[I]] {
      json::Object Merged = without(Parameters, {"candidates"});
      for (const auto &[Key, Value] : *Own)
        Merged[Key] = Value;
      Expected<SharedAnalysis> A = analysisOf(Merged, {}, Depth::Times);
      if (!A) {
        Into.Problem = toString(A.takeError());
        return;
      }
      Into.Result = std::move(*A);
      if (Into.Result->Estimates.empty())
        Into.Problem = Into.Result->Unresolveds.empty()
                           ? "no kernel in the source"
                           : Into.Result->Unresolveds.front().Reason;
      for (const ExplainedPrediction &E : Into.Result->Estimates)
        if (E.Curve && Into.Problem.empty())
          Into.Problem = "'" + E.Estimate.Name + "': " + whyNoTime(*E.Curve);
    });
  }
  Pool.wait();
  std::vector<std::string> Gpus;
  json::Array Failed;
  for (const Candidate &C : Candidates) {
    if (!C.Problem.empty())
      Failed.push_back(json::Object{{"id", C.Id}, {"error", C.Problem}});
    if (C.Result && C.Problem.empty())
      for (const ExplainedPrediction &E : C.Result->Estimates)
        if (!is_contained(Gpus, E.Estimate.Gpu))
          Gpus.push_back(E.Estimate.Gpu);
  }
  json::Array Rankings;
  for (const std::string &Gpu : Gpus)
    Rankings.push_back(rankOn(Gpu, Candidates));
  return json::Object{{"rankings", std::move(Rankings)},
                      {"failed", std::move(Failed)}};
}

Expected<json::Value> Service::suggest(const json::Object &Parameters) const {
  Expected<SharedAnalysis> A = analysisOf(Parameters);
  if (!A)
    return A.takeError();
  json::Array Found;
  for (const ExplainedPrediction &E : (*A)->Estimates)
    for (const Finding *F : E.advice())
      Found.push_back(json::Object{{"kernel", E.Estimate.Name},
                                   {"gpu", E.Estimate.Gpu},
                                   {"location", placeJson(F->Location)},
                                   {"group", F->Group},
                                   {"id", F->Id},
                                   {"problem", F->Problem},
                                   {"remedy", F->Remedy},
                                   {"saves", F->Gain}});
  json::Object Result = analysisJson(**A);
  Result["suggestions"] = std::move(Found);
  return Result;
}

Expected<json::Value> Service::headroom(const json::Object &Parameters) const {
  static constexpr StringLiteral Floor = "roofline";
  Expected<SharedAnalysis> A =
      analysisOf(Parameters, {DefaultModel.str(), Floor.str()});
  if (!A)
    return A.takeError();
  json::Array Rows;
  for (const ModelComparison &C : (*A)->Comparisons) {
    auto TimeBy = [&](StringRef Model) -> std::optional<double> {
      for (const ModelEstimate &M : C.Models)
        if (M.Model == Model && M.Estimate)
          return M.Estimate->Time.value() * 1e3;
      return std::nullopt;
    };
    std::optional<double> Time = TimeBy(DefaultModel), Least = TimeBy(Floor);
    json::Object Row{{"kernel", C.Name},
                     {"gpu", C.Gpu},
                     {"location", placeJson(C.Location)},
                     {"launch", launchJson(C.Used)},
                     {"time_ms", Time},
                     {"floor_ms", Least}};
    if (Time && Least && *Least > 0)
      Row["headroom"] = *Time / *Least;
    Rows.push_back(std::move(Row));
  }
  return json::Object{{"kernels", std::move(Rows)},
                      {"without_estimate", unresolvedJson(**A)}};
}

Expected<json::Value> gpusJson(const Options &O) {
  Expected<std::string> Folder = findModelFolder(O.ModelFolder);
  if (!Folder)
    return Folder.takeError();
  Expected<std::vector<GpuModel>> Models = loadGpuModels(*Folder);
  if (!Models)
    return Models.takeError();
  json::Array Rows;
  for (const GpuModel &Gpu : *Models) {
    std::string Arch = Gpu.GfxTarget;
    if (Arch.empty()) {
      Arch = "sm_" + Gpu.ComputeCapability;
      erase(Arch, '.');
    }
    Rows.push_back(
        json::Object{{"id", Gpu.Id},
                     {"name", Gpu.Name},
                     {"aliases", json::Array(Gpu.Aliases)},
                     {"vendor", Gpu.Vendor},
                     {"architecture", Gpu.Architecture},
                     {"arch", Arch},
                     {"warp_size", int64_t(Gpu.WarpSize)},
                     {"multiprocessors", int64_t(Gpu.SmCount)},
                     {"core_clock_mhz", Gpu.CoreClock.value() / 1e6},
                     {"dram_bytes_per_second", Gpu.DramPeakBandwidth.value()},
                     {"mean_error", describeValidation(Gpu.Validation)}});
  }
  return json::Object{{"gpus", std::move(Rows)}};
}

} // namespace gpuestimate
