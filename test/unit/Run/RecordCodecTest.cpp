// Records as lines of JSON: what is written is read back, and what is not a
// record is refused with the name of the field.
#include "gpu-estimate/Run/Channel.h"
#include "gpu-estimate/Run/DeviceFacts.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace gpuestimate;

static RunRecord recordOf(decltype(RunRecord::What) What) {
  RunRecord R;
  R.Call = "cudaSomething";
  R.HostNs = 12.25;
  R.Thread = 3;
  R.What = std::move(What);
  return R;
}

static RunLaunch launchWithTrace() {
  RunLaunch L;
  L.Kernel = 7;
  L.Grid = {1, 2, 3};
  L.Block = {4, 5, 6};
  L.DynamicSharedBytes = 48;
  L.Stream = 2;
  L.Cooperative = true;
  L.Executed = false;
  L.Arguments = {std::string("\0\xff\x80\n", 4), "", "12345678"};
  L.Trace = std::make_shared<RunTrace>();
  RunTrace &T = *L.Trace;
  T.Runs = {1, 2.5};
  T.Lanes = {32, 80};
  T.Loops = {1};
  T.Entries = {4};
  T.Warps.push_back({{1, 0, 0}, 2, 16.5, 1, {1, 2}, {3}, {{11, {-1, 256}}}});
  T.Conditions.push_back({9, 64, 12});
  T.Branches.push_back({10, 8, 2, {5, 6}});
  T.Accesses.push_back({11,
                        8,
                        256,
                        32,
                        {{0, 4, -1}, {}},
                        {5, 3},
                        {{256.5}, {7}, 25, 9, 8, 3, 2},
                        {{}, {}, 32, 1, 1, 1, 1}});
  T.WantedWarps = 8;
  T.Stop = "the budget is spent";
  return L;
}

static std::vector<RunRecord> oneOfEach() {
  return {
      recordOf(RunCall()),
      recordOf(RunModule{1, std::string("BC\xc0\xde\0\1", 6)}),
      recordOf(RunKernel{2, 1, "_Z3addPf", 40}),
      recordOf(RunAllocation{~uint64_t(0), 1, RunMemory::Variable, "table"}),
      recordOf(RunFree{64, true}),
      recordOf(RunCopy{RunCopyKind::HostToDevice, 4096, false, true, 5,
                       RunMigration::Prefetch}),
      recordOf(RunMemset{64, 128, true, 1}),
      recordOf(launchWithTrace()),
      recordOf(RunLibraryCall{
          "cublasSgemm", {{"m", 64}, {"n", 1.5}}, "f32", "f32", "tf32", 1}),
      recordOf(RunStream{4, true, true}),
      recordOf(RunEventRecord{8, 4}),
      recordOf(RunStreamWait{4, 8}),
      recordOf(RunHostFunction{4, 99.5}),
      recordOf(RunGraphLaunch{3, 4, false}),
      recordOf(RunWait{RunWait::Event, 8}),
      recordOf(RunElapsed{8, 9}),
      recordOf(RunQuery{RunWait::Stream, 4}),
      recordOf(RunFault{"out-of-bounds write of 4 bytes",
                        2,
                        {1, 2, 3},
                        {4, 5, 6},
                        "a.cu",
                        12,
                        "12 bytes behind the end"}),
      recordOf(RunNotice{"quote \" backslash \\ newline \n"}),
      recordOf(RunExit{-3}),
  };
}

TEST(RecordCodec, ReadsWhatItWrites) {
  std::vector<RunRecord> Records = oneOfEach();
  ASSERT_EQ(Records.size(), std::variant_size_v<decltype(RunRecord::What)>);
  for (const RunRecord &R : Records) {
    std::string Text = toJson(R);
    EXPECT_EQ(StringRef(Text).count('\n'), 0u) << Text;
    Expected<RunRecord> Back = parseRunRecord(Text);
    ASSERT_TRUE(bool(Back)) << toString(Back.takeError()) << "\n" << Text;
    EXPECT_EQ(Back->What.index(), R.What.index());
    EXPECT_EQ(toJson(*Back), Text);
  }
}

TEST(RecordCodec, KeepsEveryByteOfArguments) {
  Expected<RunRecord> Back =
      parseRunRecord(toJson(recordOf(launchWithTrace())));
  ASSERT_TRUE(bool(Back)) << toString(Back.takeError());
  const auto &L = std::get<RunLaunch>(Back->What);
  EXPECT_EQ(L.Arguments, launchWithTrace().Arguments);
  EXPECT_EQ(L.Trace->Accesses[0].Samples[0][2], -1);
  EXPECT_EQ(L.Trace->Warps[0].Block[0], 1u);
  EXPECT_EQ(Back->HostNs, 12.25);
  EXPECT_EQ(Back->Thread, 3u);
}

