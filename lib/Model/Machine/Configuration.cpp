#include "gpu-estimate/Model/Machine/Configuration.h"

#include "llvm/Support/FormatVariadic.h"

namespace gpuestimate {

namespace {

constexpr llvm::StringLiteral FollowsClocks = "follows the clocks",
                              FollowsSmCount = "follows sm_count";

/// A value that no clock moves because the user has set it.
bool isSetByUser(const GpuModel &Gpu, llvm::StringRef Path) {
  auto Origin = Gpu.Sources.find(Path);
  return Origin != Gpu.Sources.end() && Origin->second.Kind == WhatIfKind &&
         Origin->second.Source != FollowsClocks &&
         Origin->second.Source != FollowsSmCount;
}

std::string megahertz(Hertz Clock) {
  return llvm::formatv("{0} MHz", llvm::format("%.10g", Clock.value() / 1e6))
      .str();
}

/// Where a card's range is not known, clocks far from its own are refused as
/// mistakes: below a twentieth (Turing's memory idles at a twelfth), above
/// twice.
constexpr double LowestShare = 0.05, HighestShare = 2;

void checkClock(std::vector<ExceededLimit> &Found, const GpuModel &Card,
                llvm::StringRef What, std::optional<Hertz> Clock,
                std::optional<Hertz> Own, std::optional<Hertz> Min,
                std::optional<Hertz> Max) {
  if (!Clock || !Own)
    return;
  // Drivers round clocks to whole megahertz.
  const Hertz Rounding(1e6), Low = Min.value_or(*Own * LowestShare),
                             High = Max.value_or(*Own * HighestShare);
  bool TooLow = *Clock + Rounding <= Low, TooHigh = *Clock >= High + Rounding;
  if (!TooLow && !TooHigh)
    return;
  bool IsKnown = TooLow ? Min.has_value() : Max.has_value();
  std::string Key = (What + "_clock").str();
  Found.push_back(
      {Key, Clock->value(),
       ("the " + What + " clock of " + Card.Name +
        (IsKnown ? " is between " : " is not known to reach beyond ") +
        megahertz(Low) + " and " + megahertz(High))
           .str(),
       "got " + megahertz(*Clock),
       "limits." + Key + (TooHigh ? "_max" : "_min")});
}

void noteClock(std::vector<std::string> &Notes, llvm::StringRef Key,
               std::optional<Hertz> Clock, std::optional<Hertz> Own,
               bool IsKnown) {
  if (Clock && Own && *Clock != *Own && !IsKnown)
    Notes.push_back(
        (Key + ": which clocks the card can be set to is not known").str());
}

void record(GpuModel &Gpu, const GpuKey &Key, llvm::StringRef Source) {
  Gpu.Sources[Key.Path] = {printKeyValue(Key, *Key.Get(Gpu)), Source.str(), "",
                           WhatIfKind.str(), 0};
}

} // namespace

std::optional<Hertz> memoryClock(const GpuModel &Gpu) {
  if (Gpu.DramClock)
    return Gpu.DramClock;
  if (Gpu.DramBusWidth)
    return Hertz(Gpu.DramPeakBandwidth.value() /
                 (2 * Gpu.DramBusWidth->value()));
  return std::nullopt;
}

std::vector<ExceededLimit> exceededLimits(const GpuModel &Card,
                                          const Configuration &To) {
  std::vector<ExceededLimit> Found;
  const ConfigurationLimits &L = Card.Limits;
  if (To.SmCount && L.SmCount && *To.SmCount > *L.SmCount)
    Found.push_back({"sm_count", double(*To.SmCount),
                     "the die of " + Card.Name + " has 1 to " +
                         std::to_string(*L.SmCount) + " multiprocessors",
                     "got " + std::to_string(*To.SmCount), "limits.sm_count"});
  checkClock(Found, Card, "core", To.CoreClock, Card.CoreClock, L.CoreClockMin,
             L.CoreClockMax);
  checkClock(Found, Card, "memory", To.MemoryClock, memoryClock(Card),
             L.MemoryClockMin, L.MemoryClockMax);
  return Found;
}

std::vector<std::string> extrapolations(const GpuModel &Card,
                                        const Configuration &To) {
  std::vector<std::string> Notes;
  const ConfigurationLimits &L = Card.Limits;
  if (To.SmCount && *To.SmCount > Card.SmCount)
    Notes.push_back("sm_count above " + std::to_string(Card.SmCount) +
                    ": the product has " + std::to_string(Card.SmCount) +
                    " multiprocessors" +
                    (L.SmCount ? ", its die " + std::to_string(*L.SmCount)
                               : std::string()));
  noteClock(Notes, "core_clock", To.CoreClock, Card.CoreClock,
            L.CoreClockMin && L.CoreClockMax);
  noteClock(Notes, "memory_clock", To.MemoryClock, memoryClock(Card),
            L.MemoryClockMin && L.MemoryClockMax);
  return Notes;
}

ClockScaling::ClockScaling(const GpuModel &Card)
    : OnChipCycles(Card.L2.Latency.value()),
      BlockRateFollowsCore(Card.BlockRateFollowsCore) {
  if (Card.L2FarLatency) // a miss starts in either partition
    OnChipCycles = (OnChipCycles + Card.L2FarLatency->value()) / 2;
  for (const GpuKey &Key : gpuKeys()) {
    if (Key.Moves == Scaling::Fixed || Key.Moves == Scaling::CoreCycles)
      continue;
    bool IsClock = Key.Dim == KeyDimension::Frequency;
    std::optional<KeyValue> Value = Key.Get(Card);
    if (Value && (IsClock || !isSetByUser(Card, Key.Path)))
      Values.push_back({&Key, std::get<double>(*Value)});
  }
}

void ClockScaling::apply(GpuModel &To, double CoreFactor,
                         double MemoryFactor) const {
  for (const MovingValue &V : Values) {
    double Value = V.Value;
    switch (V.Key->Moves) {
    case Scaling::CoreClock:
      Value *= CoreFactor;
      break;
    case Scaling::MemoryClock:
      Value *= MemoryFactor;
      break;
    case Scaling::BeyondL2:
      if (Value > OnChipCycles)
        Value = OnChipCycles + (Value - OnChipCycles) * CoreFactor;
      break;
    case Scaling::Dispatcher:
      if (!BlockRateFollowsCore)
        Value /= CoreFactor;
      break;
    case Scaling::ByUnit:
    case Scaling::Fixed:
    case Scaling::CoreCycles:
      break;
    }
    V.Key->Set(To, KeyValue(Value));
  }
}

llvm::Expected<GpuModel> hypothetical(const GpuModel &Gpu,
                                      const Configuration &To) {
  GpuModel Result = Gpu;
  double CoreFactor = To.CoreClock ? *To.CoreClock / Gpu.CoreClock : 1,
         MemoryFactor = 1;
  if (To.MemoryClock) {
    std::optional<Hertz> Own = memoryClock(Gpu);
    if (!Own)
      return llvm::createStringError(
          "memory_clock: " + Gpu.Name +
          " states no memory clock (dram.clock or dram.bus_width)");
    MemoryFactor = *To.MemoryClock / *Own;
  }
  ClockScaling Clocks(Gpu);
  Clocks.apply(Result, CoreFactor, MemoryFactor);
  for (const ClockScaling::MovingValue &V : Clocks.values())
    if (std::get<double>(*V.Key->Get(Result)) != V.Value)
      record(Result, *V.Key, FollowsClocks);
  if (To.SmCount) {
    double Share = double(*To.SmCount) / Gpu.SmCount;
    if (Share != 1 && Gpu.Power.ClockTree &&
        !isSetByUser(Gpu, "power.clock_tree")) {
      Result.Power.ClockTree = *Gpu.Power.ClockTree * Share;
      record(Result, *findGpuKey("power.clock_tree"), FollowsSmCount);
    }
    Result.SmCount = *To.SmCount;
    record(Result, *findGpuKey("sm_count"), SetForThisRun);
  }
  if (To.CoreClock) {
    Result.CoreClock = *To.CoreClock; // without the rounding of a factor
    record(Result, *findGpuKey("core_clock"), SetForThisRun);
  }
  if (To.MemoryClock) {
    Result.DramClock = *To.MemoryClock;
    record(Result, *findGpuKey("dram.clock"), SetForThisRun);
  }
  return Result;
}

llvm::Expected<GpuModel> configured(const GpuModel &Card,
                                    const Configuration &To) {
  if (To.SmCount && *To.SmCount < 1)
    return llvm::createStringError("sm_count: expected at least 1, got 0");
  std::vector<ExceededLimit> Exceeded = exceededLimits(Card, To);
  if (Exceeded.empty())
    return hypothetical(Card, To);
  const ExceededLimit &E = Exceeded.front();
  return llvm::createStringError(E.Key + ": " + E.Range + ", " + E.Got +
                                 "; for a card that does not exist, set " +
                                 E.LimitKey + ", too");
}

} // namespace gpuestimate
