/// \file
/// Results that are remembered: until a file changes, and not too many.
#include "Serve/AnalysisMemory.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <thread>

using namespace gpuestimate;
using namespace llvm;

namespace {

class AnalysisMemoryTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("memory", Folder));
    O.Gpus = {"nvidia-v100"};
    O.NoCudaSdk = true;
    O.Ptxas = "off";
    O.Files = {path("k.cu")};
    write("size.h", "#define SIZE 256\n");
    write("k.cu", "#include \"size.h\"\n"
                  "__global__ void k(float *x) { x[threadIdx.x] = SIZE; }\n"
                  "void start(float *x) { k<<<SIZE, SIZE>>>(x); }\n");
  }
  void TearDown() override { sys::fs::remove_directories(Folder); }

  std::string path(StringRef Name) { return (Folder + "/" + Name).str(); }
  void write(StringRef Name, StringRef Text) {
    std::error_code Code;
    raw_fd_ostream(path(Name), Code) << Text;
    ASSERT_FALSE(Code);
    // Times of files are those of the kernel's clock, which ticks slowly.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  uint64_t gridOf(AnalysisMemory &Memory, StringRef Key = "k") {
    Expected<SharedAnalysis> A = Memory.analyse(O, Key, {});
    if (!A) {
      ADD_FAILURE() << toString(A.takeError());
      return 0;
    }
    return (*A)->Estimates.empty() ? 0
                                   : (*A)->Estimates[0].Estimate.Used.Grid[0];
  }

  SmallString<128> Folder;
  Options O;
};

TEST_F(AnalysisMemoryTest, RemembersUntilAFileChanges) {
  AnalysisMemory Memory;
  EXPECT_EQ(gridOf(Memory), 256u);
  EXPECT_EQ(gridOf(Memory), 256u);
  EXPECT_EQ(Memory.hits(), 1u);
  write("size.h", "#define SIZE 128\n"); // a header
  EXPECT_EQ(gridOf(Memory), 128u);
  EXPECT_EQ(Memory.hits(), 1u);
  write(".gpu-estimate.yaml", "kernels: [{kernel: k, grid: 7}]\n"); // new
  EXPECT_EQ(gridOf(Memory), 7u);
  EXPECT_EQ(gridOf(Memory), 7u);
  EXPECT_EQ(Memory.hits(), 2u);
}

TEST_F(AnalysisMemoryTest, TextReplacesTheFile) {
  AnalysisMemory Memory;
  O.SourceText = "__global__ void k() {}\nvoid f() { k<<<3, 32>>>(); }\n";
  EXPECT_EQ(gridOf(Memory, "text"), 3u);
  EXPECT_EQ(gridOf(Memory, "text"), 3u);
  EXPECT_EQ(Memory.hits(), 1u);
}

TEST_F(AnalysisMemoryTest, ForgetsWhatWasNotUsedLongest) {
  AnalysisMemory Memory(/*MaxEstimates=*/4); // two results of one estimate
  gridOf(Memory, "a");
  gridOf(Memory, "b");
  gridOf(Memory, "a");
  gridOf(Memory, "c"); // b goes
  EXPECT_EQ(Memory.hits(), 1u);
  gridOf(Memory, "a");
  gridOf(Memory, "c");
  EXPECT_EQ(Memory.hits(), 3u);
  gridOf(Memory, "b");
  EXPECT_EQ(Memory.hits(), 3u);
}

TEST_F(AnalysisMemoryTest, CancelledAndBrokenAreNotKept) {
  AnalysisMemory Memory;
  auto Flag = std::make_shared<std::atomic<bool>>(true);
  O.Cancelled = Flag;
  Expected<SharedAnalysis> Cancelled = Memory.analyse(O, "k", {});
  EXPECT_FALSE(bool(Cancelled));
  consumeError(Cancelled.takeError());
  O.Cancelled = nullptr;
  EXPECT_EQ(gridOf(Memory), 256u);
  EXPECT_EQ(Memory.hits(), 0u);
  write("k.cu", "nonsense");
  Expected<SharedAnalysis> Broken = Memory.analyse(O, "k", {});
  ASSERT_FALSE(bool(Broken));
  EXPECT_NE(toString(Broken.takeError()).find("error: "), std::string::npos);
}

} // namespace
