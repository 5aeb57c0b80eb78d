/// \file
/// Prints quantities in short forms for people, and parses values with units in
/// model files and options.
#ifndef GPU_ESTIMATE_SUPPORT_FORMAT_H
#define GPU_ESTIMATE_SUPPORT_FORMAT_H

#include "gpu-estimate/Support/Units.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace gpuestimate {

// Three significant digits (a time of one digit before the point: four),
// without trailing zeros, with the decimal prefix that leaves 1 to 999.
// NaN is "unknown".
std::string formatTime(Seconds T); ///< "1.234 ms", "12.3 us"
/// "370-460 us", "850 us-1.2 ms": two digits, three if they are close.
std::string formatTimeRange(Seconds Low, Seconds High);
std::string formatBytes(Bytes B);         ///< "16.8 MB", "32 B"
std::string formatRate(BytesPerSecond R); ///< "1.41 TB/s"
std::string formatFrequency(Hertz F);     ///< "1.44 GHz"
std::string formatCycles(Cycles C);       ///< "213 cycles", "1.07 Gcycles"
std::string formatCount(double Count);    ///< "512", "1.07 G"
std::string formatPower(Watts P);         ///< "212 W"
std::string formatEnergy(Joules E);       ///< "87.4 mJ", "9.8 pJ"
/// "244 pJ/B"
std::string formatEnergyPerByte(JoulesPerByte E);
std::string formatPercent(double Fraction); ///< 0.432 -> "43.2%"

/// Kind of quantity that a text is expected to state, with the unit of the
/// parsed number.
enum class Dimension : uint8_t {
  Count,         ///< plain number; K, M, G, T are 1000, 10^6, ...
  Fraction,      ///< plain number, or "43%" for 0.43
  Time,          ///< seconds
  Cycles,        ///< cycles
  Bytes,         ///< bytes
  Frequency,     ///< hertz
  ByteRate,      ///< bytes per second
  BytesPerCycle, ///< bytes per cycle
  Power,         ///< watts
  Energy,        ///< joules
  EnergyPerByte, ///< joules per byte
};

/// The value of Text in the base unit of D. Decimal prefixes are powers of
/// 1000 (KB = 1000 B), binary ones of 1024 (KiB = 1024 B), for rates too; a
/// number without a unit is in the base unit; blanks around number and unit
/// do not matter. Units are case-sensitive, except that k may be K. Errors
/// quote Text and say which units are known: a number that is missing or
/// negative, a unit that is none of D's.
llvm::Expected<double> parseQuantity(llvm::StringRef Text, Dimension D);

} // namespace gpuestimate

#endif
