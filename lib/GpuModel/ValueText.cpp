/// \file
/// Values as text: reading with a mandatory unit, and printing.
#include "gpu-estimate/GpuModel/GpuModelKeys.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

namespace gpuestimate {

namespace {

struct Unit {
  llvm::StringLiteral Name;
  double Factor; ///< base units in one of this unit
};

// Each list goes from large to small; after the first rise follow spellings
// that are read but never printed.
constexpr Unit CycleUnits[] = {{"cycles", 1}, {"cycle", 1}};
constexpr Unit ByteUnits[] = {{"GiB", 1073741824.0}, {"MiB", 1048576.0}, {"KiB", 1024}, {"B", 1},
                              {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"KB", 1e3}, {"bytes", 1}};
constexpr Unit FrequencyUnits[] = {{"GHz", 1e9}, {"MHz", 1e6}, {"kHz", 1e3}, {"Hz", 1}};
constexpr Unit BandwidthUnits[] = {{"TB/s", 1e12}, {"GB/s", 1e9}, {"MB/s", 1e6}, {"B/s", 1},
                                   {"TiB/s", 1099511627776.0}, {"GiB/s", 1073741824.0}, {"MiB/s", 1048576.0}};
constexpr Unit BytesPerCycleUnits[] = {{"B/cycle", 1}, {"B/clk", 1}};
constexpr Unit TimeUnits[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
constexpr Unit PerCycleUnits[] = {{"/cycle", 1}, {"/clk", 1}};

llvm::ArrayRef<Unit> unitsOf(Dimension Dim) {
  switch (Dim) {
  case Dimension::Cycles: return CycleUnits;
  case Dimension::Bytes:
  case Dimension::BytesList: return ByteUnits;
  case Dimension::Frequency: return FrequencyUnits;
  case Dimension::Bandwidth: return BandwidthUnits;
  case Dimension::BytesPerCycle: return BytesPerCycleUnits;
  case Dimension::Time: return TimeUnits;
  case Dimension::PerCycle: return PerCycleUnits;
  default: return {};
  }
}

bool isWhole(Dimension Dim) {
  return Dim == Dimension::Count || Dim == Dimension::Extent || Dim == Dimension::Bytes || Dim == Dimension::BytesList;
}

/// User text in a message: shortened, and without control characters.
std::string quoted(llvm::StringRef Text) {
  std::string Result = "'";
  for (char C : Text.take_front(40))
    Result += llvm::isPrint(C) ? C : '?';
  return Result + (Text.size() > 40 ? "...'" : "'");
}

llvm::Error expected(const GpuKey &Key, llvm::StringRef Text) {
  return llvm::createStringError("expected " + expectation(Key.Dim) + ", got " + quoted(Text));
}

/// Shortest decimal text that reads back to the same double.
std::string shortest(double Value) {
  for (int Digits = 6; Digits < 17; ++Digits) {
    std::string Text = llvm::formatv("{0}", llvm::format("%.*g", Digits, Value)).str();
    double Back = 0;
    if (!llvm::StringRef(Text).getAsDouble(Back) && Back == Value)
      return Text;
  }
  return llvm::formatv("{0}", llvm::format("%.17g", Value)).str();
}

/// Prints in the largest unit that gives at least 1 and that reading turns
/// back into the same value; in the base unit if there is none.
std::string printNumber(Dimension Dim, double Value) {
  llvm::ArrayRef<Unit> Units = unitsOf(Dim);
  if (Units.empty())
    return shortest(Value);
  for (size_t I = 0; I < Units.size(); ++I) {
    if (I > 0 && Units[I].Factor >= Units[I - 1].Factor)
      break; // spellings that are only read
    double Scaled = Value / Units[I].Factor;
    bool Fits = std::abs(Scaled) >= 1 && Scaled * Units[I].Factor == Value;
    if (Fits && (!isWhole(Dim) || Scaled == std::floor(Scaled)))
      return shortest(Scaled) + " " + Units[I].Name.str();
  }
  const Unit *Base = llvm::find_if(Units, [](const Unit &U) { return U.Factor == 1; });
  return shortest(Value) + " " + Base->Name.str();
}

llvm::Expected<double> parseNumber(const GpuKey &Key, llvm::StringRef Text) {
  llvm::StringRef Rest = Text.trim();
  size_t End = Rest.find_first_not_of("+-0123456789.eE");
  // "1e3" is a number, the E of a unit would be something else; no unit begins
  // with one of the characters above.
  llvm::StringRef Digits = Rest.take_front(End), UnitText = End == llvm::StringRef::npos ? "" : Rest.substr(End);
  double Value = 0;
  if (Digits.rtrim().getAsDouble(Value) || !std::isfinite(Value))
    return expected(Key, Text);
  UnitText = UnitText.trim();
  llvm::ArrayRef<Unit> Units = unitsOf(Key.Dim);
  double Factor = Units.empty() && UnitText.empty() ? 1 : 0;
  for (const Unit &U : Units)
    if (UnitText == U.Name)
      Factor = U.Factor;
  if (Factor == 0)
    return expected(Key, Text);
  Value *= Factor;
  if (isWhole(Key.Dim) && Value != std::floor(Value))
    return llvm::createStringError("expected a whole number, got " + quoted(Text));
  if (Value < Key.Min || Value > Key.Max)
    return llvm::createStringError(quoted(Text) + " is not between " + printNumber(Key.Dim, Key.Min) + " and " +
                                   printNumber(Key.Dim, Key.Max));
  return Value;
}

llvm::Expected<GpuValue> parseText(const GpuKey &Key, llvm::StringRef Text) {
  if (Text.trim().empty() || Text.size() > 200 || llvm::any_of(Text, [](char C) { return !llvm::isPrint(C); }))
    return expected(Key, Text);
  return GpuValue(Text.trim().str());
}

} // namespace

llvm::StringRef expectation(Dimension Dim) {
  switch (Dim) {
  case Dimension::Text: return "one line of text";
  case Dimension::TextList: return "a list of names such as '[A100, A100 PCIe]'";
  case Dimension::Count: return "a whole number such as '108'";
  case Dimension::Factor: return "a number such as '1.5'";
  case Dimension::Flag: return "'true' or 'false'";
  case Dimension::PipeName: return "a pipe: fp32, fp64, fp16, int, sfu, tensor, load_store, texture, branch or issue";
  case Dimension::Extent: return "three whole numbers such as '[1024, 1024, 64]'";
  case Dimension::Cycles: return "core-clock cycles such as '4 cycles'";
  case Dimension::Bytes: return "bytes such as '40 MiB'";
  case Dimension::BytesList: return "a list of bytes such as '[0 B, 8 KiB, 16 KiB]'";
  case Dimension::Frequency: return "a frequency such as '1410 MHz'";
  case Dimension::Bandwidth: return "bytes per second such as '1555 GB/s'";
  case Dimension::BytesPerCycle: return "bytes per core cycle such as '128 B/cycle'";
  case Dimension::Time: return "a time such as '2.5 us'";
  case Dimension::PerCycle: return "a number per core cycle such as '64 /cycle'";
  }
  llvm_unreachable("a dimension without an expectation");
}

llvm::Expected<GpuValue> parseGpuValue(const GpuKey &Key, llvm::StringRef Text) {
  switch (Key.Dim) {
  case Dimension::Text:
    return parseText(Key, Text);
  case Dimension::TextList:
  case Dimension::BytesList:
  case Dimension::Extent: {
    llvm::SmallVector<llvm::StringRef> Parts;
    if (!Text.empty())
      Text.split(Parts, ',');
    return parseGpuList(Key, std::vector<std::string>(Parts.begin(), Parts.end()));
  }
  case Dimension::Flag:
    if (Text.trim() != "true" && Text.trim() != "false")
      return expected(Key, Text);
    return GpuValue(Text.trim() == "true");
  case Dimension::PipeName:
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

llvm::Expected<GpuValue> parseGpuList(const GpuKey &Key, llvm::ArrayRef<std::string> Items) {
  if (Key.Dim == Dimension::TextList) {
    std::vector<std::string> Names;
    for (const std::string &Item : Items) {
      llvm::Expected<GpuValue> Name = parseText(Key, Item);
      if (!Name)
        return Name.takeError();
      Names.push_back(std::get<std::string>(*Name));
    }
    return GpuValue(std::move(Names));
  }
  if (Key.Dim != Dimension::Extent && Key.Dim != Dimension::BytesList)
    return llvm::createStringError("expected " + expectation(Key.Dim) + ", got a list");
  std::vector<double> Numbers;
  for (const std::string &Item : Items) {
    llvm::Expected<double> Number = parseNumber(Key, Item);
    if (!Number)
      return Number.takeError();
    Numbers.push_back(*Number);
  }
  if (Key.Dim == Dimension::Extent && Numbers.size() != 3)
    return llvm::createStringError("expected " + expectation(Key.Dim) + ", got " + llvm::Twine(Numbers.size()) +
                                   " numbers");
  if (Key.Dim == Dimension::BytesList && (Numbers.empty() || !llvm::is_sorted(Numbers)))
    return llvm::createStringError("expected " + expectation(Key.Dim) + " in ascending order");
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
