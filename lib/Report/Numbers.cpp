/// \file
/// Formatting of numbers with units.
#include "gpu-estimate/Report/Numbers.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

namespace gpuestimate {

template <typename... Ts>
static std::string print(const char *Format, const Ts &...Values) {
  std::string Text;
  llvm::raw_string_ostream(Text) << llvm::format(Format, Values...);
  return Text;
}

/// Three significant digits without an exponent; Value is in [0, 10000).
static std::string threeDigits(double Value) {
  if (Value == 0 || Value >= 99.95)
    return print("%.0f", Value);
  return print(Value >= 9.995 ? "%.1f" : "%.2f", Value);
}

namespace {
struct Scale {
  double Factor;
  const char *Unit;
};
} // namespace

/// Units in ascending order; the largest one that leaves at least 1.
static std::string scaled(double Value, llvm::ArrayRef<Scale> Scales) {
  const Scale *Best = &Scales.front();
  for (const Scale &S : Scales)
    if (Value >= S.Factor * 0.9995)
      Best = &S;
  return threeDigits(Value / Best->Factor) + Best->Unit;
}

std::string formatTime(Seconds S) {
  static constexpr Scale Scales[] = {
      {1e-9, " ns"}, {1e-6, " us"}, {1e-3, " ms"}, {1, " s"}};
  return scaled(S.value(), Scales);
}

std::string formatBytes(double Bytes) {
  static constexpr Scale Scales[] = {
      {1, " B"}, {0x1p10, " KiB"}, {0x1p20, " MiB"}, {0x1p30, " GiB"}, {0x1p40, " TiB"}};
  return scaled(Bytes, Scales);
}

std::string formatCount(double Count) {
  if (Count < 1e4 && Count == std::floor(Count))
    return print("%.0f", Count);
  static constexpr Scale Scales[] = {
      {1, ""}, {1e3, " k"}, {1e6, " M"}, {1e9, " G"}, {1e12, " T"}};
  return scaled(Count, Scales);
}

std::string formatPercent(double Fraction) {
  return print("%.1f %%", Fraction * 100);
}

std::string formatNumber(double Value) {
  if (Value == std::floor(Value) && std::fabs(Value) < 1e15)
    return print("%.0f", Value);
  return print("%.6g", Value);
}

std::string formatSizes(const std::array<uint64_t, 3> &Sizes) {
  std::string Text = std::to_string(Sizes[0]);
  if (Sizes[1] != 1 || Sizes[2] != 1)
    Text += "x" + std::to_string(Sizes[1]);
  if (Sizes[2] != 1)
    Text += "x" + std::to_string(Sizes[2]);
  return Text;
}

} // namespace gpuestimate
