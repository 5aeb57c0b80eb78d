#include "WebProject.h"

#include "Serve/EstimateJson.h"
#include "Serve/RequestOptions.h"
#include "gpu-estimate/Advice/CpiStack.h"
#include "gpu-estimate/Commands/Sweep/Sweep.h"
#include "gpu-estimate/Model/Machine/Library.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuestimate {

static bool isSource(StringRef Name) {
  static constexpr StringLiteral Endings[] = {".cu", ".cuh", ".hip", ".ptx",
                                              ".py", ".c",   ".cpp", ".cc"};
  return is_contained(Endings, sys::path::extension(Name));
}

ArrayRef<StringLiteral> WebProject::parameters() {
  static constexpr StringLiteral Names[] = {
      "gpu",   "kernel", "grid",   "block",   "dynamic_smem",
      "param", "set",    "caches", "without", "assume"};
  return Names;
}

json::Value WebProject::files() const {
  std::vector<std::string> Found;
  bool IsComplete = true;
  std::error_code Code;
  for (sys::fs::recursive_directory_iterator
           Entry(Folder, Code, /*follow_symlinks=*/false),
       End;
       Entry != End && !Code; Entry.increment(Code)) {
    StringRef Path = Entry->path(), Name = sys::path::filename(Path);
    if (Name.starts_with(".")) {
      Entry.no_push();
      continue;
    }
    if (Entry->type() != sys::fs::file_type::regular_file || !isSource(Name))
      continue;
    if (Found.size() == MaxFiles) {
      IsComplete = false;
      break;
    }
    Found.push_back(Path.substr(Folder.size()).ltrim('/').str());
  }
  sort(Found);
  json::Array Names;
  for (std::string &Name : Found)
    if (json::isUTF8(Name))
      Names.push_back(std::move(Name));
  return json::Object{{"folder", json::fixUTF8(Folder)},
                      {"gpu", Defaults.Gpus.empty()
                                  ? json::Value(nullptr)
                                  : json::Value(Defaults.Gpus.front())},
                      {"files", std::move(Names)},
                      {"complete", IsComplete}};
}

Expected<json::Value> WebProject::gpus() const {
  Expected<std::string> Models = findModelFolder(Defaults.ModelFolder);
  if (!Models)
    return Models.takeError();
  Expected<std::vector<GpuModel>> All = loadGpuModels(*Models);
  if (!All)
    return All.takeError();
  json::Array Rows;
  for (const GpuModel &Gpu : *All)
    Rows.push_back(json::Object{{"id", Gpu.Id},
                                {"name", Gpu.Name},
                                {"clock_mhz", Gpu.CoreClock.value() / 1e6},
                                {"multiprocessors", int64_t(Gpu.SmCount)}});
  return json::Object{{"gpus", std::move(Rows)}};
}

Expected<std::string> WebProject::resolve(StringRef Name) const {
  if (Name.empty() || Name.contains('\0') || !isSource(Name))
    return usage("file: expected the name of a source of the project");
  SmallString<256> Path(Folder), Real;
  sys::path::append(Path, Name);
  // What does not exist and what is outside are told alike.
  if (sys::path::is_absolute(Name) || sys::fs::real_path(Path, Real) ||
      !StringRef(Real).starts_with(Folder == "/" ? "/" : Folder + "/") ||
      !sys::fs::is_regular_file(Real))
    return usage("file: the project has no source of this name");
  return Real.str().str();
}

/// Operations and bytes per second of a launch, and the most that its GPU can.
static json::Object rooflineJson(const Prediction &P, const GpuModel &Gpu) {
  double Flops = P.Count.FlopFp16 + P.Count.FlopFp32 + P.Count.FlopFp64;
  double Time = P.Execution.value();
  OpClass Class = P.Count.FlopFp64 > P.Count.FlopFp32   ? OpClass::Fp64Fma
                  : P.Count.FlopFp16 > P.Count.FlopFp32 ? OpClass::Fp16Fma
                                                        : OpClass::Fp32Fma;
  double Peak =
      2 * Gpu.cost(Class).Throughput * Gpu.SmCount * Gpu.CoreClock.value();
  return json::Object{
      {"flop_per_second", Time > 0 ? Flops / Time : 0},
      {"flop_per_byte", P.Count.DramBytes > 0
                            ? json::Value(Flops / P.Count.DramBytes)
                            : json::Value(nullptr)},
      {"peak_flop_per_second", Peak},
      {"peak_bytes_per_second", Gpu.DramReadBandwidth.value()}};
}

