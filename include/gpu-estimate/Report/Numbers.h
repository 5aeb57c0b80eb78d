/// \file
/// Numbers for people: three significant digits with the unit that fits.
#ifndef GPU_ESTIMATE_REPORT_NUMBERS_H
#define GPU_ESTIMATE_REPORT_NUMBERS_H

#include "gpu-estimate/KernelModel/Launch.h"
#include "gpu-estimate/Support/Units.h"
#include <array>
#include <string>

namespace gpuestimate {

std::string formatTime(Seconds S);     ///< "12.3 us", "1.23 ms"
std::string formatBytes(double Bytes); ///< "1.5 KiB", binary prefixes
std::string formatCount(double Count); ///< "950", "12.3 k", "1.05 G"
std::string formatPercent(double Fraction); ///< "83.2 %"
std::string formatNumber(double Value); ///< as short as it is exact to 6 digits
/// "64x64": trailing ones are left out, "1" for a single one.
std::string formatSizes(const std::array<uint64_t, 3> &Sizes);

} // namespace gpuestimate

#endif
