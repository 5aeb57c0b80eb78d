#include "gpu-estimate/Session/Settings/SearchSpace.h"

#include "gpu-estimate/Model/Machine/GpuModelKeys.h"
#include "gpu-estimate/Session/Settings/ParseValue.h"
#include "gpu-estimate/Support/Numbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
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

namespace {

/// Unit of a column: its end in CSV, how users write it, its size in base
/// units.
struct ColumnUnit {
  KeyDimension Dim;
  StringLiteral Suffix, Unit;
  double Scale;
};
constexpr ColumnUnit Units[] = {
    {KeyDimension::Frequency, "_mhz", "MHz", 1e6},
    {KeyDimension::Bandwidth, "_gb_s", "GB/s", 1e9},
    {KeyDimension::Bytes, "_bytes", "B", 1},
    {KeyDimension::Cycles, "_cycles", "cycles", 1},
    {KeyDimension::Time, "_us", "us", 1e-6},
    {KeyDimension::BytesPerCycle, "_bytes_per_cycle", "B/cycle", 1},
    {KeyDimension::PerCycle, "_per_cycle", "/cycle", 1},
};
constexpr ColumnUnit Plain = {KeyDimension::Count, "", "", 1};

const ColumnUnit &columnUnitOf(KeyDimension Dim) {
  const ColumnUnit *Found =
      find_if(Units, [&](const ColumnUnit &U) { return U.Dim == Dim; });
  return Found == std::end(Units) ? Plain : *Found;
}

bool isNumeric(KeyDimension Dim) {
  return Dim == KeyDimension::Count || Dim == KeyDimension::Factor ||
         columnUnitOf(Dim).Dim == Dim;
}

std::string digits(double Value) {
  std::string Text;
  raw_string_ostream(Text) << format("%.10g", Value);
  return Text;
}

/// A value of a GPU model that can be varied.
struct SweptValue {
  const GpuKey *Key;
  std::string SetAs; ///< name for setGpuValue()
};

/// "L2_Size" and "l2.size" are one name.
std::optional<SweptValue> findValue(StringRef Name) {
  auto Folded = [](StringRef Text) {
    std::string Result = Text.lower();
    for (char &C : Result)
      if (C == '.' || C == '-')
        C = '_';
    return Result;
  };
  std::string Wanted = Folded(Name);
  // The short names that move several keys.
  for (auto [Short, Lead] : {std::pair{"dram_bandwidth", "dram.read_bandwidth"},
                             {"l2_bandwidth", "l2.read_bandwidth"},
                             {"memory_clock", "dram.clock"}})
    if (Wanted == Short)
      return SweptValue{findGpuKey(Lead), Short};
  for (const GpuKey &Key : gpuKeys())
    if (!Key.Identity && Folded(Key.Path) == Wanted)
      return SweptValue{&Key, Key.Path};
  return std::nullopt;
}

/// One value or range of numbers with units.
class NumberList {
public:
  explicit NumberList(const MachineKey &Key)
      : Key(Key), Unit(columnUnitOf(Key.Dim)) {}

  Expected<std::vector<double>> parse(StringRef Text) const {
    std::vector<double> All;
    for (StringRef Part : splitAtCommas(Text)) {
      SmallVector<StringRef, 3> Parts;
      Part.split(Parts, ':');
      Error E = Parts.size() == 1 ? addValue(All, Part.trim())
                                  : addRange(All, Part, Parts);
      if (E)
        return E;
    }
    return All;
  }

private:
  static StringRef unitIn(StringRef Text) {
    return Text.trim().drop_while(
        [](char C) { return isDigit(C) || C == '.' || C == ' '; });
  }

  Expected<double> number(StringRef Text, StringRef ImpliedUnit) const {
    std::string Whole = Text.trim().str();
    if (unitIn(Text).empty() && !Whole.empty())
      Whole += (" " + ImpliedUnit).str();
    Expected<KeyValue> Value = parseKeyValue(Key, StringRef(Whole).trim());
    if (!Value)
      return usage(toString(Value.takeError()));
    return std::get<double>(*Value);
  }

  Error addValue(std::vector<double> &To, StringRef Text) const {
    Expected<double> Value = number(Text, Unit.Unit);
    if (!Value)
      return Value.takeError();
    To.push_back(*Value);
    return Error::success();
  }

