/// \file
/// Reports of predictions made by hand: what they say, what they leave out,
/// and that numbers survive the way into JSON.
#include "gpu-estimate/Advice/AccessGroups.h"
#include "gpu-estimate/Report/Diagnostics/Diagnostics.h"
#include "gpu-estimate/Report/Json/Json.h"
#include "gpu-estimate/Report/Json/Sarif.h"
#include "gpu-estimate/Report/Text/Table.h"
#include "gpu-estimate/Report/Text/Text.h"
#include "gpu-estimate/Support/Numbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

using namespace gpuestimate;
using testing::AssertionFailure;
using testing::AssertionResult;
using testing::AssertionSuccess;

namespace {

Assumption assumption(const char *What, double Value, double Sensitivity,
                      SourceLocation Location) {
  Assumption A;
  A.What = What;
  A.Value = A.Low = A.High = Value;
  A.Sensitivity = Sensitivity;
  A.Location = std::move(Location);
  return A;
}

AssertionResult contains(const std::string &Text, const std::string &Part) {
  if (Text.find(Part) != std::string::npos)
    return AssertionSuccess();
  return AssertionFailure() << "no '" << Part << "' in:\n" << Text;
}

template <typename Print> std::string printed(Print P) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  P(OS);
  return Text;
}

AccessReport access(const char *Space, const char *Kind, const char *Base,
                    unsigned Line) {
  AccessReport A;
  A.Location = {"dir/k.cu", Line, 5};
  A.Space = Space;
  A.Kind = Kind;
  A.Base = Base;
  A.BytesPerThread = 4;
  A.Requests = 1000;
  return A;
}

/// A prediction in which every kind of finding is to be found once.
Prediction transpose() {
  Prediction P;
  P.Kernel = "_Z9transposePfS_i";
  P.Name = "transpose";
  P.Location = {"dir/k.cu", 10, 17};
  P.Gpu = "test-gpu";
  P.GpuName = "Test GPU";
  P.Model = "latency-bandwidth";
  P.Used.Grid = {64, 32, 1};
  P.Used.Block = {32, 8, 1};
  P.Used.Source = "host-code";
  P.Used.Location = {"dir/k.cu", 40, 3};
  P.Arguments = {{"n", 2048}};
  P.Time = Seconds(1.5e-3);
  P.LaunchOverhead = Seconds(0.5e-3);
  P.Execution = Seconds(1e-3);
  P.Bottleneck = "dram-bandwidth";
  P.Breakdown = {{"dram", 0.5}, {"launch", 1.0 / 3}, {"issue", 1.0 / 6}};
  P.Bounds = {{"dram-bandwidth", Cycles(1e6)}, {"issue", Cycles(0)}};
  P.Occ = {2, 16, 0.25, "registers", 4.25};
  P.RegistersPerThread = 128;
  P.RegistersSource = "estimate";
  P.Count.WarpInstructions = 1e9;
  P.Count.ByClass[static_cast<unsigned>(OpClass::Fp32Fma)] = 12;
  P.Count.FlopFp32 = 3e9;
  P.Count.GlobalLoadRequests = 1000;
  P.Count.GlobalLoadSectors = 4000;
  P.Count.DramBytes = 16 * 1024 * 1024;
  P.L1HitRate = 0.25;
  P.Accesses = {access("global", "load", "in", 12),
                access("global", "store", "out", 13),
                access("shared", "load", "tile", 14)};
  P.Accesses[0].SectorsPerRequest = P.Accesses[0].IdealSectorsPerRequest = 4;
  P.Accesses[1].SectorsPerRequest = 32;
  P.Accesses[1].IdealSectorsPerRequest = 4;
  P.Accesses[2].PassesPerRequest = 8;
  P.Divergence = {{{"dir/k.cu", 15, 3}, 8, 0.5}};
  P.Assumptions = {assumption("trip count of the loop at k.cu:11", 16, 0.8,
                              {"dir/k.cu", 11, 3}),
                   assumption("a value without effect", 1, 0, {})};
  P.Assumptions[0].Why = "its bound is loaded";
  P.Assumptions[0].Settle = "--param 'trip@k.cu:11=VALUE'";
  P.Assumptions[1].Why = "nobody knows";
  P.Assumptions[1].Settle = "--param x=VALUE";
  P.Caches = "warm";
  return P;
}

