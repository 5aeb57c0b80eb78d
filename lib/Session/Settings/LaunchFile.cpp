/// \file
/// Recognises the form of a file of launches and merges launches that are
/// alike. Two short forms are read here, too.
#include "gpu-estimate/Session/Settings/LaunchFile.h"

#include "LaunchFormats.h"
#include "gpu-estimate/Run/Channel.h"
#include "gpu-estimate/Run/Records.h"
#include "gpu-estimate/Session/Settings/ParseValue.h"
#include "gpu-estimate/Support/Format.h"
#include "gpu-estimate/Support/Yaml.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace gpuestimate {

// One launch of a list in YAML.

static Error wrongValue(StringRef File, const YamlNode &At,
                        const Twine &Expected) {
  return createStringError(printMessage(
      File, At.Place,
      ("expected " + Expected + ", got '" + At.Scalar + "'").str()));
}

/// "64", "64x4" or [64, 4].
static Expected<std::array<uint64_t, 3>> yamlSizes(StringRef File,
                                                   const YamlNode &Value) {
  std::vector<std::string> Parts;
  for (const YamlNode &Item : Value.Items)
    Parts.push_back(Item.Scalar);
  auto Sizes = parseSizes(Value.isList() ? join(Parts, ",") : Value.Scalar);
  if (Sizes)
    return Sizes;
  consumeError(Sizes.takeError());
  return wrongValue(File, Value, "one to three sizes above 0");
}

static Expected<double> yamlNumber(StringRef File, const YamlNode &Value) {
  Expected<double> Number = parseNumber(Value.Scalar);
  if (Number)
    return Number;
  consumeError(Number.takeError());
  return wrongValue(File, Value, "a number");
}

static Expected<RecordedLaunch> yamlLaunch(StringRef File,
                                           const YamlNode &Node) {
  RecordedLaunch L;
  L.Line = Node.Place.Line;
  for (const YamlMember &M : Node.Members) {
    const YamlNode &Value = M.Value;
    if (M.Name == "kernel") {
      L.Kernel = Value.Scalar;
    } else if (M.Name == "gpu") {
      L.Device = Value.Scalar;
    } else if (M.Name == "grid" || M.Name == "block") {
      auto Sizes = yamlSizes(File, Value);
      if (!Sizes)
        return Sizes.takeError();
      (M.Name == "grid" ? L.Sizes.Grid : L.Sizes.Block) = *Sizes;
    } else if (M.Name == "dynamic_smem") {
      Expected<double> Bytes = parseQuantity(Value.Scalar, Dimension::Bytes);
      if (!Bytes) {
        consumeError(Bytes.takeError());
        return wrongValue(File, Value, "bytes, such as 48KiB");
      }
      L.Sizes.DynamicSharedBytes = static_cast<uint64_t>(*Bytes);
    } else if (M.Name == "time") {
      Expected<double> Time = parseQuantity(Value.Scalar, Dimension::Time);
      if (!Time) {
        consumeError(Time.takeError());
        return wrongValue(File, Value, "a time, such as 12.5us");
      }
      L.Time = Seconds(*Time);
    } else if (M.Name == "count") {
      Expected<double> Count = yamlNumber(File, Value);
      if (!Count)
        return Count.takeError();
      L.Count = *Count;
    } else if (M.Name == "params" && Value.isMap()) {
      for (const YamlMember &P : Value.Members) {
        Expected<double> Number = yamlNumber(File, P.Value);
        if (!Number)
          return Number.takeError();
        L.Parameters.push_back({P.Name, *Number});
      }
    } else {
      return createStringError(printMessage(
          File, M.Place,
          "expected kernel, grid, block, dynamic_smem, params, time, count or "
          "gpu, got '" +
              M.Name + "'"));
    }
  }
  if (L.Kernel.empty())
    return createStringError(
        printMessage(File, Node.Place, "a launch needs 'kernel'"));
  return L;
}

Expected<LaunchFile> readLaunchYaml(StringRef File, StringRef Text) {
  static constexpr YamlFileKind Kind = {"a file of launches", "launches"};
  Expected<YamlNode> Root = readYamlFile(File, Text, Kind);
  if (!Root)
    return Root.takeError();
  const YamlMember *List = Root->find("launches");
  if (!List || !List->Value.isList())
    return createStringError(File + ":1:1: expected 'launches:' with a list");
  LaunchFile Read{File.str()};
  for (const YamlNode &Item : List->Value.Items) {
    Expected<RecordedLaunch> L = yamlLaunch(File, Item);
    if (!L)
      return L.takeError();
    Read.Launches.push_back(std::move(*L));
  }
  return Read;
}

