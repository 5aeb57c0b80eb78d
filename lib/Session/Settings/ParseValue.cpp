/// \file
/// Parsers of sizes, numbers and NAME=VALUE.
#include "gpu-estimate/Session/Settings/ParseValue.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

Error noneOf(StringRef Text, ArrayRef<StringRef> Names) {
  std::string List = join(Names.drop_back(), ", ");
  return usage("expected " + List + " or " + Names.back() + ", got '" + Text +
               "'");
}

Expected<double> parseNumber(StringRef Text, const Constants &Variables) {
  Expected<double> Value =
      evaluateConstant(Text, [&](StringRef Name) -> std::optional<double> {
        auto At = Variables.find(Name);
        return At == Variables.end() ? std::nullopt : std::optional(At->second);
      });
  if (!Value)
    return usage("expected a number, got '" + Text.trim() +
                 "': " + toString(Value.takeError()));
  return Value;
}

Expected<uint64_t> parseInteger(StringRef Text, const Constants &Variables) {
  constexpr double TooLarge = 9007199254740992.0; // 2^53
  Expected<double> Value = parseNumber(Text, Variables);
  if (Value && *Value >= 0 && *Value < TooLarge && std::floor(*Value) == *Value)
    return static_cast<uint64_t>(*Value);
  std::string Why = Value ? "" : ": " + toString(Value.takeError());
  return usage("expected a non-negative integer, got '" + Text + "'" + Why);
}

Expected<std::array<uint64_t, 3>> parseSizes(StringRef Text,
                                             const Constants &Variables) {
  auto Wrong = [&](const Twine &What) {
    return usage(
        "expected X[,Y[,Z]], each a whole number of at least 1, got '" + Text +
        "'" + What);
  };
  StringRef Inner = Text.trim();
  if (Inner.consume_front("[") && !Inner.consume_back("]"))
    return Wrong("");
  SmallVector<StringRef, 3> Parts;
  // "64x32" of digits alone; a name or a hexadecimal number may hold an x.
  if (all_of(Inner, [](char C) { return isDigit(C) || C == 'x'; }) &&
      !Inner.starts_with("0x"))
    Inner.split(Parts, 'x');
  else
    append_range(Parts, splitAtCommas(Inner));
  if (Parts.size() > 3)
    return Wrong(": more than three sizes");
  std::array<uint64_t, 3> Sizes = {1, 1, 1};
  for (auto [I, Part] : enumerate(Parts)) {
    Expected<uint64_t> Size = parseInteger(Part, Variables);
    if (!Size) {
      std::string Why = toString(Size.takeError());
      return Wrong(Variables.empty() ? "" : ": " + Why);
    }
    if (*Size > UINT32_MAX)
      return Wrong("");
    if (*Size == 0)
      return Wrong(": sizes must be >= 1");
    Sizes[I] = *Size;
  }
  return Sizes;
}

std::string canonicalName(StringRef Name) {
  std::string Result = Name.trim().str();
  if (Name.contains('@'))
    erase_if(Result, isSpace);
  return Result;
}

Expected<std::pair<std::string, double>>
parseNamedValue(StringRef Text, const Constants &Variables) {
  auto [Name, Value] = Text.rsplit('=');
  Name = Name.trim();
  if (Name.empty() || Name.size() == Text.trim().size())
    return usage("expected NAME=VALUE, got '" + Text + "'");
  Expected<double> Number = parseNumber(Value, Variables);
  if (!Number)
    return Number.takeError();
  std::string Key = canonicalName(Name);
  StringRef Kind = StringRef(Key).split('@').first;
  if (Key != Kind && Kind.ends_with("branch") && (*Number < 0 || *Number > 1))
    return usage("branch probability must be between 0 and 1, got '" + Text +
                 "'");
  if (Key != Kind && Kind == "trip" && *Number < 0)
    return usage("trip count must be >= 0, got '" + Text + "'");
  return std::make_pair(std::move(Key), *Number);
}

std::optional<std::pair<std::string, std::string>>
parsePointer(StringRef Text) {
  auto [Name, Value] = Text.split('=');
  Name = Name.trim();
  Value = Value.trim();
  auto isName = [](char C) { return isAlnum(C) || C == '_' || C == '.'; };
  auto startsName = [](StringRef Word) {
    return !Word.empty() && (isAlpha(Word[0]) || Word[0] == '_');
  };
  StringRef Rest = Value.drop_while(isName).ltrim();
  if (!startsName(Name) || !all_of(Name, isName) || !startsName(Value) ||
      !(Rest.empty() || Rest[0] == '+' || Rest[0] == '-'))
    return std::nullopt;
  return std::pair(Name.str(), Value.str());
}

Error parseParameter(Options &O, StringRef Text, const Constants &Variables) {
  auto Named = parseNamedValue(Text, Variables);
  if (Named) {
    O.Parameters.push_back(std::move(*Named));
    return Error::success();
  }
  if (auto Pointer = parsePointer(Text)) {
    consumeError(Named.takeError());
    O.Pointers.push_back(std::move(*Pointer));
    return Error::success();
  }
  return Named.takeError();
}

std::vector<StringRef> splitAtCommas(StringRef Text) {
  std::vector<StringRef> Parts;
  size_t Begin = 0;
  int Open = 0;
  for (size_t I = 0; I <= Text.size(); ++I) {
    char C = I < Text.size() ? Text[I] : ',';
    Open += C == '(' || C == '[' || C == '{';
    Open -= C == ')' || C == ']' || C == '}';
    if (C != ',' || (Open > 0 && I < Text.size()))
      continue;
    Parts.push_back(Text.slice(Begin, I).trim());
    Begin = I + 1;
  }
  return Parts;
}

} // namespace gpuestimate