Analysis oneOfEach() {
  Analysis A;
  std::vector<Finding> Findings = {{"uncoalesced",
                                    "uncoalesced-store",
                                    {"dir/k.cu", 13, 5},
                                    "store to 'out' touches too much",
                                    "make it coalesced",
                                    0.4},
                                   {"bank-conflict",
                                    "bank-conflict",
                                    {"dir/k.cu", 14, 5},
                                    "load from 'tile' takes too long",
                                    "pad its rows",
                                    0.01}};
  for (const char *Group :
       {"indirect", "misaligned", "stride", "constant-divergence",
        "atomic-contention", "redundant-load", "local-array", "spill",
        "occupancy", "launch", "tail", "mapping", "energy"})
    Findings.push_back({Group, Group, {"dir/k.cu", 16, 1}, Group, "", {}});
  A.Estimates.push_back({transpose(), Findings});
  TargetComparison Board;
  Board.Kind = TargetRequest::Fpga;
  Board.MachineName = "Test board";
  Board.Time = Seconds(6e-3);
  Board.Gpu = Seconds(1.5e-3);
  Board.Bottleneck = "dsp";
  Board.Even = BreakEven{"n", 256, true, 16, 4096};
  A.Estimates.back().Against.push_back(Board);
  A.Unresolveds.push_back(
      {"_Z4ringv", "ring", {"dir/k.cu", 30, 6}, "it recurses"});
  A.Notices.push_back({{}, "--param m names nothing"});
  BudgetCheck Over;
  Over.Name = "transpose";
  Over.Location = {"dir/k.cu", 10, 17};
  Over.GpuName = "Test GPU";
  Over.Limit = Seconds(1e-3);
  Over.Source = "config";
  Over.Time = Seconds(1.5e-3);
  Over.Used.Grid = {64, 32, 1};
  Over.Used.Block = {32, 8, 1};
  Over.Terms = {{"dram", Seconds(0.75e-3)}};
  A.Budgets.push_back(std::move(Over));
  return A;
}

bool hasGroup(const std::vector<Diagnostic> &Found, DiagnosticGroup Group) {
  return llvm::any_of(Found,
                      [&](const Diagnostic &D) { return D.Group == Group; });
}

} // namespace

TEST(Numbers, PlainNumbersAndSizes) {
  EXPECT_EQ(formatNumber(1024), "1024");
  EXPECT_EQ(formatNumber(0.125), "0.125");
  EXPECT_EQ(formatNumber(-3), "-3");
  EXPECT_EQ(formatNumber(1e20), "1e+20");
  EXPECT_EQ(formatSizes({64, 1, 1}), "64");
  EXPECT_EQ(formatSizes({64, 1, 2}), "64x1x2");
}

TEST(Table, ColumnsLineUpAndLinesEndClean) {
  Table T({Align::Left, Align::Right, Align::Left});
  T.row({"a", "1", ""});
  T.row({"long", "100", "x"});
  EXPECT_EQ(printed([&](auto &OS) { T.print(OS, 2); }),
            "  a       1\n  long  100  x\n");
}

TEST(TextReport, BottomLineFirst) {
  std::string Text =
      printed([](auto &OS) { printText(OS, oneOfEach(), TextOptions()); });
  EXPECT_TRUE(contains(Text, "'transpose' takes 1.5 ms on Test GPU, bound by "
                             "dram-bandwidth (grid 64x32, block 32x8 from "
                             "host-code)\n"));
  EXPECT_LT(Text.find("takes 1.5 ms"), Text.find("occupancy"));
}

