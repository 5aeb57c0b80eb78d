#include "gpu-estimate/Session/Pipeline/AnalysisLimits.h"

#include "gtest/gtest.h"

namespace gpuestimate {

TEST(AnalysisLimits, TheKernelsOfAFileShareTheWorkOnWhatIfs) {
  uint64_t OfFile = whatIfWork(/*CompileWaits=*/false, 1, 1);
  EXPECT_EQ(OfFile, UnitsPerSecond);
  for (size_t Kernels : {2, 10, 40})
    for (size_t Launches : {1, 5})
      EXPECT_LE(Kernels * Launches *
                    whatIfWork(/*CompileWaits=*/false, Kernels, Launches),
                OfFile);
}

TEST(AnalysisLimits, ALaunchMayTryAtLeastAFewWhatIfs) {
  EXPECT_EQ(whatIfWork(/*CompileWaits=*/false, 1000, 16), 20'000u);
  EXPECT_EQ(whatIfWork(/*CompileWaits=*/true, 1000, 16), 20'000u);
}

TEST(AnalysisLimits, ACompileWaitsLessForWhatIfsThanAReport) {
  EXPECT_EQ(whatIfWork(/*CompileWaits=*/true, 1, 1), 100'000u);
  EXPECT_EQ(whatIfWork(/*CompileWaits=*/true, 10, 1), 100'000u);
  EXPECT_EQ(whatIfWork(/*CompileWaits=*/true, 1, 4), 25'000u);
}

} // namespace gpuestimate
