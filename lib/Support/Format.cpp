/// \file
/// Prints quantities.
#include "gpu-estimate/Support/Format.h"

#include "llvm/ADT/ArrayRef.h"
#include <cmath>
#include <cstdio>

namespace gpuestimate {

namespace {

/// Value with Digits significant digits and no trailing zeros.
std::string significant(double Value, int Digits) {
  int Before = Value < 1 ? 1 : 1 + static_cast<int>(std::log10(Value));
  char Buffer[64];
  std::snprintf(Buffer, sizeof(Buffer), "%.*f", std::max(0, Digits - Before),
                Value);
  llvm::StringRef Text = Buffer;
  if (Text.contains('.'))
    Text = Text.rtrim('0').rtrim('.');
  return Text.str();
}

struct Scale {
  double Factor;
  llvm::StringRef Name; ///< of the unit with its prefix
};

constexpr Scale TimeScales[] = {
    {1e-12, "ps"}, {1e-9, "ns"}, {1e-6, "us"}, {1e-3, "ms"}, {1, "s"}};

/// Prints a value in the largest of Scales (in ascending order) that leaves at
/// least 1. The rounded value decides: 999.96 us is 1 ms, not 1000 us.
std::string scaled(double Value, llvm::ArrayRef<Scale> Scales,
                   int DigitsBelowTen) {
  if (std::isnan(Value))
    return "unknown";
  std::string Sign = Value < 0 ? "-" : "";
  Value = std::fabs(Value);
  if (std::isinf(Value))
    return Sign + "inf";
  for (size_t I = 0; I < Scales.size(); ++I) {
    double Number = Value / Scales[I].Factor;
    bool Last = I + 1 == Scales.size();
    if (Number < 999.5 || Last) {
      std::string Text =
          significant(Number, Number < 9.9995 ? DigitsBelowTen : 3);
      llvm::StringRef Unit = Scales[I].Name;
      return Sign + Text + (Unit.empty() ? "" : " ") + Unit.str();
    }
  }
  return "";
}

} // namespace

std::string formatTime(Seconds T) {
  if (T.value() == 0)
    return "0 s";
  return scaled(T.value(), TimeScales, 4);
}

std::string formatTimeRange(Seconds Low, Seconds High) {
  const Scale *Unit = std::begin(TimeScales);
  while (Unit + 1 != std::end(TimeScales) &&
         Low.value() >= 0.9995 * Unit[1].Factor)
    ++Unit;
  double A = Low.value() / Unit->Factor, B = High.value() / Unit->Factor;
  int Digits = B < 1.15 * A ? 3 : 2;
  if (B >= 999.5) // another unit
    return significant(A, Digits) + " " + Unit->Name.str() + "-" +
           formatTime(High);
  return significant(A, Digits) + "-" + significant(B, Digits) + " " +
         Unit->Name.str();
}

std::string formatBytes(Bytes B) {
  return scaled(B.value(),
                {{1, "B"},
                 {1e3, "KB"},
                 {1e6, "MB"},
                 {1e9, "GB"},
                 {1e12, "TB"},
                 {1e15, "PB"}},
                3);
}

std::string formatRate(BytesPerSecond R) {
  return scaled(R.value(),
                {{1, "B/s"},
                 {1e3, "KB/s"},
                 {1e6, "MB/s"},
                 {1e9, "GB/s"},
                 {1e12, "TB/s"},
                 {1e15, "PB/s"}},
                3);
}

std::string formatFrequency(Hertz F) {
  return scaled(F.value(),
                {{1, "Hz"}, {1e3, "kHz"}, {1e6, "MHz"}, {1e9, "GHz"}}, 3);
}

std::string formatCycles(Cycles C) {
  return scaled(C.value(),
                {{1, "cycles"},
                 {1e3, "Kcycles"},
                 {1e6, "Mcycles"},
                 {1e9, "Gcycles"},
                 {1e12, "Tcycles"}},
                3);
}

std::string formatCount(double Count) {
  return scaled(Count,
                {{1, ""},
                 {1e3, "K"},
                 {1e6, "M"},
                 {1e9, "G"},
                 {1e12, "T"},
                 {1e15, "P"},
                 {1e18, "E"}},
                3);
}

std::string formatPower(Watts P) {
  return scaled(P.value(), {{1e-6, "uW"}, {1e-3, "mW"}, {1, "W"}, {1e3, "kW"}},
                3);
}

std::string formatEnergy(Joules E) {
  if (E.value() == 0)
    return "0 J";
  return scaled(E.value(),
                {{1e-12, "pJ"},
                 {1e-9, "nJ"},
                 {1e-6, "uJ"},
                 {1e-3, "mJ"},
                 {1, "J"},
                 {1e3, "kJ"}},
                3);
}

std::string formatEnergyPerByte(JoulesPerByte E) {
  return formatEnergy(Joules(E.value())) + "/B";
}

std::string formatPercent(double Fraction) {
  if (std::isnan(Fraction))
    return "unknown";
  return (Fraction < 0 ? "-" : "") + significant(std::fabs(100 * Fraction), 3) +
         "%";
}

} // namespace gpuestimate