TEST(TextReport, EveryPartIsThere) {
  std::string Text =
      printed([](auto &OS) { printText(OS, oneOfEach(), TextOptions()); });
  for (const char *Part :
       {"from host-code at k.cu:40", "n = 2048",
        "1.5 ms = 500 us launch + 1 ms execution", "25%, limited by registers",
        "4.25 waves", "128 registers per thread (estimate)",
        "where the time goes", "750 us", "memory accesses", "k.cu:13",
        "global store out", "trip count of the loop at k.cu:11 = 16",
        "(+8.0 %)", "settle with --param 'trip@k.cu:11=VALUE'", "40% less time",
        "no estimate for 'ring' (k.cu:30): it recurses"})
    EXPECT_TRUE(contains(Text, Part));
}

TEST(TextReport, FormulasOnlyOnRequest) {
  Analysis A = oneOfEach();
  KernelFormulas &F = A.Estimates[0].Estimate.Formulas;
  F.Context = std::make_shared<ExprContext>();
  F.Tuple = {
      {"time", "Cycles of a warp", 3.0 * F.Context->parameter("n") + 17}};
  auto Text = [&](bool Formulas) {
    return printed([&](auto &OS) {
      TextOptions O;
      O.Formulas = Formulas;
      printText(OS, A, O);
    });
  };
  EXPECT_TRUE(contains(Text(true), "3*n + 17"));
  EXPECT_FALSE(contains(Text(false), "3*n + 17"));
}

TEST(JsonReport, HasEveryFieldOfTheContract) {
  std::string Text =
      printed([](auto &OS) { printJson(OS, oneOfEach(), "1.2.3"); });
  llvm::Expected<llvm::json::Value> Parsed = llvm::json::parse(Text);
  ASSERT_TRUE(static_cast<bool>(Parsed)) << Text;
  const llvm::json::Object &Root = *Parsed->getAsObject();
  EXPECT_EQ(Root.getString("schema"), "gpu-estimate/1");
  EXPECT_EQ(Root.getString("tool_version"), "1.2.3");
  ASSERT_EQ(Root.getArray("estimates")->size(), 1u);
  const llvm::json::Object &E = *(*Root.getArray("estimates"))[0].getAsObject();
  for (const char *Key : {"kernel",
                          "name",
                          "location",
                          "gpu",
                          "model",
                          "launch",
                          "time_ms",
                          "launch_overhead_ms",
                          "execution_ms",
                          "bottleneck",
                          "breakdown",
                          "occupancy",
                          "registers_per_thread",
                          "registers_source",
                          "shared_bytes_per_block",
                          "counts",
                          "hit_rates",
                          "symbolic",
                          "assumptions",
                          "advice"})
    EXPECT_NE(E.get(Key), nullptr) << Key;
  EXPECT_DOUBLE_EQ(*E.getNumber("time_ms"), 1.5);
  EXPECT_EQ(E.getObject("launch")->getString("source"), "host-code");
  EXPECT_EQ(*(*E.getObject("launch")->getArray("grid"))[1].getAsInteger(), 32);
  EXPECT_DOUBLE_EQ(*E.getObject("breakdown")->getNumber("dram"), 0.5);
  EXPECT_EQ(E.getObject("occupancy")->getString("limited_by"), "registers");
  const llvm::json::Object &Counts = *E.getObject("counts");
  for (const char *Key :
       {"warp_instructions", "flop_fp32", "flop_fp64", "global_load_requests",
        "global_load_sectors", "global_store_requests", "global_store_sectors",
        "shared_wavefronts", "l2_bytes", "dram_bytes", "barriers"})
    EXPECT_NE(Counts.get(Key), nullptr) << Key;
  EXPECT_DOUBLE_EQ(*Counts.getObject("by_class")->getNumber("fp32_fma"), 12);
  const llvm::json::Object &A = *(*E.getArray("assumptions"))[0].getAsObject();
  EXPECT_DOUBLE_EQ(*A.getNumber("sensitivity"), 0.8);
  EXPECT_DOUBLE_EQ(
      *(*E.getArray("advice"))[0].getAsObject()->getNumber("predicted_gain"),
      0.4);
  const llvm::json::Object &U =
      *(*Root.getArray("unresolved"))[0].getAsObject();
  EXPECT_EQ(U.getString("reason"), "it recurses");
  EXPECT_EQ(U.getObject("location")->getInteger("line"), 30);
}

