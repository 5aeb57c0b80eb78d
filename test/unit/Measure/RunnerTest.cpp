/// \file
/// The runner with a compiler that is a shell script: it "builds" programs that
/// print one sample each. And the reader of what programs print.
#include "gpu-estimate/Measure/Runner.h"
#include "gpu-estimate/Measure/Samples.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <gtest/gtest.h>

using namespace gpuestimate;

namespace {

class MeasureRunner : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> Path;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("measure", Path));
    Folder = Path.str().str();
    O.Compiler = Folder + "/nvcc";
    O.WorkFolder = Folder + "/work";
  }
  void TearDown() override { llvm::sys::fs::remove_directories(Folder); }

  /// A program of Body for each group; the compiler counts its calls.
  void writeCompiler(llvm::StringRef Body) {
    write(Folder + "/program", "#!/bin/sh\n" + Body.str());
    write(O.Compiler, "#!/bin/sh\necho \"$@\" >> " + Folder +
                          "/calls\nwhile [ \"$1\" != -o ]; do shift; done\n"
                          "cp " +
                          Folder + "/program \"$2\"\n");
  }
  static void write(const std::string &File, const std::string &Text) {
    std::error_code Problem;
    llvm::raw_fd_ostream OS(File, Problem);
    ASSERT_FALSE(Problem);
    OS << Text;
    OS.close();
    llvm::sys::fs::setPermissions(File, llvm::sys::fs::all_all);
  }
  size_t calls() {
    auto Buffer = llvm::MemoryBuffer::getFile(Folder + "/calls");
    return Buffer ? (*Buffer)->getBuffer().count('\n') : 0;
  }

  std::string Folder;
  RunnerOptions O;
  std::string Said;
  llvm::raw_string_ostream Progress{Said};
};

constexpr char OneSample[] =
    "group=$(basename $0)\necho '{\"group\":\"'$group'\",\"name\":\"x\","
    "\"parameters\":{},\"value\":1,\"unit\":\"s\",\"samples\":1,\"spread\":0}'"
    "\n"
    "echo "
    "'{\"group\":\"'$group'\",\"name\":\"end\",\"value\":1,\"unit\":\"\"}'";

TEST_F(MeasureRunner, RunsEachGroupOnce) {
  writeCompiler(OneSample);
  O.Only = {"barrier", "launch"};
  auto First = runGroups(O, Progress);
  ASSERT_TRUE(bool(First)) << llvm::toString(First.takeError());
  EXPECT_EQ(calls(), 3u); // and device
  auto Samples = readRawFolder(First->RawFolder);
  ASSERT_TRUE(bool(Samples)) << llvm::toString(Samples.takeError());
  ASSERT_EQ(Samples->size(), 3u);
  EXPECT_EQ((*Samples)[0].Group, "device");

  O.Only.push_back("shared"); // resumes: only what is new
  auto Second = runGroups(O, Progress);
  ASSERT_TRUE(bool(Second)) << llvm::toString(Second.takeError());
  EXPECT_EQ(calls(), 4u);
  EXPECT_NE(Said.find("barrier: measured before"), std::string::npos);
}

TEST_F(MeasureRunner, AFailedGroupLeavesNoSamples) {
  writeCompiler(std::string(OneSample) + "\n[ $group != launch ] || exit 1\n");
  O.Only = {"launch"};
  auto Ran = runGroups(O, Progress);
  ASSERT_TRUE(bool(Ran)) << llvm::toString(Ran.takeError());
  ASSERT_EQ(Ran->Failed.size(), 1u);
  EXPECT_NE(Ran->Failed[0].find("launch"), std::string::npos);
  EXPECT_FALSE(llvm::sys::fs::exists(Ran->RawFolder + "/launch.jsonl"));
}

TEST_F(MeasureRunner, SaysThatThereIsNoGpu) {
  writeCompiler("echo 'no GPU was found' >&2; exit 3");
  auto Ran = runGroups(O, Progress);
  ASSERT_FALSE(bool(Ran));
  EXPECT_NE(llvm::toString(Ran.takeError()).find("no GPU was found"),
            std::string::npos);
}

TEST_F(MeasureRunner, ShowsWhatTheCompilerSaid) {
  write(O.Compiler, "#!/bin/sh\necho 'device.cu(3): oh no' >&2\nexit 2\n");
  auto Ran = runGroups(O, Progress);
  ASSERT_FALSE(bool(Ran));
  EXPECT_NE(llvm::toString(Ran.takeError()).find("oh no"), std::string::npos);
}

// What the programs run may take a minute with --quick and 14 without, so that
// building them on two cores or more leaves two minutes and 15 in all.
TEST(MeasureGroups, KeepTheBudgetOfTime) {
  unsigned Quick = 0, Full = 0;
  for (const MeasureGroup &Group : measureGroups()) {
    EXPECT_LE(Group.QuickSeconds, Group.FullSeconds) << Group.Name.str();
    Quick += Group.QuickSeconds;
    Full += Group.FullSeconds;
  }
  EXPECT_LE(Quick, 60u);
  EXPECT_LE(Full, 14 * 60u);
}

TEST(MeasureSamples, ErrorsNameTheLine) {
  for (const char *Bad :
       {"{", "[1]", "{\"group\":\"a\"}", "{\"group\":\"a\",\"name\":\"b\"}",
        "{\"group\":\"a\",\"name\":\"b\",\"value\":\"x\",\"unit\":\"s\"}",
        "{\"group\":\"a\",\"name\":\"b\",\"value\":1e999,\"unit\":\"s\"}",
        "\xff"}) {
    auto Parsed = parseMeasurements(std::string("\n") + Bad + "\n", "f.jsonl");
    ASSERT_FALSE(bool(Parsed)) << Bad;
    EXPECT_EQ(llvm::toString(Parsed.takeError()).rfind("f.jsonl:2: ", 0), 0u);
  }
}

TEST(MeasureSamples, ReadsParameters) {
  auto Parsed = parseMeasurements(
      R"({"group":"g","name":"n","parameters":{"bytes":64,"op":"x"},"value":2.5,"unit":"cycles","samples":9,"spread":0.1})",
      "f");
  ASSERT_TRUE(bool(Parsed)) << llvm::toString(Parsed.takeError());
  const Measurement &M = Parsed->front();
  EXPECT_EQ(M.Numbers.at("bytes"), 64);
  EXPECT_EQ(M.Words.at("op"), "x");
  EXPECT_EQ(M.Value, 2.5);
  EXPECT_EQ(M.Samples, 9u);
}

TEST(MeasureRunnerArguments, FollowTheCompiler) {
  auto Has = [](llvm::StringRef Compiler, llvm::StringRef Argument) {
    auto All = compilerArguments(Compiler, "a.cu", "a");
    return std::find(All.begin(), All.end(), Argument) != All.end();
  };
  EXPECT_TRUE(Has("/opt/bin/nvcc", "-arch=native"));
  EXPECT_TRUE(Has("hipcc", "hip"));
  EXPECT_TRUE(Has("clang++-19", "--offload-arch=native"));
}

} // namespace
