#include "ClusterFile.h"

#include "gpu-estimate/Support/FileMessage.h"
#include "gpu-estimate/Support/Installation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

namespace {

class ClusterReader {
public:
  explicit ClusterReader(StringRef File) : File(File) {}

  Expected<std::vector<ClusterModel>> read(StringRef Text);

private:
  Error problem(const Twine &Expected) const {
    return createStringError(printMessage(File, {Line, 1}, Expected.str()));
  }
  Expected<Row> numbers(ArrayRef<StringRef> Words) const;
  Error line(ArrayRef<StringRef> Words);
  Error text(StringRef Key, ArrayRef<StringRef> Values);
  Error row(StringRef Key, Row Values);
  Error base(const Row &Values);
  Error finish();
  Error checkSet(const ClusterSet &Set, size_t Values) const;

  StringRef File;
  unsigned Line = 0;
  std::vector<ClusterModel> Models;
  bool InModel = false;
  ClusterSet *Set = nullptr; ///< that rows belong to
  Row BaseValues;
};

} // namespace

Expected<Row> ClusterReader::numbers(ArrayRef<StringRef> Words) const {
  Row Values;
  for (StringRef Word : Words) {
    double Value;
    if (Word.getAsDouble(Value) || !std::isfinite(Value))
      return problem("expected numbers, got '" + Word + "'");
    Values.push_back(Value);
  }
  if (Values.empty())
    return problem("expected numbers");
  return Values;
}

/// Keys whose values are no numbers. Key is one of them, or there is an error.
Error ClusterReader::text(StringRef Key, ArrayRef<StringRef> Values) {
  ClusterModel &Model = Models.back();
  if (Key == "record" && Values.size() >= 2) {
    Model.Record.push_back({Values[0].str(), join(Values.drop_front(), " ")});
  } else if (Key == "left_out" && Values.size() == 2) {
    Expected<Row> Error = numbers(Values.drop_front());
    if (!Error)
      return Error.takeError();
    Model.LeftOut.push_back({Values[0].str(), Error->front()});
  } else if (Key == "features") {
    Model.Features.assign(Values.begin(), Values.end());
  } else if (Key == "sm_scaling" && Values.empty()) {
    Set = &Model.Sm;
  } else if (Values.size() != 1) {
    return problem("expected one value of '" + Key + "'");
  } else if (Key == "gpu") {
    Model.Gpu = Values[0].str();
  } else if (Key == "use" && is_contained({"blend", "nearest"}, Values[0])) {
    Model.Blend = Values[0] == "blend";
  } else if (Key == "scales" && is_contained({"error", "time"}, Values[0])) {
    Model.Corrects = Values[0] == "error";
  } else if (Key == "clock_scaling") {
    // The counts stand in the order of the grid.
    Set = &Model.Clocks.emplace_back();
  } else {
    return problem("'" + Key + "' has no value '" + Values[0] + "'");
  }
  return Error::success();
}

Error ClusterReader::row(StringRef Key, Row Values) {
  ClusterModel &Model = Models.back();
  if (Key == "base") {
    BaseValues = std::move(Values);
    return Error::success();
  }
  if (Key == "analytic_error") {
    Model.AnalyticError = Values.front();
    return Error::success();
  }
  for (auto [Name, List] : {std::pair{"sm_counts", &Model.Grid.SmCounts},
                            {"core_mhz", &Model.Grid.CoreClocks},
                            {"memory_mhz", &Model.Grid.MemoryClocks}})
    if (Key == Name) {
      if (!llvm::is_sorted(Values) || Values.front() <= 0)
        return problem("expected ascending values above 0");
      *List = std::move(Values);
      return Error::success();
    }
  if (!Set)
    return problem("expected a set of clusters before '" + Key + "'");
  if (Key == "mean")
    Set->Network.Mean = std::move(Values);
  else if (Key == "deviation")
    Set->Network.Deviation = std::move(Values);
  else
    (Key == "centroid" ? Set->Centroids
     : Key == "hidden" ? Set->Network.Hidden
                       : Set->Network.Output)
        .push_back(std::move(Values));
  return Error::success();
}

