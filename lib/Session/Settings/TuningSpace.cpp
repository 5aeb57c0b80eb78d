#include "gpu-estimate/Session/Settings/TuningSpace.h"

#include "ParseValue.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

/// More than anybody can want of one range; a step of 1 where another was
/// meant.
static constexpr size_t LongestRange = 1 << 20;

/// FIRST:LAST[:STEP] or FIRST:LAST:*FACTOR; nothing for other text.
static Expected<std::optional<std::vector<int64_t>>>
parseRange(StringRef Text) {
  SmallVector<StringRef, 3> Parts;
  Text.split(Parts, ':');
  int64_t First, Last, Step = 1;
  // "std::less<int>" is a value of a macro.
  if (Parts.size() < 2 || Parts[0].trim().getAsInteger(10, First))
    return std::nullopt;
  StringRef Third = Parts.size() > 2 ? Parts[2].trim() : "1";
  bool Multiply = Third.consume_front("*");
  if (Parts.size() > 3 || Parts[1].trim().getAsInteger(10, Last) ||
      Third.getAsInteger(10, Step))
    return usage("expected FIRST:LAST, FIRST:LAST:STEP or FIRST:LAST:*FACTOR, "
                 "got '" +
                 Text + "'");
  if (First > Last || Step < (Multiply ? 2 : 1) || (Multiply && First < 1))
    return usage(
        "the range '" + Text +
        "' never reaches its last value: it needs a step of at least 1 "
        "or a factor of at least 2, and a first value that is not "
        "above the last");
  std::vector<int64_t> Values;
  for (int64_t Value = First;;) {
    Values.push_back(Value);
    if (Values.size() > LongestRange)
      return usage("the range '" + Text + "' has more than " +
                   Twine(LongestRange) + " values");
    // Without the sum or product, which may overflow.
    if (Multiply ? Value > Last / Step : Value > Last - Step)
      break;
    Value = Multiply ? Value * Step : Value + Step;
  }
  return Values;
}

Expected<std::vector<std::string>> parseTuningValues(StringRef Text) {
  std::vector<std::string> Values;
  for (StringRef Part : splitAtCommas(Text)) {
    if (Part.empty())
      return usage("expected values separated by commas, got '" + Text + "'");
    auto Range = parseRange(Part);
    if (!Range)
      return Range.takeError();
    if (!*Range) {
      Values.push_back(Part.str());
      continue;
    }
    for (int64_t Value : **Range)
      Values.push_back(itostr(Value));
  }
  StringSet<> Seen;
  for (const std::string &Value : Values)
    if (!Seen.insert(Value).second)
      return usage("duplicate value '" + Value + "' in '" + Text + "'");
  return Values;
}

Expected<std::vector<BlockShape>> parseShapes(StringRef Text) {
  std::vector<BlockShape> Shapes;
  auto Wrong = [&](StringRef Part) {
    return usage("expected shapes as 128, 16x16 or 32:1024:32x1:4, separated "
                 "by commas, each size from 1 to 1024, got '" +
                 Part + "'");
  };
  for (StringRef Part : splitAtCommas(Text)) {
    SmallVector<StringRef, 3> Dimensions;
    Part.split(Dimensions, 'x');
    if (Dimensions.size() > 3)
      return Wrong(Part);
    std::array<std::vector<int64_t>, 3> Sizes = {{{1}, {1}, {1}}};
    for (auto [I, Dimension] : enumerate(Dimensions)) {
      auto Range = parseRange(Dimension);
      if (!Range)
        return Range.takeError();
      int64_t One;
      if (*Range)
        Sizes[I] = std::move(**Range);
      else if (!Dimension.trim().getAsInteger(10, One))
        Sizes[I] = {One};
      else
        return Wrong(Part);
      if (Sizes[I].front() < 1 || Sizes[I].back() > 1024)
        return Wrong(Part);
    }
    if (Sizes[0].size() * Sizes[1].size() * Sizes[2].size() > MaxTuningPoints)
      return usage("'" + Part + "' are more than " + Twine(MaxTuningPoints) +
                   " shapes: give fewer sizes");
    for (int64_t Z : Sizes[2])
      for (int64_t Y : Sizes[1])
        for (int64_t X : Sizes[0])
          Shapes.push_back({static_cast<uint64_t>(X), static_cast<uint64_t>(Y),
                            static_cast<uint64_t>(Z)});
  }
  std::vector<BlockShape> Sorted = Shapes;
  sort(Sorted);
  if (auto Twice = std::adjacent_find(Sorted.begin(), Sorted.end());
      Twice != Sorted.end())
    return usage("shape " + Twine((*Twice)[0]) + "x" + Twine((*Twice)[1]) +
                 "x" + Twine((*Twice)[2]) + " is a duplicate in '" + Text +
                 "'");
  return Shapes;
}

