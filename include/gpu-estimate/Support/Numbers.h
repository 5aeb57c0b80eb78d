/// \file
/// Numbers in reports that are not physical quantities (see Support/Format.h
/// for those).
#ifndef GPU_ESTIMATE_SUPPORT_NUMBERS_H
#define GPU_ESTIMATE_SUPPORT_NUMBERS_H

#include <array>
#include <cstdint>
#include <string>

namespace gpuestimate {

/// Prints a whole number with all digits, any other one with up to six
/// significant digits.
std::string formatNumber(double Value);
/// Rounded to two digits after the point, without trailing zeros.
std::string formatRatio(double Value);
/// Prints "64x64": trailing sizes of 1 are left out; "1" if all are 1.
std::string formatSizes(const std::array<uint64_t, 3> &Sizes);

} // namespace gpuestimate

#endif