Error ClusterReader::checkSet(const ClusterSet &Of, size_t Values) const {
  size_t Inputs = Models.back().Features.size();
  const Classifier &N = Of.Network;
  auto Wide = [](ArrayRef<Row> Rows, size_t Width) {
    return all_of(Rows, [&](const Row &R) { return R.size() == Width; });
  };
  if (Of.Centroids.empty() || !Wide(Of.Centroids, Values) ||
      !all_of(Of.Centroids, [](const Row &R) {
        return all_of(R, [](double Value) { return Value > 0; });
      }))
    return problem("expected centroids of " + Twine(Values) +
                   " values above 0 each");
  if (Of.Centroids.size() > 1 &&
      (N.Mean.size() != Inputs || N.Deviation.size() != Inputs ||
       is_contained(N.Deviation, 0) || N.Hidden.empty() ||
       !Wide(N.Hidden, Inputs + 1) || N.Output.size() != Of.Centroids.size() ||
       !Wide(N.Output, N.Hidden.size() + 1)))
    return problem("expected a network from " + Twine(Inputs) +
                   " features to " + Twine(Of.Centroids.size()) + " clusters");
  return Error::success();
}

static std::optional<size_t> indexIn(ArrayRef<double> Values, double Value) {
  const double *At = find(Values, Value);
  return At == Values.end() ? std::nullopt
                            : std::optional<size_t>(At - Values.begin());
}

Error ClusterReader::finish() {
  ClusterModel &Model = Models.back();
  const ConfigurationGrid &Grid = Model.Grid;
  if (Grid.SmCounts.empty() || Grid.CoreClocks.empty() ||
      Grid.MemoryClocks.empty() || Model.Clocks.size() != Grid.SmCounts.size())
    return problem("'" + Model.Name + "' has no complete grid");
  BaseValues.resize(3);
  auto Sm = indexIn(Grid.SmCounts, BaseValues[0]);
  auto Core = indexIn(Grid.CoreClocks, BaseValues[1]);
  auto Memory = indexIn(Grid.MemoryClocks, BaseValues[2]);
  if (!Sm || !Core || !Memory)
    return problem("the base of '" + Model.Name + "' is no point of its grid");
  Model.Base = {*Sm, *Core, *Memory};
  size_t Cores = Grid.CoreClocks.size(), Memories = Grid.MemoryClocks.size();
  for (const ClusterSet &Of : Model.Clocks)
    if (Error E = checkSet(Of, (Cores - 1) * Memories + Cores * (Memories - 1)))
      return E;
  return Grid.SmCounts.size() > 1 ? checkSet(Model.Sm, Grid.SmCounts.size() - 1)
                                  : Error::success();
}

Error ClusterReader::line(ArrayRef<StringRef> Words) {
  StringRef Key = Words.front();
  ArrayRef<StringRef> Values = Words.drop_front();
  if (!InModel) {
    if (Key != "model" || Values.size() != 1)
      return problem("expected 'model NAME', got '" + Key + "'");
    Models.emplace_back().Name = Values[0].str();
    InModel = true;
    Set = nullptr;
    BaseValues.clear();
    return Error::success();
  }
  if (Key == "end") {
    InModel = false;
    return finish();
  }
  static constexpr StringLiteral Rows[] = {
      "sm_counts", "core_mhz",  "memory_mhz", "base",   "centroid",
      "mean",      "deviation", "hidden",     "output", "analytic_error"};
  if (!is_contained(Rows, Key))
    return text(Key, Values);
  Expected<Row> Numbers = numbers(Values);
  return Numbers ? row(Key, std::move(*Numbers)) : Numbers.takeError();
}

Expected<std::vector<ClusterModel>> ClusterReader::read(StringRef Text) {
  bool HasSchema = false;
  while (!Text.empty()) {
    StringRef Next;
    std::tie(Next, Text) = Text.split('\n');
    ++Line;
    SmallVector<StringRef, 64> Words;
    SplitString(Next, Words);
    if (Words.empty() || Words.front().starts_with("#"))
      continue;
    if (!HasSchema) {
      if (Next.trim() != "schema gpu-estimate-scaling/1")
        return problem("expected 'schema gpu-estimate-scaling/1'");
      HasSchema = true;
    } else if (Error E = line(Words)) {
      return E;
    }
  }
  if (!HasSchema || InModel)
    return problem(InModel ? "expected 'end' of the model '" +
                                 Models.back().Name + "'"
                           : "expected 'schema gpu-estimate-scaling/1'");
  return std::move(Models);
}

Expected<std::vector<ClusterModel>> parseClusters(StringRef File,
                                                  StringRef Text) {
  return ClusterReader(File).read(Text);
}

Expected<std::vector<ClusterModel>> loadClusters() {
  Expected<std::string> Folder = findDataFolder("scaling");
  if (!Folder)
    return Folder.takeError();
  SmallString<128> File(*Folder);
  sys::path::append(File, "clusters.txt");
  auto Text = MemoryBuffer::getFile(File, /*IsText=*/true);
  if (!Text)
    return createStringError(File + ": " + Text.getError().message());
  return parseClusters(File, (*Text)->getBuffer());
}

} // namespace gpuestimate
