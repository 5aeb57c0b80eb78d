/// \file
/// Parsers of sizes, numbers, NAME=VALUE and annotations.
#include "gpu-estimate/Driver/ParseValue.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

static Error usage(const Twine &Message) {
  return make_error<UsageError>(Message.str());
}

Expected<uint64_t> parseInteger(StringRef Text) {
  uint64_t Value;
  if (Text.trim().getAsInteger(0, Value) || Value >= (uint64_t(1) << 53))
    return usage("expected a non-negative integer, got '" + Text + "'");
  return Value;
}

Expected<std::array<uint64_t, 3>> parseSizes(StringRef Text) {
  auto Wrong = [&](StringRef What) {
    return usage(
        "expected X[,Y[,Z]], each a whole number of at least 1, got '" + Text +
        "'" + What);
  };
  StringRef Inner = Text.trim();
  if (Inner.consume_front("[") && !Inner.consume_back("]"))
    return Wrong("");
  SmallVector<StringRef, 3> Parts;
  Inner.split(Parts, Inner.contains(',') ? ',' : 'x');
  if (Parts.size() > 3)
    return Wrong(": more than three sizes");
  std::array<uint64_t, 3> Sizes = {1, 1, 1};
  for (auto [I, Part] : enumerate(Parts)) {
    uint64_t Size;
    if (Part.trim().getAsInteger(10, Size) || Size > UINT32_MAX)
      return Wrong("");
    if (Size == 0)
      return Wrong(": a launch of size zero does nothing");
    Sizes[I] = Size;
  }
  return Sizes;
}

Expected<double> parseNumber(StringRef Text) {
  StringRef Digits = Text.trim();
  uint64_t Hex;
  if (Digits.starts_with_insensitive("0x") && !Digits.getAsInteger(0, Hex))
    return static_cast<double>(Hex);
  double Value;
  if (Digits.getAsDouble(Value) || !std::isfinite(Value))
    return usage("expected a number, got '" + Text + "'");
  return Value;
}

Expected<std::pair<std::string, double>> parseNamedValue(StringRef Text) {
  auto [Name, Value] = Text.rsplit('=');
  Name = Name.trim();
  if (Name.empty() || Name.size() == Text.trim().size())
    return usage("expected NAME=VALUE, got '" + Text + "'");
  Expected<double> Number = parseNumber(Value);
  if (!Number)
    return Number.takeError();
  return std::make_pair(Name.str(), *Number);
}

Expected<AnnotationSettings> parseAnnotation(StringRef Text) {
  // A comma separates items only before the next "key=" or "param"; within
  // sizes it separates the sizes.
  SmallVector<std::string, 4> Items;
  for (StringRef Rest = Text; !Rest.empty();) {
    StringRef Piece = Rest.take_until(
        [](char C) { return C == ',' || C == ';' || isSpace(C); });
    Rest = Rest.drop_front(Piece.size() + (Piece.size() < Rest.size()));
    if (Piece.empty())
      continue;
    bool Continues = !Items.empty() && isDigit(Piece.front());
    if (Continues)
      Items.back() += "," + Piece.str();
    else if (!Items.empty() && Items.back() == "param")
      Items.back() += " " + Piece.str();
    else
      Items.push_back(Piece.str());
  }

  AnnotationSettings Result;
  for (StringRef Item : Items) {
    if (Item.consume_front("param ")) {
      auto Value = parseNamedValue(Item);
      if (!Value)
        return Value.takeError();
      Result.Parameters.push_back(*Value);
      continue;
    }
    auto [Key, Value] = Item.split('=');
    if (Key == "grid" || Key == "block") {
      auto Sizes = parseSizes(Value);
      if (!Sizes)
        return Sizes.takeError();
      (Key == "grid" ? Result.Launch.Grid : Result.Launch.Block) = *Sizes;
    } else if (Key == "dynamic_smem") {
      auto Size = parseInteger(Value);
      if (!Size)
        return Size.takeError();
      Result.Launch.DynamicSharedBytes = *Size;
    } else {
      return usage(
          "expected grid=, block=, dynamic_smem= or param NAME=VALUE, got '" +
          Item + "'");
    }
  }
  return Result;
}

} // namespace gpuestimate
