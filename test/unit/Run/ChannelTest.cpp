// Records over a socket and in a file.
#include "gpu-estimate/Run/Channel.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>
#include <random>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace gpuestimate;

namespace {

struct SocketPair {
  int Ends[2] = {-1, -1};
  SocketPair() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, Ends), 0); }
  ~SocketPair() {
    for (int End : Ends)
      if (End >= 0)
        close(End);
  }
  void closeEnd(int I) {
    close(Ends[I]);
    Ends[I] = -1;
  }
};

/// A file that is removed at the end.
struct TemporaryFile {
  SmallString<128> Path;
  TemporaryFile() {
    EXPECT_FALSE(sys::fs::createTemporaryFile("saved", "gpurun", Path));
  }
  ~TemporaryFile() { sys::fs::remove(Path); }
  std::string read() const {
    return (*MemoryBuffer::getFile(Path, false, false))->getBuffer().str();
  }
  void write(StringRef Bytes) const {
    std::error_code Problem;
    raw_fd_ostream(Path, Problem) << Bytes;
    EXPECT_FALSE(Problem);
  }
};

} // namespace

static RunRecord recordOf(decltype(RunRecord::What) What, double HostNs = 1) {
  RunRecord R;
  R.HostNs = HostNs;
  R.What = std::move(What);
  return R;
}

static RunRecord launch(unsigned I) {
  RunLaunch L;
  L.Kernel = I % 7;
  L.Arguments = {"12345678", "abcd"};
  return recordOf(std::move(L), I);
}

TEST(Channel, CarriesRecordsInOrderAndAnswersThoseThatAsk) {
  SocketPair Pair;
  std::vector<std::string> Seen;
  std::string Problem;
  std::thread Reader([&] {
    Error E = serveRun(Pair.Ends[1], [&](RunRecord &&R) -> Expected<RunReply> {
      Seen.push_back(toJson(R));
      RunReply Reply;
      Reply.NowNs = 10 * R.HostNs;
      return Reply;
    });
    Problem = E ? toString(std::move(E)) : "";
  });
  RunWriter Writer(Pair.Ends[0]);
  std::vector<std::string> Written;
  for (unsigned I = 0; I < 3000; ++I) {
    RunRecord R = I % 100 == 99 ? recordOf(RunWait(), I) : launch(I);
    Written.push_back(toJson(R));
    RunReply Reply = Writer.write(R);
    EXPECT_EQ(Reply.NowNs, asks(R) ? 10 * R.HostNs : R.HostNs);
  }
  RunRecord Last = recordOf(RunExit{4});
  Written.push_back(toJson(Last));
  Writer.write(Last);
  Writer.flush();
  Reader.join();
  EXPECT_EQ(Problem, "");
  EXPECT_EQ(Seen, Written);
}

TEST(Channel, RunsOnWhenTheReaderIsGone) {
  SocketPair Pair;
  Pair.closeEnd(1);
  RunWriter Writer(Pair.Ends[0]);
  EXPECT_EQ(Writer.write(recordOf(RunWait(), 5)).NowNs, 5);
  EXPECT_EQ(Writer.write(recordOf(RunWait(), 6)).NowNs, 6);
}

static std::string served(StringRef Bytes) {
  SocketPair Pair;
  EXPECT_EQ(write(Pair.Ends[0], Bytes.data(), Bytes.size()),
            static_cast<ssize_t>(Bytes.size()));
  Pair.closeEnd(0);
  Error E = serveRun(Pair.Ends[1], [](RunRecord &&) -> Expected<RunReply> {
    return RunReply();
  });
  return E ? toString(std::move(E)) : "";
}

TEST(Channel, NamesTheRecordThatCannotBeRead) {
  std::string Good = toJson(launch(0)) + "\n";
  EXPECT_EQ(served(Good), ""); // a program that was killed
  EXPECT_EQ(served(Good + Good + "{}\n"),
            "record 3: field 'record': expected one of call, module, kernel, "
            "allocation, free, copy, memset, launch, library-call, stream, "
            "event-record, stream-wait, host-function, graph-launch, wait, "
            "elapsed, query, fault, notice, exit");
  EXPECT_EQ(served(Good + Good.substr(0, 20)),
            "record 2: the program ended within it");
}

TEST(Channel, StopsAtTheExit) {
  EXPECT_EQ(served(toJson(recordOf(RunExit())) + "\nno record\n"), "");
}

static std::string loadProblem(const TemporaryFile &File) {
  auto Records = loadRun(File.Path);
  if (Records)
    return "accepted";
  std::string Text = toString(Records.takeError());
  EXPECT_TRUE(StringRef(Text).starts_with(File.Path.str())) << Text;
  return Text.substr(File.Path.size());
}

TEST(SavedRun, LoadsWhatItSaves) {
  TemporaryFile File;
  std::vector<RunRecord> Records;
  std::mt19937_64 Random(1);
  std::string Bitcode(3 << 20, 'x'); // longer than a chunk
  for (char &C : Bitcode)
    C = static_cast<char>(Random());
  Records.push_back(recordOf(RunModule{0, Bitcode}));
  for (unsigned I = 0; I < 5000; ++I)
    Records.push_back(launch(I));
  ASSERT_FALSE(errorToBool(saveRun(File.Path, Records)));
  auto Back = loadRun(File.Path);
  ASSERT_TRUE(bool(Back)) << toString(Back.takeError());
  ASSERT_EQ(Back->size(), Records.size());
  EXPECT_EQ(std::get<RunModule>(Back->front().What).Bitcode, Bitcode);
  for (size_t I = 0; I < Records.size(); ++I)
    EXPECT_EQ(toJson((*Back)[I]), toJson(Records[I]));
}

TEST(SavedRun, RefusesWhatIsNoSavedRun) {
  TemporaryFile File;
  File.write("__global__ void k();\n");
  EXPECT_EQ(loadProblem(File),
            ": not a saved run of `gpu-estimate run --save`");
  File.write("{\"schema\": \"gpu-estimate-saved-run/1\", \"records\": 0}\n");
  EXPECT_EQ(loadProblem(File),
            ": not a saved run of this version: expected \"schema\": "
            "\"gpu-estimate-saved-run/4\"; save it again");
  File.write("{\"schema\": \"gpu-estimate-saved-run/4\", \"records\": 1}\n");
  EXPECT_EQ(loadProblem(File), ": cut off or edited: its first line counts 1 "
                               "records, and there are 0");
  // A chunk that claims 4 GiB.
  File.write(StringRef("{\"schema\": \"gpu-estimate-saved-run/4\", "
                       "\"records\": 1}\n\xff\xff\xff\xff\0\0\0\0",
                       62));
  EXPECT_NE(loadProblem(File), "accepted");
}

TEST(SavedRun, RefusesEveryCutAndSurvivesDamage) {
  TemporaryFile File;
  std::vector<RunRecord> Records;
  for (unsigned I = 0; I < 4; ++I)
    Records.push_back(launch(I));
  ASSERT_FALSE(errorToBool(saveRun(File.Path, Records)));
  std::string Good = File.read();
  for (size_t Length = 0; Length < Good.size(); ++Length) {
    File.write(StringRef(Good).take_front(Length));
    EXPECT_NE(loadProblem(File), "accepted") << Length;
  }
  for (size_t I = 0; I < Good.size(); ++I) {
    std::string Damaged = Good;
    Damaged[I] = static_cast<char>(Damaged[I] ^ 0x55);
    File.write(Damaged);
    consumeError(loadRun(File.Path).takeError());
  }
}
