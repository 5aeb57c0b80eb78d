/// \file
/// Numbers in reports that are not physical quantities (see Support/Format.h
/// for those).
#ifndef GPU_ESTIMATE_SUPPORT_NUMBERS_H
#define GPU_ESTIMATE_SUPPORT_NUMBERS_H

#include <array>
#include <cstdint>
#include <string>

namespace gpuestimate {

/// A whole number in full, another one with up to six significant digits.
std::string formatNumber(double Value);
/// Rounded to two digits after the point, without trailing zeros.
std::string formatRatio(double Value);
/// "64x64": trailing ones are left out, "1" for a single one.
std::string formatSizes(const std::array<uint64_t, 3> &Sizes);

} // namespace gpuestimate

#endif
