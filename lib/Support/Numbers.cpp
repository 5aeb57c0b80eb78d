/// \file
/// Formatting of plain numbers.
#include "gpu-estimate/Support/Numbers.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

namespace gpuestimate {

std::string formatNumber(double Value) {
  if (Value == std::floor(Value) && std::fabs(Value) < 1e15)
    return std::to_string(static_cast<int64_t>(Value));
  std::string Text;
  llvm::raw_string_ostream(Text) << llvm::format("%.6g", Value);
  return Text;
}

std::string formatRatio(double Value) {
  return formatNumber(std::round(Value * 100) / 100);
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