TEST(JsonReport, NothingToSayIsStillAnObject) {
  std::string Text = printed([](auto &OS) { printJson(OS, Analysis(), "0"); });
  auto Parsed = llvm::json::parse(Text);
  ASSERT_TRUE(static_cast<bool>(Parsed)) << Text;
  EXPECT_EQ(Parsed->getAsObject()->getArray("estimates")->size(), 0u);
  EXPECT_EQ(Parsed->getAsObject()->getArray("unresolved")->size(), 0u);
}

TEST(Diagnostics, EachFindingAtItsPlace) {
  Analysis A = oneOfEach();
  A.AllFindings = true;
  std::vector<Diagnostic> Found = diagnose(A, {});
  std::string Text = printed([&](auto &OS) { printDiagnostics(OS, Found); });
  for (const char *Line :
       {"dir/k.cu:10:17: remark: 'transpose' takes 1.5 ms on Test GPU, bound "
        "by dram-bandwidth (grid 64x32, block 32x8 from host-code) "
        "[-Wgpu-estimate-time]\n",
        "dir/k.cu:40:3: note: launched here\n",
        "dir/k.cu:11:3: note: assumed trip count of the loop at k.cu:11 = 16 "
        "(its bound is loaded); settle with --param 'trip@k.cu:11=VALUE'\n",
        "remark: 'transpose' takes 6 ms on Test board, bound by dsp, 4 times "
        "as long as on Test GPU [-Wgpu-estimate-against]\n",
        "note: the GPU is faster from n = 256 on (tried n = 16 to 4096)\n",
        "dir/k.cu:13:5: remark: store to 'out' touches too much; predicted "
        "gain 40% [-Wgpu-estimate-uncoalesced]\n"
        "dir/k.cu:13:5: note: make it coalesced\n",
        "dir/k.cu:14:5: remark: load from 'tile' takes too long; predicted "
        "gain below 2% [-Wgpu-estimate-bank-conflict]\n"
        "dir/k.cu:16:1: remark: indirect [-Wgpu-estimate-indirect]\n",
        "dir/k.cu:15:3: remark: 8 of 32 lanes are active here on average, in "
        "50% of the kernel's issue cycles [-Wgpu-estimate-divergence]\n",
        "dir/k.cu:30:6: remark: no estimate for 'ring': it recurses "
        "[-Wgpu-estimate-unresolved]\n",
        "remark: --param m names nothing [-Wgpu-estimate-input]\n"})
    EXPECT_TRUE(contains(Text, Line));
  for (const DiagnosticGroupInfo &Row : diagnosticTable())
    EXPECT_TRUE(Row.Group == DiagnosticGroup::Assumption ||
                hasGroup(Found, Row.Group))
        << Row.Name.str();
  EXPECT_FALSE(contains(Text, "a value without effect"));
}

TEST(Diagnostics, SmallGainsAreLeftOutUnlessTheirGroupIsAnError) {
  Analysis A = oneOfEach();
  EXPECT_TRUE(hasGroup(diagnose(A, {}), DiagnosticGroup::Uncoalesced));
  EXPECT_FALSE(hasGroup(diagnose(A, {}), DiagnosticGroup::BankConflict));
  A.Errors = {"bank-conflict"};
  EXPECT_TRUE(hasGroup(diagnose(A, {}), DiagnosticGroup::BankConflict));
}