Expected<WebProject::Request>
WebProject::request(const json::Object &Parameters) const {
  Expected<std::string> File =
      resolve(Parameters.getString("file").value_or(""));
  if (!File)
    return File.takeError();
  json::Object Allowed{{"file", *File}};
  for (const auto &[Key, Value] : Parameters) {
    StringRef Name = Key;
    if (Name == "file")
      continue;
    if (!is_contained(parameters(), Name))
      return usage("no parameter is called '" + Name + "' here");
    Allowed[Name.str()] = Value;
  }
  Expected<Options> O = requestOptions(Defaults, Allowed);
  if (!O)
    return O.takeError();
  Expected<std::string> Folder = findModelFolder(O->ModelFolder);
  if (!Folder)
    return Folder.takeError();
  std::map<std::string, GpuModel> Gpus;
  for (const std::string &Id : O->Gpus) {
    if (StringRef(Id).contains('/')) // a file is not the project's
      return usage("gpu: expected the id of a GPU model");
    Expected<std::vector<GpuModel>> Models = findGpuModels(Id, *Folder);
    if (!Models)
      return usage(toString(Models.takeError()));
    for (GpuModel &Gpu : *Models) {
      for (const std::string &Set : O->GpuOverrides)
        if (Error E = setGpuValue(Gpu, Set))
          return usage(toString(std::move(E)));
      Gpus.emplace(Gpu.Id, std::move(Gpu));
    }
  }
  std::string Key;
  raw_string_ostream(Key) << json::Value(std::move(Allowed));
  return Request{std::move(*O), std::move(Gpus), std::move(Key)};
}

Expected<json::Value>
WebProject::estimate(const json::Object &Parameters) const {
  Expected<Request> R = request(Parameters);
  if (!R)
    return R.takeError();
  Expected<SharedAnalysis> A = Memory.analyse(R->Asked, R->Key, {});
  if (!A)
    return A.takeError();
  json::Object Result = analysisJson(**A);
  for (auto [Row, E] : zip(*Result.getArray("estimates"), (*A)->Estimates)) {
    json::Object &Into = *Row.getAsObject();
    json::Array Stack;
    for (const auto &[Component, Cycles] : cpiStack(E.Estimate))
      Stack.push_back(json::Object{{"component", Component},
                                   {"cycles_per_instruction", Cycles}});
    Into["cpi_stack"] = std::move(Stack);
    if (auto Gpu = R->Gpus.find(E.Estimate.Gpu); Gpu != R->Gpus.end())
      Into["roofline"] = rooflineJson(E.Estimate, Gpu->second);
    json::Object Arguments;
    for (const auto &[Name, Value] : E.Estimate.Arguments)
      Arguments[Name] = Value;
    Into["arguments"] = std::move(Arguments);
  }
  return Result;
}

/// The axes of a surface as `--vary` takes them: both end at what the card has.
static std::vector<std::string> surfaceAxes(const GpuModel &Card) {
  constexpr unsigned Steps = WebProject::SurfaceSteps;
  double Highest =
             Card.Limits.CoreClockMax.value_or(Card.CoreClock).value() / 1e6,
         Lowest = std::max(Highest / Steps,
                           Card.Limits.CoreClockMin.value_or(Hertz(0)).value() /
                               1e6);
  std::string Counts = "sm_count=", Clocks = "core_clock=";
  unsigned Before = 0;
  for (unsigned I = 1; I <= Steps; ++I) {
    unsigned Count = std::max(1u, Card.SmCount * I / Steps);
    if (Count != Before)
      Counts += (Before ? "," : "") + std::to_string(Count);
    Before = Count;
    double Clock = Lowest + (Highest - Lowest) * (I - 1) / (Steps - 1);
    Clocks += (I > 1 ? "," : "") + std::to_string(unsigned(Clock)) + "MHz";
  }
  return {std::move(Counts), std::move(Clocks)};
}

static json::Object surfaceJson(const Surface &S) {
  size_t Across = S.Axes[1].size();
  json::Array Times;
  for (size_t I = 0; I < S.Axes[0].size(); ++I) {
    json::Array Row;
    for (const SurfacePoint &P : ArrayRef(S.Points).slice(I * Across, Across))
      Row.push_back(P.hasTime() ? json::Value(P.Time.value() * 1e3) : nullptr);
    Times.push_back(std::move(Row));
  }
  return json::Object{{"kernel", S.Name},
                      {"gpu", S.Gpu},
                      {"multiprocessors", json::Array(S.Axes[0].Numbers)},
                      {"clocks_mhz", json::Array(S.Axes[1].Numbers)},
                      {"times_ms", std::move(Times)}};
}

Expected<json::Value>
WebProject::surface(const json::Object &Parameters) const {
  Expected<Request> R = request(Parameters);
  if (!R)
    return R.takeError();
  Options &O = R->Asked;
  // The surface is over the values that "set" would change.
  erase_if(O.GpuOverrides, [](StringRef Set) {
    return Set.starts_with("core_clock=") || Set.starts_with("sm_count=");
  });
  Expected<std::string> Folder = findModelFolder(O.ModelFolder);
  if (!Folder)
    return Folder.takeError();
  json::Array Surfaces;
  for (const auto &[Id, Changed] : R->Gpus) {
    Expected<std::vector<GpuModel>> Card = findGpuModels(Id, *Folder);
    if (!Card)
      return Card.takeError();
    Options Own = O;
    Own.Gpus = {Id};
    for (const std::string &Text : surfaceAxes(Card->front())) {
      Expected<SpaceAxis> Axis = parseSweptAxis(Text);
      if (!Axis)
        return Axis.takeError();
      Own.Sweep.Axes.push_back(std::move(*Axis));
    }
    Expected<FileSweep> Found = sweepFile(Own);
    if (!Found)
      return Found.takeError();
    for (const Surface &S : Found->Surfaces)
      Surfaces.push_back(surfaceJson(S));
  }
  return json::Object{{"surfaces", std::move(Surfaces)}};
}

} // namespace gpuestimate
