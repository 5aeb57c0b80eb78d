#include "gpu-estimate/Session/Settings/SearchSpace.h"

#include "gpu-estimate/Advice/Tuning.h"
#include "gtest/gtest.h"

using namespace gpuestimate;

namespace {

std::vector<std::string> values(llvm::StringRef Text) {
  auto Parsed = parseTuningValues(Text);
  return Parsed ? *Parsed
                : std::vector<std::string>{llvm::toString(Parsed.takeError())};
}

SpaceAxis tuned(AxisKind Kind, llvm::StringRef Text) {
  return llvm::cantFail(parseTunedAxis(Kind, Text));
}

using Texts = std::vector<std::string>;

TEST(TuningSpace, Values) {
  EXPECT_EQ(values("8,16,32"), (Texts{"8", "16", "32"}));
  EXPECT_EQ(values("32:96:32"), (Texts{"32", "64", "96"}));
  EXPECT_EQ(values("1:3"), (Texts{"1", "2", "3"}));
  EXPECT_EQ(values("1:10:4, 16"), (Texts{"1", "5", "9", "16"}));
  EXPECT_EQ(values("8:100:*3"), (Texts{"8", "24", "72"}));
  EXPECT_EQ(values("-1:1"), (Texts{"-1", "0", "1"}));
  EXPECT_EQ(values("float,std::less<int>,f(1,2)"),
            (Texts{"float", "std::less<int>", "f(1,2)"}));
  // The largest values do not run over.
  EXPECT_EQ(values("9223372036854775800:9223372036854775807:5"),
            (Texts{"9223372036854775800", "9223372036854775805"}));
  EXPECT_EQ(values("1:9223372036854775807:*4611686018427387904"),
            (Texts{"1", "4611686018427387904"}));
  EXPECT_NE(values("1:4:0").front().find("never reaches"), std::string::npos);
  EXPECT_NE(values("0:4:*2").front().find("never reaches"), std::string::npos);
  EXPECT_NE(values("1:x").front().find("expected FIRST:LAST"),
            std::string::npos);
  EXPECT_NE(values("1:2,2").front().find("duplicate value"), std::string::npos);
  EXPECT_NE(values("1,,2").front().find("separated by commas"),
            std::string::npos);
  EXPECT_NE(values("0:99999999").front().find("more than"), std::string::npos);
}

TEST(TuningSpace, Shapes) {
  auto Shapes = parseShapes("8:16:8x1:2, 32, 4x4x4");
  ASSERT_TRUE(bool(Shapes));
  EXPECT_EQ(*Shapes, (std::vector<BlockShape>{{8, 1, 1},
                                              {16, 1, 1},
                                              {8, 2, 1},
                                              {16, 2, 1},
                                              {32, 1, 1},
                                              {4, 4, 4}}));
  for (const char *Wrong : {"0", "1025", "8x", "8x8x8x8", "x8", "a", ""}) {
    auto None = parseShapes(Wrong);
    EXPECT_FALSE(bool(None)) << Wrong;
    llvm::consumeError(None.takeError());
  }
}

/// Against three loops.
TEST(TuningSpace, EnumeratesWhatConditionsAllow) {
  TuningRequest R;
  R.Axes = {tuned(AxisKind::Macro, "TILE=1,2,4"),
            tuned(AxisKind::Macro, "T=float,double"),
            tuned(AxisKind::Parameter, "n=100,200"),
            llvm::cantFail(parseBlockAxis("32,64,128x2"))};
  R.Conditions = {"blockDim.x * TILE <= n", "TILE != 2 || blockDim.y == 1"};
  auto Points = enumeratePoints(R);
  ASSERT_TRUE(bool(Points));
  size_t Next = 0;
  for (uint32_t Tile = 0; Tile < 3; ++Tile)
    for (uint32_t Type = 0; Type < 2; ++Type)
      for (uint32_t N = 0; N < 2; ++N)
        for (uint32_t Block = 0; Block < 3; ++Block) {
          const BlockShape &B = R.Axes.back().Shapes[Block];
          if (B[0] * (1 << Tile) > 100 * (N + 1) || (Tile == 1 && B[1] != 1))
            continue;
          ASSERT_LT(Next, Points->size());
          const SpacePoint &P = (*Points)[Next++];
          EXPECT_EQ(P, (SpacePoint{Tile, Type, N, Block}));
        }
  EXPECT_EQ(Next, Points->size());
}

TEST(TuningSpace, NamesOfExpressions) {
  std::vector<SpaceAxis> Axes = {tuned(AxisKind::Macro, "TILE=8"),
                                 tuned(AxisKind::Macro, "T=float"),
                                 tuned(AxisKind::Parameter, "n=1 << 10")};
  BlockShape Block = {16, 2, 1};
  TuningNames Names(Axes, {0, 0, 0}, &Block);
  auto Size =
      Names.size("--grid", "(n + TILE*blockDim.x - 1) / (TILE*blockDim.x)");
  ASSERT_TRUE(bool(Size));
  EXPECT_EQ(*Size, 8u);
  for (const char *Wrong : {"T", "n - 2000", "n / 3.0", "blockDim.w"}) {
    auto None = Names.size("--grid", Wrong);
    EXPECT_FALSE(bool(None)) << Wrong;
    llvm::consumeError(None.takeError());
  }
}

TEST(Tuning, TiesShareTheirRank) {
  Tuning T;
  T.Tie = 0.05;
  for (double Time : {1.3, 1.0, 1.04, 1.06, 1.10, 2.0})
    T.Ranked.emplace_back().Time = Seconds(Time);
  T.rank();
  std::vector<size_t> Ranks;
  std::vector<bool> Tied;
  for (const TunedConfiguration &C : T.Ranked) {
    Ranks.push_back(C.Rank);
    Tied.push_back(C.Tied);
  }
  // 1.06 is no tie of 1.00, though one of 1.04.
  EXPECT_EQ(Ranks, (std::vector<size_t>{1, 1, 3, 3, 5, 6}));
  EXPECT_EQ(Tied, (std::vector<bool>{true, true, true, true, false, false}));
  T.Tie = 0;
  T.rank();
  EXPECT_EQ(T.Ranked.back().Rank, 6u);
  EXPECT_FALSE(T.Ranked[1].Tied);
}

TEST(Tuning, WhatTheModelCannotTellApartTies) {
  Tuning T;
  for (auto [Time, Error] :
       std::initializer_list<std::pair<double, std::optional<double>>>{
           {1.0, 1.21}, {1.05, 1.0}, {1.2, 1.44}, {1.25, std::nullopt}}) {
    TunedConfiguration &C = T.Ranked.emplace_back();
    C.Time = Seconds(Time);
    C.RatioError = Error;
  }
  T.rank();
  std::vector<size_t> Ranks;
  for (const TunedConfiguration &C : T.Ranked)
    Ranks.push_back(C.Rank);
  // The mean errors are 1.1, 1.32 and, of one without its own, 1.21.
  EXPECT_EQ(Ranks, (std::vector<size_t>{1, 1, 1, 4}));
  EXPECT_FALSE(T.byFastest(T.Ranked[0]));
  EXPECT_NEAR(T.byFastest(T.Ranked[2])->Low, 1.2 / 1.32, 1e-9);
  EXPECT_NEAR(T.byFastest(T.Ranked[2])->High, 1.2 * 1.32, 1e-9);
  // Of no configuration the error is known.
  for (TunedConfiguration &C : T.Ranked)
    C.RatioError.reset();
  T.rank();
  EXPECT_EQ(T.Ranked[1].Rank, 1u);
  EXPECT_EQ(T.Ranked[2].Rank, 3u);
  EXPECT_FALSE(T.byFastest(T.Ranked[1]));
}

} // namespace
