/// \file
/// Launches in host loops: repetitions, representative values, ranges.
#include "helpers/FrontendTesting.h"

using namespace gpuestimate;

namespace {

std::string variants(const LaunchSite &Site, llvm::StringRef Name) {
  std::string Result;
  for (const LaunchVariant &V : Site.Variants) {
    auto It = V.Values.find(Name);
    Result +=
        (Result.empty() ? "" : " ") +
        std::to_string(static_cast<long>(V.Weight)) + "x" +
        (It == V.Values.end() ? "?"
                              : std::to_string(static_cast<long>(It->second)));
  }
  return Result;
}

double weights(const LaunchSite &Site) {
  double Sum = 0;
  for (const LaunchVariant &V : Site.Variants)
    Sum += V.Weight;
  return Sum;
}

TEST(FrontendLoops, CountedByRunning) {
  TranslationUnit Unit = parseText(R"(
#include <initializer_list>
__global__ void same(int n) {}
__global__ void doubled(int n) {}
__global__ void halved(int n) {}
__global__ void triangle(int i, int j) {}
__global__ void shrinking(int n) {}
__global__ void atEnd(int n) {}
__global__ void listed(int n) {}
__global__ void guarded(int n) {}
__global__ void unreached(int n) {}
void host() {
  for (int i = 0; i < 12; ++i) same<<<4, 32>>>(5);
  for (int s = 1; s < 8; s *= 2) doubled<<<1, 32>>>(s);
  for (int s = 1024; s > 0; s >>= 1) halved<<<s / 32 + 1, 32>>>(s);
  for (int i = 0; i < 4; i++)
    for (int j = i; j < 4; j++)
      triangle<<<1, 32>>>(i, j);
  int n = 1 << 20;
  while (n > 1) {
    int blocks = (n + 255) / 256;
    shrinking<<<blocks, 256>>>(n);
    n = blocks;
  }
  int left = 3;
  do { atEnd<<<1, 32>>>(left); --left; } while (left > 0);
  for (int size : {32, 64, 128}) listed<<<1, size>>>(size);
  for (int i = 0; i < 10; ++i)
    if (i % 2 == 0) guarded<<<1, 32>>>(i);
  for (int i = 0; i < 10; ++i)
    if (i > 20) unreached<<<1, 32>>>(i);
}
)");
  EXPECT_EQ(text(launchOf(Unit, "same").Repeats), "12");
  EXPECT_TRUE(launchOf(Unit, "same").Variants.empty());
  const LaunchSite &Doubled = launchOf(Unit, "doubled");
  EXPECT_EQ(argument(Doubled, "n"), "s");
  EXPECT_EQ(text(Doubled.Repeats), "3");
  EXPECT_EQ(variants(Doubled, "s"), "1x1 1x2 1x4");
  const LaunchSite &Halved = launchOf(Unit, "halved");
  EXPECT_EQ(text(Halved.Repeats), "11");
  EXPECT_EQ(Halved.Variants.size(), LaunchSite::MaxVariants);
  EXPECT_EQ(weights(Halved), 11);
  const LaunchSite &Triangle = launchOf(Unit, "triangle");
  EXPECT_EQ(text(Triangle.Repeats), "10");
  EXPECT_EQ(weights(Triangle), 10);
  const LaunchSite &Shrinking = launchOf(Unit, "shrinking");
  EXPECT_EQ(shape(Shrinking), "<ceil(n/256)> <256>");
  EXPECT_EQ(variants(Shrinking, "n"), "1x1048576 1x4096 1x16");
  EXPECT_EQ(variants(launchOf(Unit, "atEnd"), "left"), "1x3 1x2 1x1");
  EXPECT_EQ(variants(launchOf(Unit, "listed"), "size"), "1x32 1x64 1x128");
  EXPECT_EQ(text(launchOf(Unit, "guarded").Repeats), "5");
  EXPECT_EQ(text(launchOf(Unit, "unreached").Repeats), "0");
}

TEST(FrontendLoops, CountedByFormula) {
  TranslationUnit Unit = parseText(R"(
__global__ void steps(int n) {}
__global__ void outer(int n) {}
__global__ void powers(int n) {}
__global__ void unknown(int n) {}
__global__ void broken(int n) {}
bool done();
void host(int n, int limit) {
  for (int i = 0; i < n; i += 4) steps<<<1, 32>>>(i);
  for (int t = 0; t < n; ++t)
    for (int s = 1; s <= 2; ++s) outer<<<1, 32>>>(s);
  for (int s = 1; s < limit; s *= 2) powers<<<1, 32>>>(s);
  while (!done()) unknown<<<1, 32>>>(1);
  for (int i = 0; i < 10; ++i) { broken<<<1, 32>>>(1); if (done()) break; }
}
)");
  const LaunchSite &Steps = launchOf(Unit, "steps");
  EXPECT_TRUE(Steps.Variants.empty());
  ASSERT_TRUE(Steps.Repeats);
  ASSERT_TRUE(Steps.Ranges.contains("i"));
  LaunchSite::Range Range = Steps.Ranges.lookup("i");
  for (double N : {1.0, 4.0, 5.0, 1023.0}) {
    double Count = 0, Last = 0;
    for (int I = 0; I < N; I += 4) {
      ++Count;
      Last = I;
    }
    Bindings Values;
    Values["n"] = N;
    EXPECT_EQ(evaluate(Steps.Repeats, Values), Count) << N;
    EXPECT_EQ(evaluate(Range.First, Values), 0.0);
    EXPECT_EQ(evaluate(Range.Last, Values), Last) << N;
  }

  const LaunchSite &Outer = launchOf(Unit, "outer");
  EXPECT_EQ(variants(Outer, "s"), "1x1 1x2");
  Bindings Ten;
  Ten["n"] = 10;
  ASSERT_TRUE(Outer.Repeats);
  EXPECT_EQ(evaluate(Outer.Repeats, Ten), 20.0);

  const LaunchSite &Powers = launchOf(Unit, "powers");
  ASSERT_TRUE(Powers.Repeats);
  for (int Limit : {0, 1, 2, 3, 4, 5, 64, 65, 1000}) {
    double Count = 0;
    for (int S = 1; S < Limit; S *= 2)
      ++Count;
    Bindings Values;
    Values["limit"] = Limit;
    EXPECT_EQ(evaluate(Powers.Repeats, Values), Count) << Limit;
  }
  EXPECT_FALSE(launchOf(Unit, "unknown").Repeats);
  EXPECT_FALSE(launchOf(Unit, "broken").Repeats);
}

TEST(FrontendLoops, AroundTheCaller) {
  TranslationUnit Unit = parseText(R"(
__global__ void k(int n) {}
void pass(int stride) { k<<<64 / stride, 32>>>(stride); }
int main() {
  for (int s = 1; s <= 4; s *= 2) pass(s);
}
)");
  const LaunchSite &Site = launchOf(Unit, "k");
  EXPECT_EQ(argument(Site, "n"), "s");
  EXPECT_EQ(variants(Site, "s"), "1x1 1x2 1x4");
  EXPECT_EQ(text(Site.Repeats), "3");
}

TEST(FrontendLoops, TooManyCallersAreNotCounted) {
  std::string Source = "__global__ void k(int n) {}\n"
                       "void f(int n) { k<<<n, 32>>>(n); }\n";
  for (int I = 0; I < 20; ++I)
    Source +=
        "void g" + std::to_string(I) + "() { f(" + std::to_string(I) + "); }\n";
  TranslationUnit Unit = parseText(Source);
  const LaunchSite &Site = launchOf(Unit, "k");
  EXPECT_EQ(shape(Site), "<n> <32>");
  EXPECT_FALSE(Site.Repeats);
}

TEST(FrontendLoops, LongChainsOfVariablesEnd) {
  std::string Source = "__global__ void k(int n) {}\nvoid f(int x0) {\n";
  for (int I = 1; I < 400; ++I)
    Source += "int x" + std::to_string(I) + " = x" + std::to_string(I - 1) +
              " * 2 + x" + std::to_string(I - 1) + ";\n";
  TranslationUnit Unit = parseText(Source + "k<<<x399, 32>>>(x5); }\n");
  const LaunchSite &Site = launchOf(Unit, "k");
  EXPECT_TRUE(Site.Grid[0]) << "named where it is too deep to follow";
  EXPECT_EQ(argument(Site, "n"), "243*x0");
}

TEST(FrontendLoops, TermsThatDoubleStayShort) {
  std::string Source = "__global__ void k(int n) {}\nvoid f(int x0) {\n";
  for (int I = 1; I < 60; ++I) {
    std::string Before = "x" + std::to_string(I - 1);
    Source += "int x" + std::to_string(I) + " = " + Before + " * " + Before +
              " % 1009 + " + Before + " / 3;\n";
  }
  TranslationUnit Unit = parseText(Source + "k<<<x59, 32>>>(x1); }\n");
  const LaunchSite &Site = launchOf(Unit, "k");
  ASSERT_TRUE(Site.Grid[0]);
  EXPECT_LT(text(Site.Grid[0]).size(), 5000u);
  Bindings Values;
  Values["x0"] = 100;
  auto It = Site.Arguments.find("n");
  ASSERT_NE(It, Site.Arguments.end());
  EXPECT_EQ(evaluate(It->second, Values), 100 * 100 % 1009 + 100 / 3);
}

TEST(FrontendLoops, RecursionAndHugeLoopsEnd) {
  TranslationUnit Unit = parseText(R"(
__global__ void deep(int n) {}
__global__ void huge(int n) {}
void recurse(int n) { if (n > 0) { deep<<<n, 32>>>(n); recurse(n - 1); } }
int main() {
  recurse(1000);
  for (long i = 0; i < 1000000000; ++i)
    for (long j = 0; j < 1000000000; ++j)
      huge<<<1, 32>>>((int)j);
}
)");
  EXPECT_FALSE(launchesOf(Unit, "deep").empty());
  const LaunchSite &Huge = launchOf(Unit, "huge");
  EXPECT_EQ(text(Huge.Repeats), "1e+18");
  EXPECT_TRUE(Huge.Variants.empty());
  ASSERT_TRUE(Huge.Ranges.contains("j"));
}

} // namespace
