#include "gpu-estimate/Session/Settings/SearchSpace.h"

#include "gpu-estimate/Session/Settings/ParseValue.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

ArrayRef<uint32_t> choicesOf(AxisKind Kind, ArrayRef<SpaceAxis> Axes,
                             const SpacePoint &Point) {
  auto IsOfKind = [&](const SpaceAxis &Axis) { return Axis.Kind == Kind; };
  size_t First = find_if(Axes, IsOfKind) - Axes.begin();
  return ArrayRef(Point).slice(First, count_if(Axes, IsOfKind));
}

TuningNames::TuningNames(ArrayRef<SpaceAxis> Axes, const SpacePoint &Point,
                         const BlockShape *Block) {
  for (auto [Axis, Choice] : zip_equal(Axes, Point)) {
    if (Axis.Kind == AxisKind::Block)
      continue;
    Expected<double> Value = parseNumber(Axis.Values.Labels[Choice]);
    if (Value)
      Values[Axis.Values.Name] = *Value;
    else // a type, say
      consumeError(Value.takeError());
  }
  if (!Block)
    return;
  static constexpr StringLiteral Names[] = {"blockDim.x", "blockDim.y",
                                            "blockDim.z"};
  for (auto [Name, Size] : zip(Names, *Block))
    Values[Name] = static_cast<double>(Size);
}

Expected<double> TuningNames::evaluate(StringRef What,
                                       StringRef Expression) const {
  Expected<double> Value = parseNumber(Expression, Values);
  if (Value)
    return Value;
  std::vector<StringRef> Names;
  for (const auto &Entry : Values)
    Names.push_back(Entry.getKey());
  sort(Names);
  return usage(What + ": " + toString(Value.takeError()) +
               (Names.empty() ? "" : "; known names: " + join(Names, ", ")));
}

Expected<uint64_t> TuningNames::size(StringRef What,
                                     StringRef Expression) const {
  Expected<double> Value = evaluate(What, Expression);
  if (!Value)
    return Value.takeError();
  if (*Value < 0 || *Value > UINT32_MAX || std::floor(*Value) != *Value)
    return usage(What + ": '" + Expression + "' is " + std::to_string(*Value) +
                 ", but a size must be a whole number >= 1");
  return static_cast<uint64_t>(*Value);
}

/// Are all conditions of the request other than 0 at the point?
static Expected<bool> isAllowed(const TuningRequest &Request,
                                const SpacePoint &Point) {
  if (Request.Conditions.empty())
    return true;
  ArrayRef<uint32_t> Block = choicesOf(AxisKind::Block, Request.Axes, Point);
  TuningNames Names(Request.Axes, Point,
                    Block.empty() ? nullptr
                                  : &Request.Axes.back().Shapes[Block.front()]);
  bool Allowed = true;
  for (const std::string &Condition : Request.Conditions) {
    Expected<double> Value = Names.evaluate("--where", Condition);
    if (!Value)
      return Value.takeError();
    Allowed &= *Value != 0;
  }
  return Allowed;
}

Expected<std::vector<SpacePoint>>
enumeratePoints(const TuningRequest &Request) {
  std::vector<size_t> Sizes;
  StringSet<> Names;
  double Combinations = 1;
  for (const SpaceAxis &Axis : Request.Axes) {
    if (Axis.Kind != AxisKind::Block && !Names.insert(Axis.Values.Name).second)
      return usage("duplicate name '" + Axis.Values.Name + "'");
    Sizes.push_back(Axis.Values.size());
    Combinations *= static_cast<double>(Sizes.back());
  }
  if (Combinations > static_cast<double>(MaxTuningPoints))
    return usage("more than " + Twine(MaxTuningPoints) +
                 " combinations: give fewer values");
  std::vector<SpacePoint> Points;
  for (size_t I = 0; I < static_cast<size_t>(Combinations); ++I) {
    SpacePoint Point = indicesOf(Sizes, I);
    Expected<bool> Allowed = isAllowed(Request, Point);
    if (!Allowed)
      return Allowed.takeError();
    if (*Allowed)
      Points.push_back(std::move(Point));
  }
  if (Points.empty())
    return usage("--where: no configuration satisfies the conditions");
  return Points;
}

Error checkAxes(ArrayRef<SpaceAxis> Axes) {
  if (Axes.empty())
    return usage("--vary is missing: sweep FILE --gpu ID --vary "
                 "core_clock=700:1400:100MHz");
  StringSet<> Columns;
  double Points = 1;
  bool HasShapes = false, HasSizes = false;
  for (const SpaceAxis &Axis : Axes) {
    if (!Columns.insert(Axis.Values.Column).second)
      return usage("--vary " + Axis.Values.Name + ": given twice");
    Points *= double(Axis.Values.size());
    HasShapes |= Axis.Kind == AxisKind::Block;
    HasSizes |= Axis.Kind == AxisKind::BlockSize;
  }
  if (HasShapes && HasSizes)
    return usage("--vary block: not together with block.x, block.y, block.z");
  if (Points > double(MaxSweepPoints))
    return usage("--vary: more than " + Twine(MaxSweepPoints) +
                 " points: give fewer values");
  return Error::success();
}

} // namespace gpuestimate