  Error addRange(std::vector<double> &To, StringRef Text,
                 ArrayRef<StringRef> Parts) const {
    auto Wrong = [&](const Twine &What) {
      return usage("the range '" + Text + "' " + What);
    };
    if (Parts.size() > 3)
      return Wrong("is not FIRST:LAST, FIRST:LAST:STEP or FIRST:LAST:*FACTOR");
    StringRef Implied = Unit.Unit;
    for (StringRef Part : reverse(Parts))
      if (StringRef Given = unitIn(Part); !Given.empty() && Given[0] != '*')
        Implied = Given;
    Expected<double> First = number(Parts[0], Implied);
    if (!First)
      return First.takeError();
    Expected<double> Last = number(Parts[1], Implied);
    if (!Last)
      return Last.takeError();
    double Step = Unit.Scale, Factor = 0;
    if (Parts.size() == 3) {
      StringRef Third = Parts[2].trim();
      if (Third.consume_front("*")) {
        if (Third.trim().getAsDouble(Factor) || !(Factor > 1))
          return Wrong("needs a factor above 1");
      } else {
        // A step may be smaller than any believable value.
        MachineKey Any = Key;
        Any.Min = 0;
        if (Any.Dim == KeyDimension::Count)
          Any.Min = 1;
        Expected<double> Given = NumberList(Any).number(Third, Implied);
        if (!Given)
          return Given.takeError();
        Step = *Given;
      }
    }
    if (*First > *Last || (!Factor && Step <= 0) || (Factor && *First <= 0))
      return Wrong("never reaches its last value: it needs a step above 0 or "
                   "a factor above 1, and a first value that is not above the "
                   "last");
    double Count = Factor ? std::log(*Last / *First) / std::log(Factor)
                          : (*Last - *First) / Step;
    if (Count > double(MaxSweepPoints))
      return Wrong("has too many values");
    constexpr double Rounding = 1e-9;
    bool IsWhole = Key.Dim == KeyDimension::Count;
    for (size_t I = 0; double(I) <= Count + Rounding; ++I) {
      double Value = Factor ? *First * std::pow(Factor, double(I))
                            : *First + Step * double(I);
      To.push_back(IsWhole ? std::round(Value) : Value);
    }
    return Error::success();
  }

  const MachineKey &Key;
  const ColumnUnit &Unit;
};

std::string columnOf(StringRef Name, const ColumnUnit &Unit) {
  std::string Column = Name.str();
  for (char &C : Column)
    if (!isAlnum(C))
      C = '_';
  return Column + Unit.Suffix.str();
}

AxisKind kindOf(StringRef Path, StringRef SetAs) {
  return Path == "sm_count"        ? AxisKind::SmCount
         : Path == "core_clock"    ? AxisKind::CoreClock
         : SetAs == "memory_clock" ? AxisKind::MemoryClock
                                   : AxisKind::ModelValue;
}

Expected<SpaceAxis> valueAxis(StringRef Name, const SweptValue &Of,
                              StringRef Text) {
  SpaceAxis Axis;
  const ColumnUnit &Unit = columnUnitOf(Of.Key->Dim);
  Axis.Kind = kindOf(Of.Key->Path, Of.SetAs);
  Axis.Values.Name = Name.str();
  Axis.Values.Column = columnOf(Of.SetAs, Unit);
  Axis.Values.Unit = Unit.Unit.str();
  if (!isNumeric(Of.Key->Dim)) {
    for (StringRef Part : splitAtCommas(Text)) {
      Expected<KeyValue> Value = parseKeyValue(*Of.Key, Part);
      if (!Value)
        return usage(toString(Value.takeError()));
      Axis.Values.Labels.push_back(Part.str());
      Axis.Texts.push_back(Of.SetAs + "=" + Part.str());
    }
    return Axis;
  }
  Expected<std::vector<double>> Numbers = NumberList(*Of.Key).parse(Text);
  if (!Numbers)
    return Numbers.takeError();
  for (double Number : *Numbers) {
    double Shown = Number / Unit.Scale;
    Axis.Numbers.push_back(Number);
    Axis.Values.Numbers.push_back(Shown);
    Axis.Values.Labels.push_back(digits(Shown));
    Axis.Texts.push_back(Of.SetAs + "=" + digits(Shown) +
                         (Unit.Unit.empty() ? "" : " " + Unit.Unit.str()));
  }
  return Axis;
}

Expected<SpaceAxis> plainAxis(StringRef Name, StringRef Text) {
  SpaceAxis Axis;
  Axis.Values.Name = canonicalName(Name);
  Axis.Values.Column = Axis.Values.Name;
  Expected<std::vector<std::string>> Values = parseTuningValues(Text);
  if (!Values)
    return Values.takeError();
  for (const std::string &Value : *Values) {
    Expected<double> Number = parseNumber(Value);
    if (!Number)
      return Number.takeError();
    Axis.Numbers.push_back(*Number);
    Axis.Values.Numbers.push_back(*Number);
    Axis.Values.Labels.push_back(digits(*Number));
  }
  return Axis;
}

} // namespace

