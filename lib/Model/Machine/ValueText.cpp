/// \file
/// Values as text: reading with a mandatory unit, and printing.
#include "gpu-estimate/Model/Machine/GpuModelKeys.h"

#include "gpu-estimate/Support/Format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

namespace gpuestimate {

namespace {

/// User text in a message: shortened, and without control characters.
std::string quoted(llvm::StringRef Text) {
  std::string Result = "'";
  for (char C : Text.take_front(40))
    Result += llvm::isPrint(C) ? C : '?';
  return Result + (Text.size() > 40 ? "...'" : "'");
}

llvm::Error expected(const GpuKey &Key, llvm::StringRef Text) {
  return llvm::createStringError("expected " + expectation(Key.Dim) + ", got " +
                                 quoted(Text));
}

/// For people; three digits.
std::string printNumber(GpuDimension Dim, double Value) {
  switch (Dim) {
  case GpuDimension::Cycles:
    return formatCycles(Cycles(Value));
  case GpuDimension::Bytes:
  case GpuDimension::BytesList:
    return formatBytes(Bytes(Value));
  case GpuDimension::Frequency:
    return formatFrequency(Hertz(Value));
  case GpuDimension::Bandwidth:
    return formatRate(BytesPerSecond(Value));
  case GpuDimension::BytesPerCycle:
    return formatBytes(Bytes(Value)) + "/cycle";
  case GpuDimension::Time:
    return formatTime(Seconds(Value));
  case GpuDimension::PerCycle:
    return llvm::formatv("{0} /cycle", llvm::format("%.4g", Value)).str();
  default:
    return llvm::formatv("{0}", llvm::format("%.10g", Value)).str();
  }
}

/// The quantity that Support parses, or nullopt for one without a unit.
std::optional<Dimension> unitsOf(GpuDimension Dim) {
  switch (Dim) {
  case GpuDimension::Cycles:
    return Dimension::Cycles;
  case GpuDimension::Bytes:
  case GpuDimension::BytesList:
    return Dimension::Bytes;
  case GpuDimension::Frequency:
    return Dimension::Frequency;
  case GpuDimension::Bandwidth:
    return Dimension::ByteRate;
  case GpuDimension::BytesPerCycle:
    return Dimension::BytesPerCycle;
  case GpuDimension::Time:
    return Dimension::Time;
  default:
    return std::nullopt;
  }
}

/// The number in base units, without a check of its range.
llvm::Expected<double> parseUnranged(const GpuKey &Key, llvm::StringRef Text) {
  llvm::StringRef Rest = Text.trim();
  double Value = 0;
  if (std::optional<Dimension> Units = unitsOf(Key.Dim)) {
    // Support takes a bare number as one in base units; a model file must not
    // leave its reader to guess.
    if (Rest.empty() || !llvm::isAlpha(Rest.back()))
      return expected(Key, Text);
    llvm::Expected<double> Parsed = parseQuantity(Rest, *Units);
    if (!Parsed) {
      llvm::consumeError(Parsed.takeError());
      return expected(Key, Text);
    }
    return *Parsed;
  }
  if (Key.Dim == GpuDimension::PerCycle && !Rest.consume_back("/cycle"))
    return expected(Key, Text);
  if (Rest.trim().getAsDouble(Value) || !std::isfinite(Value))
    return expected(Key, Text);
  return Value;
}

llvm::Expected<double> parseNumber(const GpuKey &Key, llvm::StringRef Text) {
  llvm::Expected<double> Value = parseUnranged(Key, Text);
  if (!Value)
    return Value.takeError();
  bool Whole =
      Key.Dim == GpuDimension::Count || Key.Dim == GpuDimension::Extent ||
      Key.Dim == GpuDimension::Bytes || Key.Dim == GpuDimension::BytesList;
  if (Whole && *Value != std::floor(*Value))
    return llvm::createStringError("expected a whole number, got " +
                                   quoted(Text));
  if (*Value < Key.Min || *Value > Key.Max)
    return llvm::createStringError(quoted(Text) + " is not between " +
                                   printNumber(Key.Dim, Key.Min) + " and " +
                                   printNumber(Key.Dim, Key.Max));
  return *Value;
}

llvm::Expected<GpuValue> parseText(const GpuKey &Key, llvm::StringRef Text) {
  if (Text.trim().empty() || Text.size() > 200 ||
      llvm::any_of(Text, [](char C) { return !llvm::isPrint(C); }))
    return expected(Key, Text);
  return GpuValue(Text.trim().str());
}

} // namespace

llvm::StringRef expectation(GpuDimension Dim) {
  switch (Dim) {
  case GpuDimension::Text:
    return "one line of text";
  case GpuDimension::TextList:
    return "a list of names such as '[A100, A100 PCIe]'";
  case GpuDimension::Count:
    return "a whole number such as '108'";
  case GpuDimension::Factor:
    return "a number such as '1.5'";
  case GpuDimension::Flag:
    return "'true' or 'false'";
  case GpuDimension::PipeName:
    return "a pipe: fp32, fp64, fp16, int, sfu, tensor, load_store, texture, "
           "branch or issue";
  case GpuDimension::Extent:
    return "three whole numbers such as '[1024, 1024, 64]'";
  case GpuDimension::Cycles:
    return "core-clock cycles such as '4 cycles'";
  case GpuDimension::Bytes:
    return "bytes such as '40 MiB'";
  case GpuDimension::BytesList:
    return "a list of bytes such as '[0 B, 8 KiB, 16 KiB]'";
  case GpuDimension::Frequency:
    return "a frequency such as '1410 MHz'";
  case GpuDimension::Bandwidth:
    return "bytes per second such as '1555 GB/s'";
  case GpuDimension::BytesPerCycle:
    return "bytes per core cycle such as '128 B/cycle'";
  case GpuDimension::Time:
    return "a time such as '2.5 us'";
  case GpuDimension::PerCycle:
    return "a number per core cycle such as '64 /cycle'";
  }
  llvm_unreachable("a dimension without an expectation");
}

llvm::Expected<GpuValue> parseGpuValue(const GpuKey &Key,
                                       llvm::StringRef Text) {
  switch (Key.Dim) {
  case GpuDimension::Text:
    return parseText(Key, Text);
  case GpuDimension::TextList:
  case GpuDimension::BytesList:
  case GpuDimension::Extent: {
    llvm::SmallVector<llvm::StringRef> Parts;
    if (!Text.empty())
      Text.split(Parts, ',');
    return parseGpuList(Key,
                        std::vector<std::string>(Parts.begin(), Parts.end()));
  }
  case GpuDimension::Flag:
    if (Text.trim() != "true" && Text.trim() != "false")
      return expected(Key, Text);
    return GpuValue(Text.trim() == "true");
  case GpuDimension::PipeName:
    if (std::optional<Pipe> P = pipeFromName(Text.trim()))
      return GpuValue(*P);
    return expected(Key, Text);
  default: {
    llvm::Expected<double> Number = parseNumber(Key, Text);
    if (!Number)
      return Number.takeError();
    return GpuValue(*Number);
  }
  }
}

llvm::Expected<GpuValue> parseGpuList(const GpuKey &Key,
                                      llvm::ArrayRef<std::string> Items) {
  if (Key.Dim == GpuDimension::TextList) {
    std::vector<std::string> Names;
    for (const std::string &Item : Items) {
      llvm::Expected<GpuValue> Name = parseText(Key, Item);
      if (!Name)
        return Name.takeError();
      Names.push_back(std::get<std::string>(*Name));
    }
    return GpuValue(std::move(Names));
  }
  if (Key.Dim != GpuDimension::Extent && Key.Dim != GpuDimension::BytesList)
    return llvm::createStringError("expected " + expectation(Key.Dim) +
                                   ", got a list");
  std::vector<double> Numbers;
  for (const std::string &Item : Items) {
    llvm::Expected<double> Number = parseNumber(Key, Item);
    if (!Number)
      return Number.takeError();
    Numbers.push_back(*Number);
  }
  if (Key.Dim == GpuDimension::Extent && Numbers.size() != 3)
    return llvm::createStringError("expected " + expectation(Key.Dim) +
                                   ", got " + llvm::Twine(Numbers.size()) +
                                   " numbers");
  if (Key.Dim == GpuDimension::BytesList &&
      (Numbers.empty() || !llvm::is_sorted(Numbers)))
    return llvm::createStringError("expected " + expectation(Key.Dim) +
                                   " in ascending order");
  return GpuValue(std::move(Numbers));
}

std::string printGpuValue(const GpuKey &Key, const GpuValue &Value) {
  if (const auto *Number = std::get_if<double>(&Value))
    return printNumber(Key.Dim, *Number);
  if (const auto *Flag = std::get_if<bool>(&Value))
    return *Flag ? "true" : "false";
  if (const auto *P = std::get_if<Pipe>(&Value))
    return name(*P).str();
  if (const auto *Text = std::get_if<std::string>(&Value))
    return *Text;
  if (const auto *Texts = std::get_if<std::vector<std::string>>(&Value))
    return llvm::join(*Texts, ", ");
  std::vector<std::string> Parts;
  for (double Number : std::get<std::vector<double>>(Value))
    Parts.push_back(printNumber(Key.Dim, Number));
  return llvm::join(Parts, ", ");
}

} // namespace gpuestimate
