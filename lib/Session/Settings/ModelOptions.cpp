#include "ModelOptions.h"

#include "gpu-estimate/Session/Settings/ParseValue.h"
#include "gpu-estimate/Support/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

Error parseCaches(Options &O, StringRef Value) {
  return choose<CacheState>(
      Value, O.Caches,
      {{"cold", CacheState::Cold}, {"warm", CacheState::Warm}});
}

Error parseCacheRule(Options &O, StringRef Value) {
  return choose<CacheRule>(Value, O.Hits,
                           {{"layer-conditions", CacheRule::LayerConditions},
                            {"set-associative", CacheRule::SetAssociative}});
}

Error parseTiming(Options &O, StringRef Value) {
  O.Timing = launchTimingFromName(Value);
  return O.Timing ? Error::success()
                  : usage("expected back-to-back, single or graph, got '" +
                          Value + "'");
}

Error parseIntervalLevel(Options &O, StringRef Value) {
  Expected<double> Level = parseQuantity(Value, Dimension::Fraction);
  if (!Level)
    return usage(toString(Level.takeError()));
  if (!is_contained(intervalLevels(), *Level))
    return usage("expected 50%, 80%, 90% or 95%, got '" + Value + "'");
  O.IntervalLevel = *Level;
  return Error::success();
}

static Error parseVerdictRule(VerdictRule &Into, StringRef Value) {
  return choose<VerdictRule>(Value, Into,
                             {{"likely", VerdictRule::Likely},
                              {"sure", VerdictRule::Sure},
                              {"possible", VerdictRule::Possible}});
}

Error parseBudgetWhen(Options &O, StringRef Value) {
  return parseVerdictRule(O.BudgetWhen, Value);
}

Error parseChangedWhen(Options &O, StringRef Value) {
  return parseVerdictRule(O.Changes.When, Value);
}

Error parseDivisions(Options &O, StringRef Value) {
  O.Divisions = divisionOperandsFromName(Value);
  return O.Divisions
             ? Error::success()
             : usage("expected ordinary, zero or invalid, got '" + Value + "'");
}

Error parseAssumptions(Options &O, StringRef Text, const Constants &Variables) {
  for (StringRef Item : splitAtCommas(Text)) {
    if (Item.empty())
      continue;
    if (StringRef Place = Item; Place.consume_front("access@")) {
      StringRef Pattern;
      std::tie(Place, Pattern) = Place.rsplit('=');
      std::optional<IndexPattern> P = parseIndexPattern(Pattern.trim());
      if (!P)
        return usage("expected access@PLACE=sequential, random, constant or "
                     "stride:K, got '" +
                     Item + "'");
      P->Place = StringRef(canonicalName("@" + Place.str())).drop_front().str();
      O.Patterns.push_back(std::move(*P));
      continue;
    }
    auto Named = parseNamedValue(Item, Variables);
    if (!Named)
      return Named.takeError();
    if (Named->first != "l1" && Named->first != "l2") {
      O.Parameters.push_back(std::move(*Named));
      continue;
    }
    if (Named->second < 0 || Named->second > 1)
      return usage("hit fraction must be between 0 and 1, got '" + Item + "'");
    (Named->first == "l1" ? O.L1Hit : O.L2Hit) = Named->second;
  }
  return Error::success();
}

Error parseAssume(Options &O, StringRef Value) {
  return parseAssumptions(O, Value);
}

Error parseWarpOrder(Options &O, StringRef Value) {
  return choose<WarpOrder>(
      Value, O.Order,
      {{"round-robin", WarpOrder::RoundRobin},
       {"greedy-then-oldest", WarpOrder::GreedyThenOldest}});
}

Error parseReference(Options &O, StringRef Value) {
  auto Named = parseNamedValue(Value);
  if (!Named)
    return Named.takeError();
  if (Named->second <= 0)
    return usage("expected GPU=MILLISECONDS, got '" + Value + "'");
  O.Reference = std::move(*Named);
  return Error::success();
}

Error parseSpecialOperations(Options &O, StringRef Value) {
  auto [Count, Rate] = Value.split('@');
  SpecialOperations Special;
  double PerSecond = 0;
  if (Count.trim().getAsDouble(Special.Count) || !(Special.Count > 0) ||
      !std::isfinite(Special.Count) ||
      (Value.contains('@') && (Rate.trim().getAsDouble(PerSecond) ||
                               !(PerSecond > 0) || !std::isfinite(PerSecond))))
    return usage("expected COUNT or COUNT@RATE, numbers greater than 0, got '" +
                 Value + "'");
  if (PerSecond > 0)
    Special.Rate = PerSecond;
  O.Special = Special;
  return Error::success();
}

Error parseTrafficWeight(Options &O, StringRef Value) {
  double Weight = 0;
  if (Value.trim().getAsDouble(Weight) || !(Weight >= 0) || Weight > 1e6)
    return usage("expected a factor between 0 and 1e6, got '" + Value + "'");
  O.TrafficWeight = Weight;
  return Error::success();
}

Error parseRegisters(Options &O, StringRef Value) {
  auto Number = parseInteger(Value);
  if (!Number)
    return Number.takeError();
  if (*Number < 1 || *Number > 255)
    return usage("expected 1 to 255 registers per thread, got '" + Value + "'");
  O.Registers = static_cast<unsigned>(*Number);
  return Error::success();
}

} // namespace gpuestimate
