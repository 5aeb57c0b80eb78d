/// \file
/// Quantities to text and back.
#include "gpu-estimate/Support/Format.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpuestimate;

namespace {

TEST(Format, TimeRangesShareAUnit) {
  EXPECT_EQ(formatTimeRange(Seconds(38.2e-6), Seconds(51.4e-6)), "38-51 us");
  EXPECT_EQ(formatTimeRange(Seconds(1.8e-6), Seconds(9.2e-6)), "1.8-9.2 us");
  // Close times need three digits to differ.
  EXPECT_EQ(formatTimeRange(Seconds(1.117e-3), Seconds(1.273e-3)),
            "1.12-1.27 ms");
  EXPECT_EQ(formatTimeRange(Seconds(850e-6), Seconds(1.2e-3)), "850 us-1.2 ms");
}

TEST(Format, Times) {
  EXPECT_EQ(formatTime(Seconds(1.2341e-3)), "1.234 ms");
  EXPECT_EQ(formatTime(Seconds(12.34e-6)), "12.3 us");
  EXPECT_EQ(formatTime(Seconds(123.4e-9)), "123 ns");
  EXPECT_EQ(formatTime(Seconds(0)), "0 s");
  EXPECT_EQ(formatTime(Seconds(75)), "75 s");
  EXPECT_EQ(formatTime(Seconds(12345)), "12345 s");
  EXPECT_EQ(formatTime(Seconds(999.96e-6)), "1 ms") << "not 1000 us";
  EXPECT_EQ(formatTime(Seconds(9.9996e-3)), "10 ms") << "not 10.000 ms";
  EXPECT_EQ(formatTime(Seconds(-2e-3)), "-2 ms");
  EXPECT_EQ(formatTime(Seconds(NAN)), "unknown");
}

TEST(Format, OtherQuantities) {
  EXPECT_EQ(formatBytes(Bytes(16777216)), "16.8 MB");
  EXPECT_EQ(formatBytes(Bytes(32)), "32 B");
  EXPECT_EQ(formatRate(BytesPerSecond(1.41e12)), "1.41 TB/s");
  EXPECT_EQ(formatFrequency(Hertz(1.44e9)), "1.44 GHz");
  EXPECT_EQ(formatCycles(Cycles(213)), "213 cycles");
  EXPECT_EQ(formatCount(1.07e9), "1.07 G");
  EXPECT_EQ(formatCount(512), "512");
  EXPECT_EQ(formatCount(0), "0");
  EXPECT_EQ(formatCount(INFINITY), "inf");
  EXPECT_EQ(formatPercent(0.4321), "43.2%");
  EXPECT_EQ(formatPercent(1), "100%");
  EXPECT_EQ(formatPercent(0.00123), "0.12%");
}

double parsed(llvm::StringRef Text, Dimension D) {
  auto Value = parseQuantity(Text, D);
  if (!Value) {
    ADD_FAILURE() << llvm::toString(Value.takeError());
    return NAN;
  }
  return *Value;
}

std::string failure(llvm::StringRef Text, Dimension D) {
  auto Value = parseQuantity(Text, D);
  if (Value)
    return "accepted as " + std::to_string(*Value);
  return llvm::toString(Value.takeError());
}

TEST(ParseQuantity, Units) {
  EXPECT_EQ(parsed("1440MHz", Dimension::Frequency), 1440e6);
  EXPECT_EQ(parsed("1.44 GHz", Dimension::Frequency), 1.44e9);
  EXPECT_EQ(parsed("32768 kHz", Dimension::Frequency), 32768e3);
  EXPECT_EQ(parsed("900 GB/s", Dimension::ByteRate), 900e9);
  EXPECT_EQ(parsed("4.8 TB/s", Dimension::ByteRate), 4.8e12);
  EXPECT_EQ(parsed("40 MiB", Dimension::Bytes), 40.0 * 1024 * 1024);
  EXPECT_EQ(parsed("48 KiB", Dimension::Bytes), 48 * 1024);
  EXPECT_EQ(parsed("48 KB", Dimension::Bytes), 48000);
  EXPECT_EQ(parsed("32 B", Dimension::Bytes), 32);
  EXPECT_EQ(parsed("128 bytes", Dimension::Bytes), 128);
  EXPECT_EQ(parsed("213 cycles", Dimension::Cycles), 213);
  EXPECT_EQ(parsed("2.5 us", Dimension::Time), 2.5e-6);
  EXPECT_EQ(parsed("2.5 \xc2\xb5s", Dimension::Time), 2.5e-6);
  EXPECT_EQ(parsed("3 ms", Dimension::Time), 3e-3);
  EXPECT_EQ(parsed("64 B/clk", Dimension::BytesPerCycle), 64);
  EXPECT_EQ(parsed("16M", Dimension::Count), 16e6);
  EXPECT_EQ(parsed("43%", Dimension::Fraction), 0.43);
  EXPECT_EQ(parsed(" 1e9 ", Dimension::Frequency), 1e9);
  EXPECT_EQ(parsed(".5", Dimension::Fraction), 0.5);
}

TEST(ParseQuantity, Errors) {
  EXPECT_EQ(failure("1440 Mhz", Dimension::Frequency),
            "'1440 Mhz': unknown unit 'Mhz' for a frequency; use Hz, kHz, MHz "
            "or GHz");
  EXPECT_EQ(failure("fast", Dimension::Frequency),
            "'fast': expected a frequency: a number, then a unit (Hz, kHz, MHz "
            "or GHz)");
  EXPECT_EQ(failure("-3 GHz", Dimension::Frequency),
            "'-3 GHz': a frequency cannot be negative");
  for (llvm::StringRef Text : {"", "nan", "inf", "GHz", "--3", "1 2 GHz",
                               "3 GB", "3 kiHz", "1e999 Hz", "0x10"})
    EXPECT_EQ(failure(Text, Dimension::Frequency).substr(0, Text.size() + 3),
              "'" + Text.str() + "':");
  EXPECT_NE(failure("10 Gb/s", Dimension::ByteRate).find("unknown unit"),
            std::string::npos)
      << "bits are not bytes";
}

} // namespace
