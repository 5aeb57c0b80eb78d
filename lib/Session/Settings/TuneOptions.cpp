#include "TuneOptions.h"

#include "ModelOptions.h"
#include "gpu-estimate/Session/Settings/ParseValue.h"
#include "gpu-estimate/Support/Format.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

/// Axes stay in the order of their kinds.
static Error addAxis(Options &O, Expected<SpaceAxis> Axis) {
  if (!Axis)
    return Axis.takeError();
  std::vector<SpaceAxis> &Axes = O.Tuning.Axes;
  auto Place = find_if(
      Axes, [&](const SpaceAxis &Other) { return Other.Kind > Axis->Kind; });
  Axes.insert(Place, std::move(*Axis));
  return Error::success();
}

Error parseTuneFormat(Options &O, StringRef Value) {
  return choose<TuneFormat>(Value, O.TuneAs,
                            {{"text", TuneFormat::Text},
                             {"csv", TuneFormat::Csv},
                             {"json", TuneFormat::Json},
                             {"html", TuneFormat::Html}});
}

Error appendMacro(Options &O, StringRef Value) {
  return addAxis(O, parseTunedAxis(AxisKind::Macro, Value));
}

Error appendTunedParameter(Options &O, StringRef Value) {
  return addAxis(O, parseTunedAxis(AxisKind::Parameter, Value));
}

Error parseTunedBlocks(Options &O, StringRef Value) {
  return addAxis(O, parseBlockAxis(Value));
}

Error parseTunedGrid(Options &O, StringRef Value) {
  O.Tuning.Grid.clear();
  for (StringRef Part : splitAtCommas(Value))
    O.Tuning.Grid.push_back(Part.str());
  return O.Tuning.Grid.size() > 3
             ? usage("expected X[,Y[,Z]], got '" + Value + "'")
             : Error::success();
}

Error parseTunedShared(Options &O, StringRef Value) {
  O.Tuning.DynamicShared = Value.str();
  return Error::success();
}

Error parseTuneCondition(Options &O, StringRef Value) {
  O.Tuning.Conditions.push_back(Value.str());
  return Error::success();
}

Error parseTie(Options &O, StringRef Value) {
  Expected<double> Tie = parseQuantity(Value, Dimension::Fraction);
  if (!Tie)
    return Tie.takeError();
  O.Tuning.Tie = *Tie;
  return Error::success();
}

Error parseTop(Options &O, StringRef Value) {
  return store(O.Tuning.Top, parseInteger(Value));
}

} // namespace gpuestimate
