/// \file
/// Crashes, endless loops and lack of memory stay in their child or guard.
#include "gpu-estimate/Support/ChildProcess.h"
#include "gpu-estimate/Support/CrashGuard.h"

#include "llvm/Support/ErrorHandling.h"
#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace gpuestimate;
using namespace std::chrono_literals;

namespace {

volatile int Sink = 0;

/// A recursion that no optimiser turns into a loop.
// NOLINTNEXTLINE(misc-no-recursion)
int recurse(int Depth) {
  volatile char Frame[512];
  Frame[0] = static_cast<char>(Depth);
  Sink = Sink + Frame[0];
  return Depth == 0 ? 0 : recurse(Depth - 1) + Frame[0];
}
constexpr int TooDeep = 1 << 26;

void loopForever() {
  while (true)
    Sink = Sink + 1;
}

} // namespace

TEST(RunInChild, ReturnsTheTextOfTheWork) {
  std::string Long(1 << 20, 'x'); // more than a pipe holds
  ChildResult Result = runInChild([&] { return Long; }, {});
  EXPECT_EQ(Result.How, ChildResult::Finished);
  EXPECT_EQ(Result.Output, Long);
}

TEST(RunInChild, LeavesTheMemoryOfTheParentAlone) {
  int Value = 1;
  ChildResult Result = runInChild(
      [&] {
        Value = 2;
        return std::to_string(Value);
      },
      {});
  EXPECT_EQ(Result.Output, "2");
  EXPECT_EQ(Value, 1);
}

TEST(RunInChild, EndsAChildThatTakesTooMuchProcessorTime) {
  ChildResult Result = runInChild(
      [] {
        loopForever();
        return std::string();
      },
      {.CpuTime = 20ms});
  EXPECT_EQ(Result.How, ChildResult::OutOfTime);
}

TEST(RunInChild, EndsAChildThatWaitsTooLong) {
  ChildResult Result = runInChild(
      [] {
        pause();
        return std::string();
      },
      {.WallTime = 20ms});
  EXPECT_EQ(Result.How, ChildResult::OutOfTime);
}

TEST(RunInChild, TellsACrashFromAnOverflowOfTheStack) {
  ChildResult Killed = runInChild(
      []() -> std::string {
        std::raise(SIGSEGV);
        return "";
      },
      {});
  EXPECT_EQ(Killed.How, ChildResult::Crashed);
  EXPECT_EQ(Killed.Signal, SIGSEGV);
  ChildResult Overflow =
      runInChild([] { return std::to_string(recurse(TooDeep)); }, {});
  EXPECT_EQ(Overflow.How, ChildResult::Crashed);
  ChildResult Exit = runInChild([]() -> std::string { _exit(3); }, {});
  EXPECT_EQ(Exit.How, ChildResult::Crashed);
  EXPECT_EQ(Exit.Signal, 0);
}

#ifndef __SANITIZE_ADDRESS__
TEST(RunInChild, EndsAChildThatTakesTooMuchMemory) {
  ChildResult Result = runInChild(
      [] {
        std::vector<std::vector<char>> Kept;
        for (int I = 0; I < 64; ++I)
          Kept.emplace_back(16 << 20, 'x');
        return std::to_string(Kept.size());
      },
      {.MemoryBytes = 256 << 20});
  EXPECT_EQ(Result.How, ChildResult::OutOfMemory);
}
#endif

TEST(RunGuarded, SurvivesWhatEndsAProcess) {
  EXPECT_TRUE(runGuarded([] {}));
  EXPECT_FALSE(runGuarded([] { std::raise(SIGSEGV); }));
  EXPECT_FALSE(runGuarded([] { std::abort(); }));
  EXPECT_FALSE(runGuarded([] { llvm::report_fatal_error("a test"); }));
  EXPECT_TRUE(runGuarded([] {}));
}

#ifndef __SANITIZE_ADDRESS__
TEST(RunGuarded, SurvivesAnOverflowOfTheStackOnAnyThread) {
  EXPECT_FALSE(runGuarded([] { Sink = recurse(TooDeep); }));
  EXPECT_FALSE(runGuarded([] { Sink = recurse(TooDeep); }));
  bool Survived = true;
  std::thread([&] {
    Survived = runGuarded([] { Sink = recurse(TooDeep); });
  }).join();
  EXPECT_FALSE(Survived);
}
#endif