TEST(Diagnostics, TheShareOfAKernelCountsItsLaunches) {
  Analysis A = oneOfEach();
  A.Estimates.push_back(A.Estimates[0]);
  Prediction &Long = A.Estimates[1].Estimate;
  Long.Kernel = Long.Name = "long";
  Long.Location.Line = 70;
  Long.Time = Seconds(1);
  A.Estimates[1].Findings.clear();
  auto IsSaid = [&](std::optional<LaunchCount> Count) {
    A.Estimates[0].Count = Count;
    A.Estimates[1].Count = LaunchCount{1, 1};
    return hasGroup(diagnose(A, {}), DiagnosticGroup::Uncoalesced);
  };
  // 1.5 ms of 1.0015 s.
  EXPECT_FALSE(IsSaid(LaunchCount{1, 1}));
  EXPECT_TRUE(IsSaid(LaunchCount{1, 1000}));
  EXPECT_TRUE(IsSaid(LaunchCount{20, 20}));
  EXPECT_TRUE(IsSaid(std::nullopt)) << "nobody knows how often";
}

TEST(Diagnostics, OneAssumptionAndTheNumberOfTheOthers) {
  Analysis A = oneOfEach();
  Prediction &P = A.Estimates[0].Estimate;
  P.Assumptions[1].Sensitivity = 0.2;
  P.Assumptions.push_back(P.Assumptions[1]);
  P.Assumptions.back().What = "another value";
  std::string Text =
      printed([&](auto &OS) { printDiagnostics(OS, diagnose(A, {})); });
  EXPECT_TRUE(contains(Text, "settle with --param 'trip@k.cu:11=VALUE'; and 2 "
                             "other assumptions, which 'gpu-estimate analyze' "
                             "lists\n"));
  EXPECT_FALSE(contains(Text, "a value without effect"));
}

/// 2 us up to n = 1024, then n / 512 us.
static SizeCurve curveOfElements() {
  SizeCurve C;
  C.Unknown = "n";
  C.Why = "no launch of the kernel was seen";
  C.Settle = "--param n=VALUE";
  for (double Value : {256.0, 1024.0, 4096.0})
    C.Points.push_back({Value,
                        Seconds(std::max(2.0, Value / 512) * 1e-6),
                        "launch",
                        {static_cast<uint64_t>(Value) / 256, 1, 1},
                        {256, 1, 1}});
  return C;
}

TEST(Diagnostics, NothingIsLocatedInASystemHeader) {
  Analysis A = oneOfEach();
  A.LibraryKernels["_Z9transposePfS_i"] = {{"lib::sort", {"user.cu", 5, 3}},
                                           {"lib::scan", {"user.cu", 9, 3}}};
  A.Estimates[0].Curve = curveOfElements();
  auto Text = [&] {
    return printed([&](auto &OS) { printDiagnostics(OS, diagnose(A, {})); });
  };
  EXPECT_TRUE(contains(Text(), "user.cu:5:3: remark: 'lib::sort' leads to 1 "
                               "kernel of system headers"));
  EXPECT_TRUE(contains(Text(), "user.cu:9:3: remark: 'lib::scan' leads to"));
  EXPECT_FALSE(contains(Text(), "'transpose' has no time"));
  A.AllFindings = true;
  EXPECT_TRUE(contains(Text(), "user.cu:5:3: remark: 'transpose' has no time"));
}

TEST(Diagnostics, KernelsWithoutAnEstimateForOneReasonAreNamedTogether) {
  Analysis A = oneOfEach();
  A.Unresolveds.push_back(
      {"_Z4ringi", "wheel", {"dir/k.cu", 35, 6}, "it recurses"});
  std::string Text =
      printed([&](auto &OS) { printDiagnostics(OS, diagnose(A, {})); });
  EXPECT_TRUE(contains(Text, "dir/k.cu:30:6: remark: no estimate for 'ring', "
                             "'wheel' (k.cu:35): it recurses"));
}

