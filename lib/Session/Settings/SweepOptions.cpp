#include "SweepOptions.h"

#include "ModelOptions.h"
#include "gpu-estimate/Support/Format.h"

using namespace llvm;

namespace gpuestimate {

Error appendSweptAxis(Options &O, StringRef Value) {
  Expected<SpaceAxis> Axis = parseSweptAxis(Value);
  if (!Axis)
    return Axis.takeError();
  O.Sweep.Axes.push_back(std::move(*Axis));
  return Error::success();
}

/// "250W", "50 mJ", "0.05": a positive number with an SI prefix.
static Expected<double> parseAmount(StringRef Text, char Unit,
                                    StringRef Example) {
  StringRef Rest = Text.trim();
  Rest.consume_back(StringRef(&Unit, 1));
  Rest = Rest.rtrim();
  double Scale = Rest.consume_back("m")   ? 1e-3
                 : Rest.consume_back("u") ? 1e-6
                 : Rest.consume_back("k") ? 1e3
                                          : 1;
  double Number;
  if (Rest.trim().getAsDouble(Number) || !(Number > 0))
    return usage("expected a number such as '" + Example + "', got '" + Text +
                 "'");
  return Number * Scale;
}

Error parsePowerCap(Options &O, StringRef Value) {
  return store(O.Sweep.Limits.PowerCapWatts, parseAmount(Value, 'W', "250W"));
}

Error parseEnergyBudget(Options &O, StringRef Value) {
  return store(O.Sweep.Limits.EnergyBudgetJoules,
               parseAmount(Value, 'J', "50mJ"));
}

Error parseScaling(Options &O, StringRef Value) {
  if (Value == "both") {
    O.Scaling.Compare = true;
    return Error::success();
  }
  for (ScalingMethod Method : ScalingMethods)
    if (Value == name(Method)) {
      O.Scaling.Method = Method;
      return Error::success();
    }
  return usage("expected analytic, clusters, correction or both, got '" +
               Value + "'");
}

Error parseTimeLimit(Options &O, StringRef Value) {
  return store(O.Sweep.Limits.TimeLimit, parseQuantity(Value, Dimension::Time));
}

} // namespace gpuestimate
