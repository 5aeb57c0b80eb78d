#include "gpu-estimate/Support/ConstantExpression.h"
#include "gtest/gtest.h"

namespace gpuestimate {
namespace {

double valueOf(llvm::StringRef Text) {
  llvm::Expected<double> Value =
      evaluateConstant(Text, [](llvm::StringRef Name) -> std::optional<double> {
        if (Name == "TILE")
          return 16;
        if (Name == "cfg::Half")
          return 0.5;
        return std::nullopt;
      });
  if (Value)
    return *Value;
  ADD_FAILURE() << Text.str() << ": " << llvm::toString(Value.takeError());
  return -1;
}

TEST(ConstantExpression, IsThatOfC) {
  EXPECT_EQ(valueOf("1 << 20"), 1048576);
  EXPECT_EQ(valueOf("7"), 7);
  EXPECT_EQ(valueOf("0x10 + 010"), 24); // an octal number, as in C
  EXPECT_EQ(valueOf("2 + 3 * 4 - 10 / 4"), 12);
  EXPECT_EQ(valueOf("10 / 4.0"), 2.5);
  EXPECT_EQ(valueOf("-(2 - 5) % 2"), 1);
  EXPECT_EQ(valueOf("1 << 4 | 1"), 17);
  EXPECT_EQ(valueOf("3 > 2 && !(1 == 2)"), 1);
  EXPECT_EQ(valueOf("~0 & 255"), 255);
  EXPECT_EQ(valueOf("1e-3"), 0.001);
  EXPECT_EQ(valueOf("2.5f * 2"), 5);
  EXPECT_EQ(valueOf("1024ul*1'000"), 1024000);
  EXPECT_EQ(valueOf("TILE*TILE * cfg::Half"), 128);
  EXPECT_EQ(valueOf("20 - 5 - 5"), 10);
}

TEST(ConstantExpression, SaysWhatIsWrong) {
  struct {
    const char *Text, *Says;
  } Cases[] = {
      {"", "expected a number"},   {"1 +", "expected a number"},
      {"n", "'n' is no constant"}, {"(1", "expected ')'"},
      {"1 2", "unexpected '2'"},   {"4 / 0", "division by zero"},
      {"1 << 63", "shift by 63"},  {"1k", "'1k' is no number"},
      {"1.5 << 2", "real number"}, {"4 % (2 - 2)", "division by zero"},
      {"1 << 62 << 1", "64 bits"}, {"9223372036854775807 + 1", "64 bits"},
      {"1e308 * 10", "finite"},    {"inf", "'inf' is no constant"},
      {"0x1p", "no number"},
  };
  for (const auto &Case : Cases) {
    llvm::Expected<double> Value = evaluateConstant(Case.Text);
    ASSERT_FALSE(static_cast<bool>(Value)) << Case.Text;
    std::string Text = llvm::toString(Value.takeError());
    EXPECT_NE(Text.find(Case.Says), std::string::npos) << Text;
  }
  std::string Deep(100000, '(');
  llvm::Expected<double> Value = evaluateConstant(Deep);
  ASSERT_FALSE(static_cast<bool>(Value));
  EXPECT_NE(llvm::toString(Value.takeError()).find("nested"),
            std::string::npos);
}

} // namespace
} // namespace gpuestimate
