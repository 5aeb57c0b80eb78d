/// \file
/// `--set KEY=VALUE`: changes one value for one run, and the values that depend
/// on it.
#include "gpu-estimate/Model/Machine/Configuration.h"
#include "gpu-estimate/Model/Machine/Library.h"

#include "gpu-estimate/Support/Suggest.h"

namespace gpuestimate {

namespace {

/// A short name that scales several keys by one factor.
struct ScaledGroup {
  llvm::StringLiteral Name;
  llvm::StringLiteral Lead; ///< the key that gets the value itself
  std::array<llvm::StringLiteral, 4> Others;
};

constexpr ScaledGroup Groups[] = {
    {"dram_bandwidth",
     "dram.read_bandwidth",
     {"dram.write_bandwidth", "dram.copy_bandwidth", "dram.peak_bandwidth",
      "dram.clock"}},
    {"l2_bandwidth", "l2.read_bandwidth", {"l2.write_bandwidth", "", "", ""}},
};

/// "l2_size" and "L2.Size" are the same key.
std::string foldedKey(llvm::StringRef Name) {
  std::string Result = Name.trim().lower();
  for (char &C : Result)
    if (C == '.' || C == '-')
      C = '_';
  return Result;
}

double number(const GpuModel &Model, llvm::StringRef Path) {
  return std::get<double>(*findGpuKey(Path)->Get(Model));
}

void store(GpuModel &Model, llvm::StringRef Path, double Value,
           const llvm::Twine &Why) {
  const GpuKey &Key = *findGpuKey(Path);
  Key.Set(Model, KeyValue(Value));
  Model.Sources[Path] = {printKeyValue(Key, KeyValue(Value)), Why.str(), "",
                         WhatIfKind.str(), 0};
}

void remember(GpuModel &Model, const GpuKey &Key, llvm::StringRef Text) {
  Model.Sources[Key.Path] = {Text.trim().str(), SetForThisRun.str(), "",
                             WhatIfKind.str(), 0};
}

/// Sets sm_count, core_clock or dram.clock and what follows them.
llvm::Error setConfiguration(GpuModel &Model, const GpuKey &Key,
                             const KeyValue &Value, llvm::StringRef Text) {
  Configuration To;
  double Number = std::get<double>(Value);
  if (Key.Path == "sm_count")
    To.SmCount = static_cast<unsigned>(Number);
  else
    (Key.Path == "core_clock" ? To.CoreClock : To.MemoryClock) = Hertz(Number);
  llvm::Expected<GpuModel> Result = hypothetical(Model, To);
  if (!Result)
    return Result.takeError();
  Model = std::move(*Result);
  remember(Model, Key, Text);
  return llvm::Error::success();
}

llvm::Error setKey(GpuModel &Model, const GpuKey &Key, llvm::StringRef Text) {
  llvm::Expected<KeyValue> Value = parseKeyValue(Key, Text);
  if (!Value)
    return llvm::createStringError(Key.Path + ": " +
                                   llvm::toString(Value.takeError()));
  if (Key.Path == "sm_count" || Key.Path == "core_clock")
    return setConfiguration(Model, Key, *Value, Text);
  Key.Set(Model, *Value);
  remember(Model, Key, Text);
  return llvm::Error::success();
}

/// `memory_clock` moves all that dram.clock stands for; `dram.clock` itself is
/// one value of the file.
llvm::Error setMemoryClock(GpuModel &Model, llvm::StringRef Text) {
  const GpuKey &Key = *findGpuKey("dram.clock");
  llvm::Expected<KeyValue> Value = parseKeyValue(Key, Text);
  if (!Value)
    return llvm::createStringError("memory_clock: " +
                                   llvm::toString(Value.takeError()));
  return setConfiguration(Model, Key, *Value, Text);
}

llvm::Error setGroup(GpuModel &Model, const ScaledGroup &Group,
                     llvm::StringRef Text) {
  double Old = number(Model, Group.Lead);
  if (llvm::Error Error = setKey(Model, *findGpuKey(Group.Lead), Text))
    return Error;
  if (Old <= 0)
    return llvm::Error::success();
  double Factor = number(Model, Group.Lead) / Old;
  for (llvm::StringRef Other : Group.Others)
    if (!Other.empty() && findGpuKey(Other)->Get(Model)) // may not be stated
      store(Model, Other, number(Model, Other) * Factor,
            "follows " + Group.Lead);
  return llvm::Error::success();
}

} // namespace

llvm::Error setGpuValue(GpuModel &Model, llvm::StringRef KeyEqualsValue) {
  auto [Name, Text] = KeyEqualsValue.split('=');
  if (Name.size() == KeyEqualsValue.size() || Name.trim().empty())
    return llvm::createStringError(
        "expected KEY=VALUE such as 'core_clock=1440MHz', got '" +
        KeyEqualsValue.take_front(60) + "'");
  std::string Wanted = foldedKey(Name);
  for (const ScaledGroup &Group : Groups)
    if (Wanted == Group.Name)
      return setGroup(Model, Group, Text);
  if (Wanted == "memory_clock")
    return setMemoryClock(Model, Text);
  std::vector<std::string> Names = {"memory_clock"};
  for (const ScaledGroup &Group : Groups)
    Names.push_back(Group.Name.str());
  for (const GpuKey &Key : gpuKeys()) {
    if (foldedKey(Key.Path) == Wanted) {
      if (Key.Identity)
        return llvm::createStringError(Key.Path +
                                       ": the identity of a GPU cannot be set");
      return setKey(Model, Key, Text);
    }
    if (!Key.Identity)
      Names.push_back(Key.Path);
  }
  return llvm::createStringError("unknown GPU value '" +
                                 Name.trim().take_front(60) + "'" +
                                 didYouMean(Name.trim(), Names));
}

} // namespace gpuestimate
