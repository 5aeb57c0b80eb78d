/// \file
/// Parses quantities.
#include "gpu-estimate/Support/Format.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include <charconv>
#include <cmath>
#include <optional>

namespace gpuestimate {

namespace {

struct DimensionInfo {
  llvm::StringRef What;                  ///< for messages
  llvm::ArrayRef<llvm::StringRef> Units; ///< without prefix
  llvm::StringRef DecimalPrefixes;
  bool BinaryPrefixes;
  llvm::StringRef Examples;
};

constexpr llvm::StringRef NoUnit[] = {""};
constexpr llvm::StringRef Percent[] = {"%"};
constexpr llvm::StringRef Second[] = {"s"};
constexpr llvm::StringRef Cycle[] = {"cycles", "cycle", "clk"};
constexpr llvm::StringRef Byte[] = {"B", "bytes", "byte"};
constexpr llvm::StringRef HertzUnit[] = {"Hz"};
constexpr llvm::StringRef PerSecond[] = {"B/s"};
constexpr llvm::StringRef PerCycle[] = {"B/cycle", "B/clk"};
constexpr llvm::StringRef Watt[] = {"W"};
constexpr llvm::StringRef Joule[] = {"J"};
constexpr llvm::StringRef JoulePerByte[] = {"J/B"};

DimensionInfo infoOf(Dimension D) {
  switch (D) {
  case Dimension::Count:
    return {"a count", NoUnit, "KMGT", false, "K, M, G, T or none"};
  case Dimension::Fraction:
    return {"a fraction", Percent, "", false, "% or none"};
  case Dimension::Time:
    return {"a time", Second, "munp", false, "s, ms, us, ns or ps"};
  case Dimension::Cycles:
    return {"a number of cycles", Cycle, "KMG", false, "cycles"};
  case Dimension::Bytes:
    return {"a size", Byte, "KMGTP", true,
            "B, KB, MB, GB, TB, KiB, MiB, GiB or TiB"};
  case Dimension::Frequency:
    return {"a frequency", HertzUnit, "KMGT", false, "Hz, kHz, MHz or GHz"};
  case Dimension::ByteRate:
    return {"a rate", PerSecond, "KMGTP", true,
            "B/s, KB/s, MB/s, GB/s, TB/s, MiB/s, GiB/s or TiB/s"};
  case Dimension::BytesPerCycle:
    return {"a rate", PerCycle, "K", true, "B/cycle or B/clk"};
  case Dimension::Power:
    return {"a power", Watt, "mK", false, "mW, W or kW"};
  case Dimension::Energy:
    return {"an energy", Joule, "munp", false, "J, mJ, uJ, nJ or pJ"};
  case Dimension::EnergyPerByte:
    return {"an energy per byte", JoulePerByte, "munp", false,
            "J/B, nJ/B or pJ/B"};
  }
  return {};
}

double decimalPrefix(char Letter) {
  switch (Letter) {
  case 'p':
    return 1e-12;
  case 'n':
    return 1e-9;
  case 'u':
    return 1e-6;
  case 'm':
    return 1e-3;
  case 'K':
    return 1e3;
  case 'M':
    return 1e6;
  case 'G':
    return 1e9;
  case 'T':
    return 1e12;
  default:
    return 1e15; // P
  }
}

double binaryPrefix(char Letter) {
  return std::exp2(10 * (1 + llvm::StringRef("KMGTP").find(Letter)));
}

/// Returns the number of base units in Unit.
std::optional<double> factorOf(llvm::StringRef Unit, const DimensionInfo &I) {
  std::string Folded = Unit.str();
  // The micro sign and the Greek letter mu both mean u.
  for (llvm::StringRef Micro : {"\xc2\xb5", "\xce\xbc"})
    if (Unit.starts_with(Micro))
      Folded = "u" + Unit.drop_front(Micro.size()).str();
  if (!Folded.empty() && Folded[0] == 'k')
    Folded[0] = 'K';
  llvm::StringRef Word = Folded;
  for (llvm::StringRef Base : I.Units) {
    if (!Word.ends_with(Base))
      continue;
    llvm::StringRef Prefix = Word.drop_back(Base.size());
    if (Prefix.empty())
      return Base == "%" ? 0.01 : 1.0;
    if (!I.DecimalPrefixes.contains(Prefix[0]))
      continue;
    if (Prefix.size() == 1)
      return decimalPrefix(Prefix[0]);
    if (I.BinaryPrefixes && Prefix.drop_front() == "i")
      return binaryPrefix(Prefix[0]);
  }
  return std::nullopt;
}

llvm::Error failure(llvm::StringRef Text, const llvm::Twine &Why) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "'" + Text + "': " + Why);
}

} // namespace

llvm::Expected<double> parseQuantity(llvm::StringRef Text, Dimension D) {
  DimensionInfo Info = infoOf(D);
  llvm::StringRef Remaining = Text.trim();
  double Number = 0;
  // from_chars would take "inf", "nan" and no '+'.
  bool Signed = Remaining.starts_with("+") || Remaining.starts_with("-");
  bool Negative = Remaining.starts_with("-");
  Remaining = Remaining.drop_front(Signed);
  auto Parsed = std::from_chars(Remaining.begin(), Remaining.end(), Number);
  bool StartsLikeNumber = !Remaining.empty() &&
                          (llvm::isDigit(Remaining[0]) || Remaining[0] == '.');
  if (!StartsLikeNumber || Parsed.ec != std::errc())
    return failure(Text, "expected " + Info.What + ": a number, then a unit (" +
                             Info.Examples + ")");
  if (Negative && Number != 0)
    return failure(Text, Info.What + " cannot be negative");
  llvm::StringRef Unit =
      Remaining.drop_front(Parsed.ptr - Remaining.begin()).trim();
  if (Unit.empty())
    return Number;
  auto Factor = factorOf(Unit, Info);
  if (!Factor)
    return failure(Text, "unknown unit '" + Unit + "' for " + Info.What +
                             "; use " + Info.Examples);
  // Dividing by 1e6 rounds once where multiplying by 1e-6 rounds twice.
  return *Factor < 1 ? Number / std::round(1 / *Factor) : Number * *Factor;
}

} // namespace gpuestimate
