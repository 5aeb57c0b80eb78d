/// \file
/// Values of --vary: names, units, ranges.
#include "gpu-estimate/Session/Settings/SearchSpace.h"
#include "gtest/gtest.h"

using namespace gpuestimate;

namespace {

SpaceAxis axis(llvm::StringRef Text) {
  llvm::Expected<SpaceAxis> Parsed = parseSweptAxis(Text);
  if (!Parsed) {
    ADD_FAILURE() << llvm::toString(Parsed.takeError());
    return {};
  }
  return *Parsed;
}

std::string refusal(llvm::StringRef Text) {
  llvm::Expected<SpaceAxis> Parsed = parseSweptAxis(Text);
  if (Parsed) {
    ADD_FAILURE() << "an error was expected of " << Text.str();
    return "";
  }
  return llvm::toString(Parsed.takeError());
}

using Labels = std::vector<std::string>;

TEST(SweepSpace, ClocksHaveTheUnitOfTheirColumn) {
  for (const char *Text :
       {"core_clock=700:1100:200MHz", "core_clock=700:1100:200",
        "core_clock=700MHz,0.9GHz,1100", "Core_Clock=0.7:1.1:0.2GHz"}) {
    SpaceAxis A = axis(Text);
    EXPECT_EQ(A.Kind, AxisKind::CoreClock);
    EXPECT_EQ(A.Values.Column, "core_clock_mhz");
    EXPECT_EQ(A.Values.Labels, (Labels{"700", "900", "1100"})) << Text;
    EXPECT_EQ(A.Numbers.front(), 700e6);
  }
  EXPECT_EQ(axis("memory_clock=877").Kind, AxisKind::MemoryClock);
  EXPECT_EQ(axis("memory_clock=877").Values.Column, "memory_clock_mhz");
}

TEST(SweepSpace, RangesIncludeWhatTheyMeet) {
  EXPECT_EQ(axis("sm_count=4:32:4").Values.size(), 8u);
  EXPECT_EQ(axis("sm_count=4:30:4").Values.Labels.back(), "28");
  EXPECT_EQ(axis("sm_count=1:8:*2").Values.Labels,
            (Labels{"1", "2", "4", "8"}));
  EXPECT_EQ(axis("sm_count=1:3").Values.size(), 3u);
  // Steps that no binary fraction equals.
  EXPECT_EQ(axis("core_clock=100:200:0.1MHz").Values.size(), 1001u);
}

TEST(SweepSpace, ValuesOfGpusAreSetAsText) {
  SpaceAxis L2 = axis("l2_size=4:8:4MiB");
  EXPECT_EQ(L2.Kind, AxisKind::ModelValue);
  EXPECT_EQ(L2.Values.Column, "l2_size_bytes");
  EXPECT_EQ(L2.Texts.back(), "l2.size=8388608 B");
  EXPECT_EQ(axis("dram_bandwidth=450,900").Texts.front(),
            "dram_bandwidth=450 GB/s");
  EXPECT_EQ(axis("l1.unified_with_shared=true,false").Values.Labels,
            (Labels{"true", "false"}));
}

TEST(SweepSpace, BlocksAndArguments) {
  SpaceAxis Shapes = axis("block=32:64:32x4,128");
  EXPECT_EQ(Shapes.Kind, AxisKind::Block);
  EXPECT_EQ(Shapes.Values.Labels, (Labels{"32x4", "64x4", "128"}));
  EXPECT_TRUE(Shapes.Values.Numbers.empty());
  SpaceAxis Y = axis("block.y=4:16:*2");
  EXPECT_EQ(Y.Kind, AxisKind::BlockSize);
  EXPECT_EQ(Y.Dimension, 1u);
  EXPECT_EQ(Y.Values.Column, "block_y");
  SpaceAxis N = axis("n=1024,1<<20");
  EXPECT_EQ(N.Kind, AxisKind::Parameter);
  EXPECT_EQ(N.Values.Labels, (Labels{"1024", "1048576"}));
}

TEST(SweepSpace, ErrorsSayWhatIsWrong) {
  EXPECT_NE(refusal("core_clock").find("expected NAME=VALUE"),
            std::string::npos);
  EXPECT_NE(refusal("core_clock=").find("expected NAME=VALUE"),
            std::string::npos);
  EXPECT_NE(refusal("core_clock=fast").find("expected a frequency"),
            std::string::npos);
  EXPECT_NE(refusal("core_clock=900:700:100MHz").find("never reaches"),
            std::string::npos);
  EXPECT_NE(refusal("core_clock=700:900:0MHz").find("core_clock"),
            std::string::npos);
  EXPECT_NE(refusal("sm_count=1.5").find("whole number"), std::string::npos);
  EXPECT_NE(refusal("sm_count=4,4").find("duplicate"), std::string::npos);
  EXPECT_NE(refusal("block.x=0").find("1 to 1024"), std::string::npos);
  EXPECT_NE(refusal("sm_count=1:2:*1").find("factor"), std::string::npos);
  EXPECT_NE(refusal("core_clock=1:2:3:4MHz").find("FIRST:LAST"),
            std::string::npos);
}

TEST(SweepSpace, AxesAreCheckedTogether) {
  auto Check = [](std::vector<SpaceAxis> Axes) {
    return llvm::toString(checkAxes(Axes));
  };
  EXPECT_NE(Check({}).find("--vary is missing"), std::string::npos);
  EXPECT_NE(Check({axis("l2.size=4MiB"), axis("l2_size=8MiB")}).find("twice"),
            std::string::npos);
  EXPECT_NE(Check({axis("block=32"), axis("block.x=32")}).find("not together"),
            std::string::npos);
  EXPECT_NE(Check({axis("n=1:100000"), axis("m=1:1000")}).find("more than"),
            std::string::npos);
  EXPECT_EQ(Check({axis("sm_count=1,2"), axis("core_clock=900")}), "");
}

} // namespace
