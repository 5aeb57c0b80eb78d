/// \file
/// Reading validation/recorded.json: what it says, and what is wrong with it.
#include "gpu-estimate/Validate/RecordedFigures.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace gpuestimate;
using namespace llvm;

namespace {

Expected<std::vector<RecordedDataset>> read(StringRef Text) {
  int Descriptor;
  SmallString<128> File;
  EXPECT_FALSE(
      sys::fs::createTemporaryFile("recorded", "json", Descriptor, File));
  raw_fd_ostream(Descriptor, /*shouldClose=*/true) << Text;
  auto Read = loadRecordedFigures(File);
  sys::fs::remove(File);
  return Read;
}

std::string error(StringRef Text) {
  auto Read = read(Text);
  if (Read)
    return "";
  return toString(Read.takeError());
}

std::string file(StringRef Row) {
  return ("{\"schema\": \"gpu-estimate-recorded/1\", \"datasets\": [{\"name\": "
          "\"cache\", \"date\": \"2026-11-23\", \"commit\": \"abc\", "
          "\"not_predicted\": 7, \"rows\": [" +
          Row + "]}]}")
      .str();
}

constexpr const char *Row =
    R"({"model": "m", "gpu": "g", "bottleneck": "", "cases": 3, "kernels": 2,
        "mean_ape": 0.2, "median_ape": 0.1, "bias": -0.05, "factor": null,
        "within_25": 0.75, "kernel_mean_ape": 0.3})";

TEST(ValidateRecordedFigures, RowsAreRead) {
  auto Read = read(file(Row));
  ASSERT_TRUE(bool(Read)) << toString(Read.takeError());
  ASSERT_EQ(Read->size(), 1u);
  const RecordedDataset &D = Read->front();
  EXPECT_EQ(D.Name, "cache");
  EXPECT_EQ(D.Date, "2026-11-23");
  EXPECT_EQ(D.Commit, "abc");
  EXPECT_EQ(D.NotPredicted, 7u);
  ASSERT_EQ(D.Rows.size(), 1u);
  EXPECT_EQ(D.Rows[0].Dataset, "cache");
  EXPECT_EQ(D.Rows[0].Model, "m");
  EXPECT_EQ(D.Rows[0].Gpu, "g");
  const ErrorStatistics &E = D.Rows[0].Errors;
  EXPECT_EQ(E.Cases, 3u);
  EXPECT_EQ(E.Kernels, 2u);
  EXPECT_EQ(E.MeanApe, 0.2);
  EXPECT_EQ(E.MedianApe, 0.1);
  EXPECT_EQ(E.Bias, -0.05);
  EXPECT_EQ(E.Factor, std::nullopt);
  EXPECT_EQ(E.Within25, 0.75);
  EXPECT_EQ(E.KernelMeanApe, 0.3);
}

TEST(ValidateRecordedFigures, AModelThatRefusesAllHasNoErrors) {
  auto Read = read(file(
      R"({"model": "m", "gpu": "", "bottleneck": "", "cases": 0, "kernels": 0,
          "mean_ape": null})"));
  ASSERT_TRUE(bool(Read)) << toString(Read.takeError());
  EXPECT_EQ(Read->front().Rows[0].Errors.Cases, 0u);
}

TEST(ValidateRecordedFigures, AMissingFileRecordsNothing) {
  auto Read = loadRecordedFigures("/nowhere/recorded.json");
  ASSERT_TRUE(bool(Read));
  EXPECT_TRUE(Read->empty());
}

TEST(ValidateRecordedFigures, WhatIsWrongIsNamed) {
  EXPECT_NE(error("{").find("recorded"), std::string::npos);
  EXPECT_NE(error(R"({"schema": "2", "datasets": []})").find("schema"),
            std::string::npos);
  std::string Missing =
      error(file(R"({"model": "m", "gpu": "", "bottleneck": "", "cases": 1,
                     "kernels": 1})"));
  EXPECT_NE(Missing.find("mean_ape"), std::string::npos) << Missing;
}

} // namespace
