/// \file
/// `--set KEY=VALUE`: changes one value for one run, and the values that depend
/// on it.
#include "gpu-estimate/Model/Machine/GpuModelKeys.h"
#include "gpu-estimate/Model/Machine/Library.h"

#include "gpu-estimate/Support/Suggest.h"

namespace gpuestimate {

namespace {

constexpr llvm::StringLiteral WhatIf = "what-if";

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
std::string folded(llvm::StringRef Name) {
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
                         WhatIf.str(), 0};
}

/// Rescales the values that depend on the core clock. The part of the DRAM
/// latency beyond L2 is constant in time, so it changes in cycles; L2 runs at
/// the core clock, so its bandwidth changes in bytes per second. Values that
/// the user has set stay.
void followClock(GpuModel &Model, double Factor) {
  auto Scale = [&](llvm::StringRef Path, double Value) {
    if (Model.Sources[Path].Kind != WhatIf)
      store(Model, Path, Value, "follows core_clock");
  };
  double OnChip = Model.L2.Latency.value();
  if (Model.L2FarLatency) // a miss starts in either partition
    OnChip = (OnChip + Model.L2FarLatency->value()) / 2;
  double Beyond = Model.DramLatency.value() - OnChip;
  if (Beyond > 0)
    Scale("dram.latency", OnChip + Beyond * Factor);
  Scale("l2.read_bandwidth", number(Model, "l2.read_bandwidth") * Factor);
  Scale("l2.write_bandwidth", number(Model, "l2.write_bandwidth") * Factor);
}

llvm::Error setKey(GpuModel &Model, const GpuKey &Key, llvm::StringRef Text) {
  llvm::Expected<KeyValue> Value = parseKeyValue(Key, Text);
  if (!Value)
    return llvm::createStringError(Key.Path + ": " +
                                   llvm::toString(Value.takeError()));
  double OldClock = Model.CoreClock.value();
  Key.Set(Model, *Value);
  Model.Sources[Key.Path] = {Text.trim().str(), "set for this run", "",
                             WhatIf.str(), 0};
  if (Key.Path == "core_clock" && OldClock > 0)
    followClock(Model, Model.CoreClock.value() / OldClock);
  return llvm::Error::success();
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
  std::string Wanted = folded(Name);
  for (const ScaledGroup &Group : Groups)
    if (Wanted == Group.Name)
      return setGroup(Model, Group, Text);
  std::vector<std::string> Names;
  for (const ScaledGroup &Group : Groups)
    Names.push_back(Group.Name.str());
  for (const GpuKey &Key : gpuKeys()) {
    if (folded(Key.Path) == Wanted) {
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