Expected<SpaceAxis> parseBlockAxis(StringRef Text) {
  SpaceAxis Axis;
  Axis.Kind = AxisKind::Block;
  Axis.Values.Name = Axis.Values.Column = "block";
  Expected<std::vector<BlockShape>> Shapes = parseShapes(Text);
  if (!Shapes)
    return Shapes.takeError();
  Axis.Shapes = std::move(*Shapes);
  bool OneDimension = all_of(
      Axis.Shapes, [](const BlockShape &S) { return S[1] == 1 && S[2] == 1; });
  for (const BlockShape &S : Axis.Shapes) {
    Axis.Values.Labels.push_back(formatSizes(S));
    if (OneDimension)
      Axis.Values.Numbers.push_back(double(S[0]));
  }
  return Axis;
}

/// NAME and VALUES of "NAME=VALUES"; VALUES may be empty unless WithValues.
static Expected<std::pair<StringRef, StringRef>> splitAxis(StringRef Text,
                                                           bool WithValues) {
  auto [Name, Values] = Text.split('=');
  Name = Name.trim();
  Values = Values.trim();
  if (Name.empty() || Name.size() == Text.trim().size() ||
      (WithValues && Values.empty()))
    return usage(
        "expected NAME=VALUE,VALUE,... or NAME=FIRST:LAST:STEP, got '" + Text +
        "'");
  return std::pair(Name, Values);
}

Expected<SpaceAxis> parseTunedAxis(AxisKind Kind, StringRef Text) {
  auto Split = splitAxis(Text, /*WithValues=*/false);
  if (!Split)
    return Split.takeError();
  Expected<std::vector<std::string>> Values = parseTuningValues(Split->second);
  if (!Values)
    return Values.takeError();
  SpaceAxis Axis;
  Axis.Kind = Kind;
  Axis.Values.Name = Axis.Values.Column = canonicalName(Split->first);
  Axis.Values.Labels = std::move(*Values);
  return Axis;
}

Expected<SpaceAxis> parseSweptAxis(StringRef Text) {
  auto Split = splitAxis(Text, /*WithValues=*/true);
  if (!Split)
    return Split.takeError();
  auto [Name, Values] = *Split;
  Expected<SpaceAxis> Axis = [&, Name = Name,
                              Values = Values]() -> Expected<SpaceAxis> {
    if (Name == "block")
      return parseBlockAxis(Values);
    if (std::optional<SweptValue> Value = findValue(Name))
      return valueAxis(Name, *Value, Values);
    return plainAxis(Name, Values);
  }();
  if (!Axis)
    return usage(Name + ": " + toString(Axis.takeError()));
  for (auto [Dimension, Called] :
       enumerate(ArrayRef<StringLiteral>{"block.x", "block.y", "block.z"}))
    if (Name == Called) {
      Axis->Kind = AxisKind::BlockSize;
      Axis->Dimension = Dimension;
      Axis->Values.Column = columnOf(Name, Plain);
      for (double Size : Axis->Numbers)
        if (Size < 1 || Size > 1024 || std::floor(Size) != Size)
          return usage(Name + ": expected sizes from 1 to 1024, got " +
                       digits(Size));
    }
  StringSet<> Seen;
  for (const std::string &Label : Axis->Values.Labels)
    if (!Seen.insert(Label).second)
      return usage(Name + ": duplicate value '" + Label + "' in '" + Values +
                   "'");
  return Axis;
}

} // namespace gpuestimate