TEST(TextReport, LaunchesThatDifferInAnArgumentAreToldApart) {
  Analysis A = oneOfEach();
  A.Estimates.push_back(A.Estimates[0]);
  EXPECT_FALSE(contains(bottomLine(A, A.Estimates[0]), "n = 2048"));
  A.Estimates[1].Estimate.Arguments[0].second = 4096;
  EXPECT_TRUE(contains(bottomLine(A, A.Estimates[0]),
                       "block 32x8, n = 2048 from host-code"));
  EXPECT_TRUE(contains(bottomLine(A, A.Estimates[1]), "n = 4096"));
}

TEST(SizeCurve, TellsUpToWhichSizeABudgetIsKept) {
  SizeCurve C = curveOfElements();
  EXPECT_EQ(keptUpTo(C, Seconds(4e-6)), "up to about n = 2 K");
  EXPECT_EQ(keptUpTo(C, Seconds(8e-6)), "up to the end of the table, n = 4 K");
  EXPECT_EQ(keptUpTo(C, Seconds(1e-6)),
            "nowhere in the table, not with n = 256");
  std::swap(C.Points[0].Time, C.Points[2].Time);
  EXPECT_EQ(keptUpTo(C, Seconds(4e-6)), "");
}

TEST(SizeCurve, SizesHaveBinaryPrefixes) {
  EXPECT_EQ(formatSize(256), "256");
  EXPECT_EQ(formatSize(32768), "32 K");
  EXPECT_EQ(formatSize(455000), "444 K");
  EXPECT_EQ(formatSize(3 * 1024 * 1024), "3 M");
}

TEST(SizeCurve, StandsInPlaceOfATime) {
  Analysis A = oneOfEach();
  A.Estimates[0].Curve = curveOfElements();
  std::string Line = bottomLine(A, A.Estimates[0]);
  EXPECT_TRUE(contains(Line, "has no time on")) << Line;
  EXPECT_TRUE(contains(Line, "without n; n = 256, 1 K, 4 K: 2 us, 2 us, 8 us; "
                             "settle with --param n=VALUE"))
      << Line;
  std::string Json = printed([&](auto &OS) { printJson(OS, A, "1"); });
  EXPECT_TRUE(contains(Json, "\"time_ms\": null"));
  EXPECT_TRUE(contains(Json, "\"name\": \"n\""));
}

TEST(AccessGroups, CopiesOfAnAccessAreOne) {
  AccessReport First = access("global", "load", "in", 12), Second = First;
  First.Requests = 100, First.SectorsPerRequest = 4, First.DramReadBytes = 1000;
  First.L1Hit = 0.5, First.L2Hit = 1;
  Second.Requests = 300, Second.SectorsPerRequest = 8,
  Second.DramReadBytes = 500;
  Second.L1Hit = 1;
  AccessReport Other = access("global", "store", "in", 12);
  std::vector<AccessReport> Merged = mergeAccesses({First, Second, Other});
  ASSERT_EQ(Merged.size(), 2u);
  EXPECT_EQ(Merged[0].Requests, 400);
  EXPECT_DOUBLE_EQ(Merged[0].SectorsPerRequest, 7);
  EXPECT_EQ(Merged[0].DramReadBytes, 1500);
  EXPECT_DOUBLE_EQ(Merged[0].L1Hit, (0.5 * 400 + 1.0 * 2400) / 2800);
  EXPECT_DOUBLE_EQ(Merged[0].L2Hit, 1) << "only the first one reaches L2";
  EXPECT_EQ(Merged[1].Kind, "store");
}

