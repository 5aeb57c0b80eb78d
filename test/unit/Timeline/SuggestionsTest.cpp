// What would help a run: found where it helps, silent where it does not.
#include "gpu-estimate/Timeline/Suggestions.h"

#include "helpers/RunRecords.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <chrono>
#include <gtest/gtest.h>

using namespace gpuestimate;

namespace {

class SuggestionsTest : public testing::Test {
protected:
  void add(RunRecord R) { Records.push_back({std::move(R), std::nullopt}); }
  void launch(double Ns, double Share = 1, RunHandle Stream = 1) {
    Records.push_back({launchOn(Stream), LaunchCost{Ns, Share}});
  }
  std::vector<Suggestion> suggestions() {
    std::vector<PricedRecord> Priced;
    Timeline Clock(testCosts());
    for (const auto &[R, Cost] : Records) {
      Priced.push_back({&R, Cost});
      Clock.add(R, Cost ? &*Cost : nullptr);
    }
    return suggest(testCosts(), Priced, Clock.finish().Totals);
  }
  /// The gain of the suggestion that begins like this; 0 without it.
  double gain(llvm::StringRef Beginning) {
    for (const Suggestion &S : suggestions())
      if (llvm::StringRef(S.What).starts_with(Beginning))
        return S.Gain;
    return 0;
  }
  std::vector<std::pair<RunRecord, std::optional<LaunchCost>>> Records;
};

} // namespace

TEST_F(SuggestionsTest, NothingHelpsOneLongKernel) {
  launch(1e7);
  add(waitForDevice());
  EXPECT_TRUE(suggestions().empty());
}

TEST_F(SuggestionsTest, PinnedMemoryHelpsPageableCopies) {
  add(copyOf(RunCopyKind::HostToDevice, 10000000, false, false, 1));
  launch(1e5);
  // 1 ms over the link, 2 ms of staging, 0.1 ms of kernel.
  EXPECT_NEAR(gain("use pinned memory"), 2.0 / 3.1, 0.01);
  // There is hardly a kernel to overlap with.
  EXPECT_EQ(gain("overlap copies and kernels"), 0);
}

TEST_F(SuggestionsTest, StreamsOverlapCopiesAndKernels) {
  add(copyOf(RunCopyKind::HostToDevice, 10000000, true, false, 1));
  launch(1e6);
  add(copyOf(RunCopyKind::DeviceToHost, 10000000, true, false, 1));
  // Three pieces of 1 ms; in four parts the last kernel and copy out of a
  // quarter follow the copies in: 1.5 ms.
  EXPECT_NEAR(gain("overlap copies and kernels"), 0.5, 0.03);
  EXPECT_EQ(gain("use pinned memory"), 0);
}

TEST_F(SuggestionsTest, AGraphAndFusionHelpSmallKernels) {
  for (int I = 0; I < 100; ++I)
    launch(905);
  EXPECT_NEAR(gain("launch the kernels"), 0.09, 0.02);
  EXPECT_NEAR(gain("fuse pairs"), 0.5, 0.03);
}

TEST_F(SuggestionsTest, BatchesFillTheGpu) {
  add(callOf(RunAllocation{4096, 1 << 20, RunMemory::Device, ""}));
  auto Launches = [&](double Share, uint64_t Stride) {
    Records.resize(1);
    for (uint64_t I = 0; I < 100; ++I) {
      launch(20000, Share);
      uint64_t Address = 4096 + I * Stride;
      std::get<RunLaunch>(Records.back().first.What).Arguments = {
          std::string(reinterpret_cast<const char *>(&Address), 8), "1234"};
    }
    return gain("put launches of the same kernel");
  };
  EXPECT_NEAR(Launches(0.1, 64), 0.9, 0.03);
  EXPECT_EQ(Launches(1, 64), 0);
  EXPECT_EQ(Launches(0.1, 0), 0); // all on the same memory
}

TEST_F(SuggestionsTest, WaitsBetweenKernelsAreNotNeeded) {
  for (int I = 0; I < 100; ++I) {
    launch(5000);
    add(waitForDevice());
  }
  EXPECT_GT(gain("leave out the waits"), 0.2);
}

TEST_F(SuggestionsTest, SayWhatTheyWereJudgedBy) {
  for (size_t I = 0; I <= MaxJudgedRecords; ++I)
    launch(905);
  EXPECT_NEAR(gain("launch the kernels that follow each other as one CUDA "
                   "graph (judged by the first 200000 calls)"),
              0.09, 0.02);
}

TEST_F(SuggestionsTest, TheCostOfARecordIsConstant) {
  auto Seconds = [&](size_t Count) {
    Records.clear();
    for (size_t I = 0; I < Count; ++I)
      launch(1000, 0.1);
    auto Begin = std::chrono::steady_clock::now();
    suggestions();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         Begin)
        .count();
  };
  Seconds(1000);
  // Linear would be 16; the bound leaves room for a busy machine.
  EXPECT_LT(Seconds(64000), 100 * Seconds(4000));
}