Expected<LaunchFile> readSavedLaunches(StringRef File) {
  Expected<std::vector<RunRecord>> Records = loadRun(File);
  if (!Records)
    return Records.takeError();
  std::vector<std::string> Kernels;
  LaunchFile Read{File.str()};
  for (const RunRecord &R : *Records) {
    if (const auto *Kernel = std::get_if<RunKernel>(&R.What)) {
      Kernels.resize(std::max<size_t>(Kernels.size(), Kernel->Kernel + 1));
      Kernels[Kernel->Kernel] = Kernel->Mangled;
    }
    const auto *Of = std::get_if<RunLaunch>(&R.What);
    if (!Of || Of->Kernel >= Kernels.size())
      continue;
    RecordedLaunch &L = Read.Launches.emplace_back();
    L.Kernel = Kernels[Of->Kernel];
    L.Sizes = {Of->Grid, Of->Block, Of->DynamicSharedBytes};
    L.ArgumentBytes = Of->Arguments;
  }
  return Read;
}

/// Everything of a launch that decides its time.
static std::string key(const RecordedLaunch &L) {
  std::string Key;
  auto Add = [&](const Twine &Text) { Key += (Text + "\n").str(); };
  auto AddSizes = [&](const std::optional<std::array<uint64_t, 3>> &Sizes) {
    for (uint64_t Size : Sizes.value_or(std::array<uint64_t, 3>{}))
      Add(Twine(Size));
  };
  auto AddBytes = [&](std::optional<uint64_t> Bytes) {
    Add(Bytes ? Twine(*Bytes) : Twine(""));
  };
  Add(L.Kernel);
  Add(L.Device);
  AddSizes(L.Sizes.Grid);
  AddSizes(L.Sizes.Block);
  AddBytes(L.Sizes.DynamicSharedBytes);
  AddBytes(L.SharedBytes);
  for (const auto &[Name, Value] : L.Parameters)
    Add(Name + "=" + Twine(std::to_string(Value)));
  for (const std::string &Bytes : L.ArgumentBytes)
    Add(toHex(Bytes));
  return Key;
}

/// Merges launches that are alike, the longest total first.
static std::vector<RecordedLaunch> merged(std::vector<RecordedLaunch> All) {
  std::vector<RecordedLaunch> Launches;
  StringMap<size_t> Places;
  for (RecordedLaunch &L : All) {
    auto [Place, IsNew] = Places.try_emplace(key(L), Launches.size());
    if (IsNew) {
      Launches.push_back(std::move(L));
      continue;
    }
    RecordedLaunch &Same = Launches[Place->second];
    Seconds Total = Same.total() + L.total();
    bool IsTimed = Same.Time && L.Time;
    Same.Count += L.Count;
    if (IsTimed && Same.Count > 0)
      Same.Time = Total / Same.Count;
    else if (!IsTimed)
      Same.Time.reset();
  }
  stable_sort(Launches, [](const RecordedLaunch &A, const RecordedLaunch &B) {
    return A.total() > B.total();
  });
  return Launches;
}

std::string LaunchFile::device() const {
  std::string Device;
  for (const RecordedLaunch &L : Launches) {
    if (!Device.empty() && !L.Device.empty() && Device != L.Device)
      return "";
    if (!L.Device.empty())
      Device = L.Device;
  }
  return Device;
}

static Expected<LaunchFile> finished(Expected<LaunchFile> Read) {
  if (!Read)
    return Read;
  if (Read->Launches.empty())
    return createStringError(Read->File + ": has no launch of a kernel");
  Read->Launches = merged(std::move(Read->Launches));
  return Read;
}

Expected<LaunchFile> parseLaunchFile(StringRef File, StringRef Text) {
  StringRef Begin = Text.ltrim();
  Begin.consume_front("\xEF\xBB\xBF");
  if (Begin.starts_with("{") || Begin.starts_with("["))
    return finished(readLaunchTrace(File, Text));
  if (File.ends_with(".yaml") || File.ends_with(".yml"))
    return finished(readLaunchYaml(File, Text));
  return finished(readLaunchTables(File, Text));
}

Expected<LaunchFile> readLaunchFile(StringRef File) {
  if (File.ends_with(".gpurun"))
    return finished(readSavedLaunches(File));
  auto Text = MemoryBuffer::getFileOrSTDIN(File);
  if (!Text)
    return createStringError(File + ": " + Text.getError().message());
  return parseLaunchFile(File, (*Text)->getBuffer());
}

} // namespace gpuestimate
