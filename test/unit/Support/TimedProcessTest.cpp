/// \file
/// Programs that run beside this one end at their limit, with their children.
#include "gpu-estimate/Support/TimedProcess.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include <gtest/gtest.h>
#include <thread>

using namespace gpuestimate;
using namespace std::chrono_literals;

namespace {

TimedProcess::Ending shell(const std::string &Script,
                           std::chrono::milliseconds Limit,
                           const std::string &Directory = "") {
  llvm::Expected<TimedProcess> Program =
      TimedProcess::start({"/bin/sh", "-c", Script}, Directory, Limit);
  EXPECT_TRUE(bool(Program));
  return Program->wait();
}

TEST(TimedProcess, OutputAndStatusAreThoseOfTheProgram) {
  TimedProcess::Ending End = shell("pwd; echo no >&2; exit 3", 10s, "/");
  EXPECT_TRUE(End.InTime);
  EXPECT_EQ(End.Status, 3);
  EXPECT_EQ(End.Output, "/\nno\n");
}

TEST(TimedProcess, MoreOutputThanAPipeHoldsIsRead) {
  TimedProcess::Ending End = shell("head -c 300000 /dev/zero", 10s);
  EXPECT_TRUE(End.InTime);
  EXPECT_EQ(End.Output.size(), 300'000u);
}

TEST(TimedProcess, ProgramsThatAreMissingAreAnError) {
  llvm::Expected<TimedProcess> Program =
      TimedProcess::start({"/no/such/program"}, "", 1s);
  ASSERT_FALSE(bool(Program));
  EXPECT_EQ(llvm::toString(Program.takeError()),
            "/no/such/program: No such file or directory");
}

TEST(TimedProcess, TheLimitEndsWhatTheProgramHasStarted) {
  llvm::SmallString<64> Path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("timed", "txt", Path));
  // A driver that waits for its compiler, which would write the file.
  std::string Script =
      "(sleep 2; echo late > " + std::string(Path) + ") & wait";
  auto Start = std::chrono::steady_clock::now();
  TimedProcess::Ending End = shell(Script, 200ms);
  EXPECT_FALSE(End.InTime);
  EXPECT_LT(std::chrono::steady_clock::now() - Start, 2s);
  std::this_thread::sleep_for(2500ms);
  uint64_t Size = 1;
  ASSERT_FALSE(llvm::sys::fs::file_size(Path, Size));
  EXPECT_EQ(Size, 0u);
  llvm::sys::fs::remove(Path);
}

} // namespace
