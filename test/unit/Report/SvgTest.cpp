/// \file
/// What charts are drawn with.
#include "Report/Charts/Svg.h"
#include "Report/Charts/Chart.h"
#include "gtest/gtest.h"

using namespace gpuestimate;

namespace {

TEST(Svg, EscapedTextIsNoMarkup) {
  EXPECT_EQ(escaped("a<b> & \"c\" 'd'"),
            "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
  EXPECT_EQ(escaped(llvm::StringRef("x\0y\x1bz\n", 6)), "x y z\n");
  EXPECT_EQ(escaped("\xc3\xa4"), "\xc3\xa4"); // UTF-8 stays
}

TEST(Scale, LinearAndLogarithmic) {
  Scale Linear{0, 10, 100, 200, false};
  EXPECT_DOUBLE_EQ(Linear.at(0), 100);
  EXPECT_DOUBLE_EQ(Linear.at(2.5), 125);
  Scale Log{1, 100, 200, 0, true}; // upwards
  EXPECT_DOUBLE_EQ(Log.at(1), 200);
  EXPECT_DOUBLE_EQ(Log.at(10), 100);
  EXPECT_DOUBLE_EQ(Log.at(100), 0);
}

TEST(Scale, TicksAreRoundAndFew) {
  EXPECT_EQ((Scale{1, 100, 0, 1, true}.ticks(8)),
            (std::vector<double>{1, 2, 5, 10, 20, 50, 100}));
  EXPECT_EQ((Scale{1, 1e4, 0, 1, true}.ticks(5)),
            (std::vector<double>{1, 10, 100, 1000, 10000}));
  EXPECT_EQ((Scale{0, 10, 0, 1, false}.ticks(5)),
            (std::vector<double>{0, 2, 4, 6, 8, 10}));
  for (double Span : {1.5, 30., 1e3, 1e7, 1e15})
    for (unsigned MaxTicks : {4u, 8u})
      EXPECT_LE((Scale{3, 3 * Span, 0, 1, true}.ticks(MaxTicks).size()),
                MaxTicks + 1)
          << Span;
}

TEST(Scale, HoldsItsValues) {
  for (auto [Low, High] : {std::pair{1., 1.}, {1e-9, 1e3}, {5., 6.}}) {
    Scale S = logScale(Low, High, 0, 100);
    EXPECT_GT(S.at(Low), 0);
    EXPECT_LT(S.at(High), 100);
  }
}

TEST(Labels, AreLeftOutWhereTheyWouldCover) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  Svg Out(OS);
  Labels L(Out, 0, 0, 200, 60);
  EXPECT_TRUE(L.place(20, 30, "one"));
  EXPECT_TRUE(L.place(20, 30, "two")); // above, below or left of it
  unsigned Placed = 0;
  for (int I = 0; I < 10; ++I)
    Placed += L.place(20, 30, "more");
  EXPECT_LE(Placed, 2u);
  EXPECT_FALSE(L.place(190, 30,
                       "much too long for what is left of the row of "
                       "this small picture"));
  EXPECT_NE(OS.str().find(">one</text>"), std::string::npos);
}

TEST(Charts, StandAloneHasItsStyle) {
  Roofline R;
  R.Rate = 1e12;
  R.Peaks = {{"fp32", 1e13}};
  R.Bandwidths = {{"L1", 1e13}, {"DRAM", 1e12}};
  R.Points = {{"L1", 0.5}, {"DRAM", 2}};
  Chart C = rooflineChart(R);
  ASSERT_EQ(C.Data.Rows.size(), 2u);
  EXPECT_EQ(C.Data.Rows[0][0].Text, "L1");
  // Under min(peak, bandwidth * intensity): 1e12 of 5e12, of 2e12.
  EXPECT_DOUBLE_EQ(*C.Data.Rows[0][4].Number, 0.2);
  EXPECT_DOUBLE_EQ(*C.Data.Rows[1][4].Number, 0.5);
  std::string Alone = svg(C, true), Inline = svg(C, false);
  EXPECT_NE(Alone.find("<style>"), std::string::npos);
  EXPECT_NE(Alone.find("xmlns"), std::string::npos);
  EXPECT_EQ(Inline.find("<style>"), std::string::npos);
}

TEST(Charts, ExperimentalRooflineIsDashed) {
  Roofline R;
  R.Rate = 1e12;
  R.Peaks = {{"fp32", 1e13}};
  R.Bandwidths = {{"DRAM", 1e12}};
  R.Points = {{"DRAM", 2}};
  EXPECT_EQ(svg(rooflineChart(R), false).find("measured-roof"),
            std::string::npos);
  R.MeasuredPeaks = {{"fp32", 9e12}};
  R.MeasuredBandwidth = 8e11;
  Chart C = rooflineChart(R);
  EXPECT_NE(C.Caption.find("(fp32 9 Tflop/s, DRAM 800 GB/s)"),
            std::string::npos)
      << C.Caption;
  std::string Drawn = svg(C, false);
  size_t First = Drawn.find("measured-roof");
  ASSERT_NE(First, std::string::npos);
  EXPECT_NE(Drawn.find("measured-roof", First + 1), std::string::npos);
}

TEST(Charts, EmptyDataDrawSomething) {
  EXPECT_NE(svg(rooflineChart(Roofline{true, 0, {}, {{"issue", 1}}, {}}), true)
                .find("</svg>"),
            std::string::npos);
  GpuRow Refused;
  Refused.Id = "x";
  Refused.Refusal = "too small";
  Chart C = gpuChart({Refused});
  ASSERT_EQ(C.Data.Rows.size(), 1u);
  EXPECT_EQ(C.Data.Rows[0][4].Text, "too small");
  EXPECT_FALSE(quadrantChart({Refused}).has_value());
}

TEST(Charts, QuadrantsSplitAtTheUsedGpusIntensity) {
  GpuRow Used, Other;
  Used.Name = "used";
  Used.IsUsed = true;
  Used.Quantitative = {10e12, 1e12, 5}; // 10 operations per byte > 5
  Other.Name = "other";
  Other.Quantitative = {2e12, 1e12, 5};
  std::optional<Chart> C = quadrantChart({Other, Used});
  ASSERT_TRUE(C.has_value());
  // The table of the GPUs has the numbers; the points say what binds.
  auto TextOf = [&](const std::string &Name) {
    size_t Begin = C->Elements.find(Name + ": ");
    return C->Elements.substr(Begin, C->Elements.find("binds", Begin) - Begin);
  };
  EXPECT_NE(TextOf("used").find("memory"), std::string::npos);
  EXPECT_NE(TextOf("other").find("arithmetic"), std::string::npos);
  EXPECT_NE(C->Caption.find("on used"), std::string::npos);
}

} // namespace