TEST(AssumptionGroups, CopiesAddUp) {
  Assumption Small = assumption("trip count", 16, 0.2, {"k.cu", 1, 1});
  Assumption Other = assumption("argument n", 16, -0.3, {"k.cu", 1, 1});
  auto Groups = groupAssumptions({Small, Other, Small});
  ASSERT_EQ(Groups.size(), 2u);
  EXPECT_EQ(Groups[0].Count, 2u);
  EXPECT_DOUBLE_EQ(Groups[0].Shown.Sensitivity, 0.4);
  EXPECT_EQ(assumed(Groups[0]), "trip count = 16 (2 copies)");
  EXPECT_EQ(assumed(Groups[1]), "argument n = 16");
}

TEST(Diagnostics, ANoteCountsTheAssumptionsThatWereNotVaried) {
  Analysis A = oneOfEach();
  auto text = [&] {
    std::vector<Diagnostic> Found = diagnose(A, {});
    return printed([&](auto &OS) { printDiagnostics(OS, Found); });
  };
  EXPECT_FALSE(contains(text(), "was not computed"));
  A.Estimates[0].Estimate.Assumptions[1].NotVaried = true;
  EXPECT_TRUE(contains(text(), "; and 1 other assumption, which"));
  A.AllFindings = true;
  EXPECT_TRUE(contains(text(),
                       "note: assumptions whose effect was not computed, "
                       "to keep the compile short: 1; "));
}

TEST(Diagnostics, GroupsAreSilencedOneByOne) {
  for (const DiagnosticGroupInfo &Row : diagnosticTable()) {
    Analysis A = oneOfEach();
    A.AllFindings = true;
    std::vector<Diagnostic> Found = diagnose(A, {Row.Name.str()});
    EXPECT_FALSE(hasGroup(Found, Row.Group)) << Row.Name.str();
    EXPECT_FALSE(Found.empty());
  }
  std::string Text = printed([&](auto &OS) {
    printDiagnostics(OS, diagnose(oneOfEach(), {"assumption"}));
  });
  EXPECT_FALSE(contains(Text, "note: assumed"));
  EXPECT_TRUE(diagnose(oneOfEach(), {"all"}).empty());
}

TEST(Diagnostics, OnlyABudgetIsAWarningAboutTheProgram) {
  for (const Diagnostic &D : diagnose(oneOfEach(), {}))
    EXPECT_EQ(D.Severity, D.Group == DiagnosticGroup::Budget
                              ? DiagnosticSeverity::Warning
                              : DiagnosticSeverity::Remark)
        << D.Text;
}

TEST(DiagnosticTable, NamesAreFoundWithAndWithoutPrefix) {
  ASSERT_NE(findDiagnosticGroup("time"), nullptr);
  EXPECT_EQ(findDiagnosticGroup("time"),
            findDiagnosticGroup("gpu-estimate-time"));
  EXPECT_EQ(findDiagnosticGroup("tim"), nullptr);
  for (const DiagnosticGroupInfo &Row : diagnosticTable())
    EXPECT_EQ(&info(Row.Group), &Row);
}

TEST(Sarif, ARepeatedNoteStandsOnce) {
  Diagnostic D;
  D.Group = DiagnosticGroup::Uncoalesced;
  D.Text = "scattered";
  D.Location = {"k.cu", 3, 5};
  D.Notes = {{{"k.cu", 4, 1}, "here"},
             {{"k.cu", 4, 1}, "here"},
             {{"k.cu", 9, 1}, "here"},
             {{}, "at the finding"},
             {D.Location, "at the finding"}};
  auto Log = llvm::cantFail(llvm::json::parse(
      printed([&](llvm::raw_ostream &OS) { printSarif(OS, D, "1"); })));
  const llvm::json::Object &Run =
      *(*Log.getAsObject()->getArray("runs"))[0].getAsObject();
  const llvm::json::Object &Result =
      *(*Run.getArray("results"))[0].getAsObject();
  EXPECT_EQ(Result.getArray("relatedLocations")->size(), 3u);
}
