/// \file
/// Values as text: reading with a mandatory unit, and printing.
#include "gpu-estimate/Model/Machine/MachineKeys.h"

#include "gpu-estimate/Support/Format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

namespace gpuestimate {

namespace {

/// User text in a message: shortened, and without control characters.
std::string quotedInput(llvm::StringRef Text) {
  std::string Result = "'";
  for (char C : Text.take_front(40))
    Result += llvm::isPrint(C) ? C : '?';
  return Result + (Text.size() > 40 ? "...'" : "'");
}

llvm::Error expected(const MachineKey &Key, llvm::StringRef Text) {
  return llvm::createStringError("expected " + expectation(Key.Dim) + ", got " +
                                 quotedInput(Text));
}

/// Prints a number for people, to three digits.
std::string printNumber(KeyDimension Dim, double Value) {
  switch (Dim) {
  case KeyDimension::Cycles:
    return formatCycles(Cycles(Value));
  case KeyDimension::Bytes:
  case KeyDimension::BytesList:
    return formatBytes(Bytes(Value));
  case KeyDimension::Frequency:
    return formatFrequency(Hertz(Value));
  case KeyDimension::Bandwidth:
    return formatRate(BytesPerSecond(Value));
  case KeyDimension::BytesPerCycle:
    return formatBytes(Bytes(Value)) + "/cycle";
  case KeyDimension::Time:
    return formatTime(Seconds(Value));
  case KeyDimension::Power:
    return formatPower(Watts(Value));
  case KeyDimension::Energy:
    return formatEnergy(Joules(Value));
  case KeyDimension::EnergyPerByte:
    return formatEnergyPerByte(JoulesPerByte(Value));
  case KeyDimension::PerCycle:
    return llvm::formatv("{0} /cycle", llvm::format("%.4g", Value)).str();
  default:
    return llvm::formatv("{0}", llvm::format("%.10g", Value)).str();
  }
}

/// The dimension for parseQuantity(), or nullopt for a number without a unit.
std::optional<Dimension> unitsOf(KeyDimension Dim) {
  switch (Dim) {
  case KeyDimension::Cycles:
    return Dimension::Cycles;
  case KeyDimension::Bytes:
  case KeyDimension::BytesList:
    return Dimension::Bytes;
  case KeyDimension::Frequency:
    return Dimension::Frequency;
  case KeyDimension::Bandwidth:
    return Dimension::ByteRate;
  case KeyDimension::BytesPerCycle:
    return Dimension::BytesPerCycle;
  case KeyDimension::Time:
    return Dimension::Time;
  case KeyDimension::Power:
    return Dimension::Power;
  case KeyDimension::Energy:
    return Dimension::Energy;
  case KeyDimension::EnergyPerByte:
    return Dimension::EnergyPerByte;
  default:
    return std::nullopt;
  }
}

/// Parses a number to base units, without a check of its range.
llvm::Expected<double> parseUnranged(const MachineKey &Key,
                                     llvm::StringRef Text) {
  llvm::StringRef Spelling = Text.trim();
  double Value = 0;
  if (std::optional<Dimension> Units = unitsOf(Key.Dim)) {
    // parseQuantity() reads a number without a unit in base units; model files
    // must state their units.
    if (Spelling.empty() || !llvm::isAlpha(Spelling.back()))
      return expected(Key, Text);
    llvm::Expected<double> Parsed = parseQuantity(Spelling, *Units);
    if (!Parsed) {
      llvm::consumeError(Parsed.takeError());
      return expected(Key, Text);
    }
    return *Parsed;
  }
  if (Key.Dim == KeyDimension::PerCycle && !Spelling.consume_back("/cycle"))
    return expected(Key, Text);
  if (Spelling.trim().getAsDouble(Value) || !std::isfinite(Value))
    return expected(Key, Text);
  return Value;
}

llvm::Expected<double> parseNumber(const MachineKey &Key,
                                   llvm::StringRef Text) {
  llvm::Expected<double> Value = parseUnranged(Key, Text);
  if (!Value)
    return Value.takeError();
  bool Whole =
      Key.Dim == KeyDimension::Count || Key.Dim == KeyDimension::Extent ||
      Key.Dim == KeyDimension::Bytes || Key.Dim == KeyDimension::BytesList;
  if (Whole && *Value != std::floor(*Value))
    return llvm::createStringError("expected a whole number, got " +
                                   quotedInput(Text));
  if (*Value < Key.Min || *Value > Key.Max)
    return llvm::createStringError(quotedInput(Text) + " is not between " +
                                   printNumber(Key.Dim, Key.Min) + " and " +
                                   printNumber(Key.Dim, Key.Max));
  return *Value;
}

llvm::Expected<KeyValue> parseText(const MachineKey &Key,
                                   llvm::StringRef Text) {
  if (Text.trim().empty() || Text.size() > 200 ||
      llvm::any_of(Text, [](char C) { return !llvm::isPrint(C); }))
    return expected(Key, Text);
  return KeyValue(Text.trim().str());
}

} // namespace

Scaling usualScaling(KeyDimension Dim) {
  switch (Dim) {
  case KeyDimension::Cycles:
  case KeyDimension::BytesPerCycle:
  case KeyDimension::PerCycle:
    return Scaling::CoreCycles;
  case KeyDimension::Frequency:
  case KeyDimension::Bandwidth:
    return Scaling::ByUnit;
  default:
    return Scaling::Fixed;
  }
}

llvm::StringRef describe(Scaling Rule) {
  switch (Rule) {
  case Scaling::ByUnit:
  case Scaling::Fixed:
    return "stays";
  case Scaling::CoreCycles:
    return "stays in cycles";
  case Scaling::CoreClock:
    return "with the core clock";
  case Scaling::MemoryClock:
    return "with the memory clock";
  case Scaling::BeyondL2:
    return "beyond L2 constant in time";
  case Scaling::Dispatcher:
    return "stays in cycles, unless launch.block_rate_follows_core is false";
  }
  llvm_unreachable("a scaling without a description");
}

llvm::StringRef expectation(KeyDimension Dim) {
  switch (Dim) {
  case KeyDimension::Text:
    return "one line of text";
  case KeyDimension::TextList:
    return "a list of names such as '[A100, A100 PCIe]'";
  case KeyDimension::Count:
    return "a whole number such as '108'";
  case KeyDimension::Factor:
    return "a number such as '1.5'";
  case KeyDimension::Flag:
    return "'true' or 'false'";
  case KeyDimension::PipeName:
    return "a pipe: fp32, fp64, fp16, int, sfu, tensor, load_store, texture, "
           "branch or issue";
  case KeyDimension::Extent:
    return "three whole numbers such as '[1024, 1024, 64]'";
  case KeyDimension::Cycles:
    return "core-clock cycles such as '4 cycles'";
  case KeyDimension::Bytes:
    return "bytes such as '40 MiB'";
  case KeyDimension::BytesList:
    return "a list of bytes such as '[0 B, 8 KiB, 16 KiB]'";
  case KeyDimension::Frequency:
    return "a frequency such as '1410 MHz'";
  case KeyDimension::Bandwidth:
    return "bytes per second such as '1555 GB/s'";
  case KeyDimension::BytesPerCycle:
    return "bytes per core cycle such as '128 B/cycle'";
  case KeyDimension::Time:
    return "a time such as '2.5 us'";
  case KeyDimension::PerCycle:
    return "a number per core cycle such as '64 /cycle'";
  case KeyDimension::Power:
    return "a power such as '250 W'";
  case KeyDimension::Energy:
    return "an energy such as '9.8 pJ'";
  case KeyDimension::EnergyPerByte:
    return "an energy per byte such as '31.8 pJ/B'";
  }
  llvm_unreachable("a dimension without an expectation");
}

llvm::Expected<KeyValue> parseKeyValue(const MachineKey &Key,
                                       llvm::StringRef Text) {
  switch (Key.Dim) {
  case KeyDimension::Text:
    return parseText(Key, Text);
  case KeyDimension::TextList:
  case KeyDimension::BytesList:
  case KeyDimension::Extent: {
    llvm::SmallVector<llvm::StringRef> Parts;
    if (!Text.empty())
      Text.split(Parts, ',');
    return parseKeyList(Key,
                        std::vector<std::string>(Parts.begin(), Parts.end()));
  }
  case KeyDimension::Flag:
    if (Text.trim() != "true" && Text.trim() != "false")
      return expected(Key, Text);
    return KeyValue(Text.trim() == "true");
  case KeyDimension::PipeName:
    if (std::optional<Pipe> P = pipeFromName(Text.trim()))
      return KeyValue(*P);
    return expected(Key, Text);
  default: {
    llvm::Expected<double> Number = parseNumber(Key, Text);
    if (!Number)
      return Number.takeError();
    return KeyValue(*Number);
  }
  }
}

llvm::Expected<KeyValue> parseKeyList(const MachineKey &Key,
                                      llvm::ArrayRef<std::string> Items) {
  if (Key.Dim == KeyDimension::TextList) {
    std::vector<std::string> Names;
    for (const std::string &Item : Items) {
      llvm::Expected<KeyValue> Name = parseText(Key, Item);
      if (!Name)
        return Name.takeError();
      Names.push_back(std::get<std::string>(*Name));
    }
    return KeyValue(std::move(Names));
  }
  if (Key.Dim != KeyDimension::Extent && Key.Dim != KeyDimension::BytesList)
    return llvm::createStringError("expected " + expectation(Key.Dim) +
                                   ", got a list");
  std::vector<double> Numbers;
  for (const std::string &Item : Items) {
    llvm::Expected<double> Number = parseNumber(Key, Item);
    if (!Number)
      return Number.takeError();
    Numbers.push_back(*Number);
  }
  if (Key.Dim == KeyDimension::Extent && Numbers.size() != 3)
    return llvm::createStringError("expected " + expectation(Key.Dim) +
                                   ", got " + llvm::Twine(Numbers.size()) +
                                   " numbers");
  if (Key.Dim == KeyDimension::BytesList &&
      (Numbers.empty() || !llvm::is_sorted(Numbers)))
    return llvm::createStringError("expected " + expectation(Key.Dim) +
                                   " in ascending order");
  return KeyValue(std::move(Numbers));
}

std::string printKeyValue(const MachineKey &Key, const KeyValue &Value) {
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
