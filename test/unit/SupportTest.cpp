/// \file
/// Units, suggestions, source places.
#include "gpu-estimate/Support/SourceLocation.h"
#include "gpu-estimate/Support/Suggest.h"
#include "gpu-estimate/Support/Units.h"
#include "gtest/gtest.h"

using namespace gpuestimate;

namespace {

TEST(Units, CrossUnitArithmetic) {
  EXPECT_EQ((Cycles(3e9) / Hertz(1.5e9)).value(), 2);
  EXPECT_EQ((Bytes(1e9) / BytesPerSecond(5e11)).value(), 0.002);
  EXPECT_EQ((BytesPerSecond(3e12) / Hertz(1.5e9)).value(), 2000);
  EXPECT_EQ((Seconds(2) * Hertz(10)).value(), 20);
  EXPECT_LT(Bytes(1), Bytes(2));
}

TEST(Suggest, NearestNamesFirst) {
  std::vector<std::string> Known = {"nvidia-a100-40gb-pcie", "nvidia-h200",
                                    "nvidia-v100", "nvidia-rtx-3080",
                                    "amd-r9-nano"};
  auto First = [&](llvm::StringRef Wrong) {
    auto Names = nearestNames(Wrong, Known);
    return Names.empty() ? "" : Names.front();
  };
  EXPECT_EQ(First("nvidia-h20"), "nvidia-h200");
  EXPECT_EQ(First("NVIDIA-V100"), "nvidia-v100");
  EXPECT_EQ(First("a100"), "nvidia-a100-40gb-pcie");
  EXPECT_EQ(First("h20"), "nvidia-h200");
  EXPECT_EQ(First("completely-different"), "");
  EXPECT_EQ(nearestNames("v10", Known, 1).size(), 1u);
  EXPECT_EQ(didYouMean("h20", {"h200", "h201", "h200"}),
            "; did you mean 'h200' or 'h201'?");
  EXPECT_EQ(didYouMean("h20", {}), "");
}

TEST(SourceLocation, Brief) {
  EXPECT_EQ((SourceLocation{"/a/b/k.cu", 12, 3}).brief(), "k.cu:12");
  EXPECT_EQ(SourceLocation().brief(), "?");
}

} // namespace