TEST(RecordCodec, MakesNamesUtf8) {
  Expected<RunRecord> Back =
      parseRunRecord(toJson(recordOf(RunNotice{"file \xff"})));
  ASSERT_TRUE(bool(Back)) << toString(Back.takeError());
  EXPECT_TRUE(
      StringRef(std::get<RunNotice>(Back->What).Text).starts_with("file "));
}

TEST(RecordCodec, KeepsRepliesAndDeviceFacts) {
  RunReply Reply{1e12 + 0.5, 0.125, false, false};
  Expected<RunReply> Back = parseRunReply(toJson(Reply));
  ASSERT_TRUE(bool(Back)) << toString(Back.takeError());
  EXPECT_EQ(Back->NowNs, Reply.NowNs);
  EXPECT_EQ(Back->ElapsedMs, Reply.ElapsedMs);
  EXPECT_FALSE(Back->Ready);
  EXPECT_FALSE(Back->WantsTraces);

  DeviceFacts Facts;
  Facts.Name = "NVIDIA \"H100\"";
  Facts.Arch = "sm_90";
  Facts.Major = 9;
  Facts.GlobalBytes = uint64_t(80) << 30;
  Facts.CoreClockHz = 1.98e9;
  Expected<DeviceFacts> FactsBack = parseDeviceFacts(toJson(Facts));
  ASSERT_TRUE(bool(FactsBack)) << toString(FactsBack.takeError());
  EXPECT_EQ(toJson(*FactsBack), toJson(Facts));
  EXPECT_EQ(FactsBack->Name, Facts.Name);
}

static std::string refusal(StringRef Line) {
  Expected<RunRecord> R = parseRunRecord(Line);
  return R ? "accepted" : toString(R.takeError());
}

TEST(RecordCodec, NamesTheFieldThatIsWrong) {
  std::string Head = "\"call\": \"f\", \"host_ns\": 1, \"host_thread\": 0";
  auto With = [&](StringRef Record, StringRef Fields) {
    return ("{\"record\": \"" + Record + "\", " + Head + Fields + "}").str();
  };
  EXPECT_EQ(refusal(With("elapsed", ", \"from\": 1, \"to\": 2")), "accepted");
  EXPECT_EQ(refusal(With("elapsed", ", \"from\": 1")),
            "field 'to': expected a value");
  EXPECT_EQ(refusal(With("elapsed", ", \"from\": -1, \"to\": 2")),
            "field 'from': expected an integer of at least 0");
  EXPECT_EQ(refusal(With("elapsed", ", \"from\": 1, \"to\": 2, \"by\": 3")),
            "1 fields that this version does not know");
  EXPECT_EQ(refusal(With("wait", ", \"on\": \"Device\", \"handle\": 0")),
            "field 'on': expected one of device, stream, event");
  EXPECT_TRUE(StringRef(refusal(With("dance", "")))
                  .starts_with("field 'record': expected one of call, module"));
  EXPECT_EQ(refusal(With("module", ", \"module\": 0, \"bitcode\": \"a b\"")),
            "field 'bitcode': expected bytes as base64");
  EXPECT_EQ(refusal(With("exit", ", \"status\": 1e30")),
            "field 'status': expected an integer of 32 bits");
  EXPECT_EQ(refusal(With("notice", ", \"text\": null")),
            "field 'text': expected a text");
  EXPECT_NE(refusal("{\"record\": \"exit\", \"call\": 3}"), "accepted");

  std::string Launch = toJson(recordOf(launchWithTrace()));
  std::string Short = Launch;
  Short.replace(Short.find("[1,2,3]"), 7, "[1,2]");
  EXPECT_EQ(refusal(Short), "field 'grid': expected 3 elements");
  std::string Deep = Launch;
  Deep.replace(Deep.find("[0,4,-1]"), 8, "[0,4,{}]");
  EXPECT_EQ(refusal(Deep),
            "field 'trace.accesses.0.samples.0.2': expected an integer");
}

TEST(RecordCodec, RefusesEveryCutAndDamagedLine) {
  for (const RunRecord &R : oneOfEach()) {
    std::string Text = toJson(R);
    for (size_t Length = 0; Length < Text.size(); ++Length)
      EXPECT_NE(refusal(StringRef(Text).take_front(Length)), "accepted");
    // Any byte may be damaged: accepted or refused, but read to the end.
    for (size_t I = 0; I < Text.size(); ++I)
      for (char C : {'\0', '"', '{', ']', '9', '-', '\xff'}) {
        std::string Damaged = Text;
        Damaged[I] = C;
        refusal(Damaged);
      }
  }
}

TEST(RecordCodec, RefusesDeepNestingWithoutRecursion) {
  EXPECT_EQ(refusal(std::string(1 << 20, '[')), "nested too deeply");
  EXPECT_TRUE(
      StringRef(refusal("{\"call\": \"" + std::string(100, '[') + "\"}"))
          .starts_with("field 'record': expected one of call"));
}