Expected<TuningAxis> parseAxis(StringRef Text) {
  auto [Name, Values] = Text.split('=');
  Name = Name.trim();
  if (Name.empty() || Name.size() == Text.trim().size())
    return usage(
        "expected NAME=VALUE,VALUE,... or NAME=FIRST:LAST:STEP, got '" + Text +
        "'");
  auto Parsed = parseTuningValues(Values);
  if (!Parsed)
    return Parsed.takeError();
  return TuningAxis{canonicalName(Name), std::move(*Parsed)};
}

TuningNames::TuningNames(const TuningRequest &Request, const TuningPoint &Point,
                         const BlockShape *Block) {
  auto Take = [&](ArrayRef<TuningAxis> Axes, ArrayRef<uint32_t> Chosen) {
    for (auto [Axis, Choice] : zip(Axes, Chosen)) {
      Expected<double> Value = parseNumber(Axis.Values[Choice]);
      if (Value)
        Values[Axis.Name] = *Value;
      else // a type, say
        consumeError(Value.takeError());
    }
  };
  Take(Request.Macros, Point.Macros);
  Take(Request.Parameters, Point.Parameters);
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

Expected<std::vector<TuningPoint>>
enumeratePoints(const TuningRequest &Request) {
  // One wheel for each choice, the last one turning fastest.
  std::vector<size_t> Sizes;
  StringSet<> Names;
  for (ArrayRef<TuningAxis> Axes :
       {ArrayRef(Request.Macros), ArrayRef(Request.Parameters)})
    for (const TuningAxis &Axis : Axes) {
      if (!Names.insert(Axis.Name).second)
        return usage("duplicate name '" + Axis.Name + "'");
      Sizes.push_back(Axis.Values.size());
    }
  Sizes.push_back(std::max<size_t>(1, Request.Blocks.size()));
  double Combinations = 1;
  for (size_t Size : Sizes)
    Combinations *= static_cast<double>(Size);
  if (Combinations > static_cast<double>(MaxTuningPoints))
    return usage("more than " + Twine(MaxTuningPoints) +
                 " combinations: give fewer values");

  std::vector<TuningPoint> Points;
  std::vector<uint32_t> Wheel(Sizes.size(), 0);
  size_t MacroCount = Request.Macros.size();
  for (bool Turning = true; Turning;) {
    TuningPoint Point;
    Point.Macros.assign(Wheel.begin(), Wheel.begin() + MacroCount);
    Point.Parameters.assign(Wheel.begin() + MacroCount, Wheel.end() - 1);
    Point.Block = Wheel.back();
    bool Allowed = true;
    if (!Request.Conditions.empty()) {
      TuningNames PointNames(
          Request, Point,
          Request.Blocks.empty() ? nullptr : &Request.Blocks[Point.Block]);
      for (const std::string &Condition : Request.Conditions) {
        Expected<double> Value = PointNames.evaluate("--where", Condition);
        if (!Value)
          return Value.takeError();
        Allowed &= *Value != 0;
      }
    }
    if (Allowed)
      Points.push_back(std::move(Point));
    Turning = false;
    for (size_t I = Wheel.size(); I-- > 0 && !Turning;) {
      Turning = ++Wheel[I] < Sizes[I];
      if (!Turning)
        Wheel[I] = 0;
    }
  }
  if (Points.empty())
    return usage("--where: no configuration satisfies the conditions");
  return Points;
}

} // namespace gpuestimate
