// What `gpu-estimate run` prints, from a run made by hand.
#include "gpu-estimate/Report/Run/Run.h"

#include "gpu-estimate/Support/Csv.h"
#include "helpers/RunRecords.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>
#include <set>

using namespace llvm;
using namespace gpuestimate;

/// A copy to the GPU, two kernels, a copy back.
static RunReport smallRun() {
  std::vector<RunRecord> Records = {
      callOf(RunAllocation{64, 4000000, RunMemory::Device, ""}, 1000,
             "cudaMalloc"),
      copyOf(RunCopyKind::HostToDevice, 4000000, false, false, 0, 50000),
      launchOn(0, 0, 50000),
      launchOn(0, 1, 50000),
      copyOf(RunCopyKind::DeviceToHost, 4000000, true, false, 0, 50000),
      callOf(RunExit{3}, 60000, ""),
  };
  LaunchCost Cost{30000, 1};
  Timeline Clock(testCosts());
  std::vector<const RunRecord *> Pointers;
  std::vector<PricedRecord> Priced;
  for (const RunRecord &R : Records) {
    Pointers.push_back(&R);
    bool IsLaunch = std::holds_alternative<RunLaunch>(R.What);
    Priced.push_back({&R, IsLaunch ? std::optional(Cost) : std::nullopt});
    Clock.add(R, &Cost);
  }
  RunReport Report = makeRunReport(Clock.finish(), Pointers, [](size_t Record) {
    return Record == 2 ? 0 : 1;
  });
  Report.Gpu = "nvidia-test";
  Report.GpuName = "Test <GPU>";
  RunEstimate Scale;
  Scale.Kernel = "_Z5scalePf";
  Scale.Name = "scale(float *, \"x\")";
  Scale.Bottleneck = "dram-bandwidth";
  Scale.Ns = 30000;
  Scale.IntervalNs = {20000, 40000};
  Scale.Breakdown = {{"dram", 0.75}, {"launch", 0.25}};
  Scale.WarpCyclesPerInstruction = 12;
  Scale.FromData = {"trip count of the loop at a.cu:3"};
  Scale.Assumptions = {"n = 4"};
  RunEstimate Add = Scale;
  Add.Kernel = "_Z3addPf";
  Add.Name = "add(float *)";
  Add.IntervalNs.reset();
  Scale.Arguments = {{"n", "4"}, {"text", "\xff"}};
  Report.Estimates = {Scale, Add};
  Report.Suggestions = suggest(testCosts(), Priced, Report.Totals);
  Report.Assumptions = {"a call takes 0.1 us"};
  Report.Faults = {"out-of-bounds write"};
  return Report;
}

static json::Value parsed(function_ref<void(raw_ostream &)> Print) {
  std::string Text;
  raw_string_ostream OS(Text);
  Print(OS);
  Expected<json::Value> Value = json::parse(Text);
  EXPECT_TRUE(bool(Value)) << Text;
  return Value ? *Value : json::Value(nullptr);
}

TEST(RunReport, LinksWorkToItsCalls) {
  RunReport R = smallRun();
  ASSERT_EQ(R.Launches.size(), 2u);
  ASSERT_EQ(R.Copies.size(), 2u);
  EXPECT_EQ(R.Calls[*R.Launches[1].Call].Name, "cudaLaunchKernel");
  EXPECT_EQ(R.Calls[*R.Copies[1].Call].Name, "cudaMemcpy");
  EXPECT_EQ(R.ExitStatus, 3);
}

TEST(RunReport, LinksNodesToTheLaunchOfTheirGraph) {
  std::vector<RunRecord> Records = {
      callOf(RunGraphLaunch{1, 0, true}, 0, "cudaGraphLaunch"),
      callOf(RunLaunch(), 0, ""), callOf(RunGraphLaunch{1, 0, false}, 0, ""),
      launchOn(0)};
  Timeline Clock(testCosts());
  std::vector<const RunRecord *> Pointers;
  for (const RunRecord &R : Records) {
    Pointers.push_back(&R);
    Clock.add(R);
  }
  RunReport Report =
      makeRunReport(Clock.finish(), Pointers, [](size_t) { return 0; });
  ASSERT_EQ(Report.Launches.size(), 2u);
  EXPECT_EQ(Report.Calls[*Report.Launches[0].Call].Name, "cudaGraphLaunch");
  EXPECT_TRUE(Report.Launches[0].InGraph);
  EXPECT_EQ(Report.Calls[*Report.Launches[1].Call].Name, "cudaLaunchKernel");
}

TEST(RunReport, JsonHasTheFieldsOfTheContract) {
  RunReport R = smallRun();
  json::Value V = parsed([&](raw_ostream &OS) { printRunJson(OS, R, "1.2"); });
  const json::Object &O = *V.getAsObject();
  EXPECT_EQ(O.getString("schema"), "gpu-estimate-run/1");
  EXPECT_EQ(O.getObject("program")->getInteger("exit_status"), 3);
  const json::Object &L = *(*O.getArray("launches"))[0].getAsObject();
  EXPECT_EQ(L.getString("kernel"), "_Z5scalePf");
  EXPECT_EQ(L.getNumber("time_ms"), 0.03);
  EXPECT_EQ(L.getArray("interval")->size(), 2u);
  EXPECT_EQ(L.getArray("from_data")->size(), 1u);
  const json::Object &Second = *(*O.getArray("launches"))[1].getAsObject();
  EXPECT_EQ(Second.getNull("interval"), nullptr);
  const json::Object &T = *O.getObject("totals");
  for (StringRef Key : {"gpu_ms", "copy_ms", "host_ms", "wall_ms"})
    EXPECT_TRUE(T.getNumber(Key)) << Key.str();
  EXPECT_EQ(T.getNumber("gpu_ms"), 0.06);

  json::Value Two = parsed([&](raw_ostream &OS) {
    printRunJson(OS, {smallRun(), smallRun()}, "1.2");
  });
  EXPECT_EQ(Two.getAsObject()->getArray("runs")->size(), 2u);
}

namespace {

/// The keywords of JSON Schema that docs/schema/gpu-estimate-run.schema.json
/// uses. Returns the path of what does not match; "" if all does.
class SchemaCheck {
public:
  explicit SchemaCheck(json::Value Root) : Root(std::move(Root)) {}
  std::string check(const json::Value &V) const { return check(Root, V, "$"); }

private:
  std::string check(const json::Value &Schema, const json::Value &V,
                    const std::string &Path) const {
    const json::Object &S = *Schema.getAsObject();
    if (std::optional<StringRef> Ref = S.getString("$ref"))
      return check(resolved(*Ref), V, Path);
    if (const json::Array *Any = S.getArray("anyOf")) {
      std::string First;
      for (const json::Value &Option : *Any) {
        std::string Problem = check(Option, V, Path);
        if (Problem.empty())
          return "";
        First = First.empty() ? Problem : First;
      }
      return First;
    }
    if (const json::Value *Const = S.get("const"))
      return *Const == V ? "" : Path + " is another constant";
    if (std::optional<StringRef> Type = S.getString("type"))
      if (!hasType(V, *Type))
        return Path + " is no " + Type->str();
    if (const json::Object *O = V.getAsObject())
      return checkObject(S, *O, Path);
    if (const json::Array *A = V.getAsArray())
      for (auto [I, Element] : enumerate(*A))
        if (std::string Problem = check(*S.get("items"), Element,
                                        Path + "[" + std::to_string(I) + "]");
            !Problem.empty())
          return Problem;
    return "";
  }
  std::string checkObject(const json::Object &S, const json::Object &O,
                          const std::string &Path) const {
    for (const json::Value &Needed : *S.getArray("required"))
      if (!O.get(*Needed.getAsString()))
        return Path + " lacks " + Needed.getAsString()->str();
    for (const auto &[Key, Value] : O) {
      const json::Value *Property = S.getObject("properties")->get(Key);
      if (!Property)
        return Path + " has " + Key.str();
      if (std::string Problem = check(*Property, Value, Path + "." + Key.str());
          !Problem.empty())
        return Problem;
    }
    return "";
  }
  const json::Value &resolved(StringRef Ref) const {
    const json::Value *At = &Root;
    SmallVector<StringRef> Steps;
    Ref.drop_front(2).split(Steps, '/');
    for (StringRef Step : Steps)
      At = At->getAsObject()->get(Step);
    return *At;
  }
  static bool hasType(const json::Value &V, StringRef Type) {
    switch (V.kind()) {
    case json::Value::Null:
      return Type == "null";
    case json::Value::Boolean:
      return Type == "boolean";
    case json::Value::Number:
      return Type == "number" || (Type == "integer" && V.getAsInteger());
    case json::Value::String:
      return Type == "string";
    case json::Value::Array:
      return Type == "array";
    case json::Value::Object:
      return Type == "object";
    }
    return false;
  }

  json::Value Root;
};

} // namespace

TEST(RunReport, JsonKeepsToItsSchema) {
  auto Buffer = MemoryBuffer::getFile(
      GPU_ESTIMATE_SOURCE_DIR "/docs/schema/gpu-estimate-run.schema.json");
  ASSERT_TRUE(bool(Buffer));
  SchemaCheck Schema(cantFail(json::parse((*Buffer)->getBuffer())));
  auto Print = [](ArrayRef<RunReport> Runs) {
    return parsed([&](raw_ostream &OS) { printRunJson(OS, Runs, "1.2"); });
  };
  RunReport R = smallRun();
  R.Notices = {"a call is missing"};
  EXPECT_EQ(Schema.check(Print(R)), "");
  EXPECT_EQ(Schema.check(Print({R, R})), "");
  // The check can fail.
  json::Value Wrong = Print(R);
  Wrong.getAsObject()->getObject("totals")->erase("wall_ms");
  EXPECT_EQ(Schema.check(Wrong), "$.totals lacks wall_ms");
}

TEST(RunReport, ALongTraceSaysWhatIsLeftOut) {
  RunReport R = smallRun();
  R.Calls.resize(200003, R.Calls.back());
  std::string Text;
  raw_string_ostream OS(Text);
  printRunTrace(OS, R);
  EXPECT_TRUE(StringRef(Text).contains("\"labels\":\"left out: 3 calls\""));
  EXPECT_EQ(StringRef(Text).count("\"cuda_runtime\""), 200000u);
}

TEST(RunReport, TraceHasOneArrowForEachPieceOfWork) {
  json::Value V = parsed(
      [&](raw_ostream &OS) { printRunTrace(OS, {smallRun(), smallRun()}); });
  std::map<std::string, unsigned> Phases, Categories;
  std::set<int64_t> Processes;
  for (const json::Value &E : *V.getAsObject()->getArray("traceEvents")) {
    const json::Object &O = *E.getAsObject();
    std::string Phase = O.getString("ph")->str();
    ++Phases[Phase];
    Processes.insert(*O.getInteger("pid"));
    if (Phase == "X") {
      ++Categories[O.getString("cat")->str()];
      EXPECT_GE(*O.getNumber("dur"), 0);
    }
  }
  EXPECT_EQ(Categories["kernel"], 4u);
  EXPECT_EQ(Categories["gpu_memcpy"], 4u);
  EXPECT_EQ(Categories["cuda_runtime"], 10u);
  EXPECT_GE(Categories["cpu_op"], 2u);
  EXPECT_EQ(Phases["s"], 8u);
  EXPECT_EQ(Phases["f"], 8u);
  EXPECT_EQ(Processes.size(), 4u);
}

TEST(RunReport, TablesHaveTheColumnsOfNsight) {
  std::vector<RunTable> Tables = runTables(smallRun());
  ASSERT_EQ(Tables.size(), 4u);
  std::vector<std::string> Heads;
  for (const RunTable &T : Tables) {
    Heads.push_back(StringRef(T.Text).split('\n').first.str());
    auto Rows = readCsv(T.Name, T.Text);
    ASSERT_TRUE(bool(Rows)) << toString(Rows.takeError());
    for (const CsvRow &Row : *Rows)
      EXPECT_EQ(Row.size(), Rows->front().size());
  }
  EXPECT_EQ(Heads[0], "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),"
                      "Min (ns),Max (ns),StdDev (ns),Name");
  EXPECT_EQ(Heads[1], "Time (%),Total Time (ns),Count,Avg (ns),Med (ns),"
                      "Min (ns),Max (ns),StdDev (ns),Operation");
  EXPECT_EQ(Heads[3], "Time (%),Total Time (ns),Num Calls,Avg (ns),Med (ns),"
                      "Min (ns),Max (ns),StdDev (ns),Name");
  EXPECT_NE(Tables[0].Text.find("50.0,30000,1,30000.0,30000.0,30000,30000,0.0,"
                                "\"scale(float *, \"\"x\"\")\""),
            std::string::npos)
      << Tables[0].Text;
}

TEST(RunReport, TextSaysWhatTheRunIs) {
  std::string Text;
  raw_string_ostream OS(Text);
  printRunText(OS, {smallRun(), smallRun()});
  for (StringRef Part :
       {"the program takes", "slower by", "exit status 3", "dram-bandwidth",
        "[CUDA memcpy Host-to-Device]", "cudaLaunchKernel", "critical path",
        "use pinned memory", "out-of-bounds write",
        "scale(float *, \"x\"): n = 4", "a call takes 0.1 us"})
    EXPECT_TRUE(StringRef(Text).contains(Part)) << Part.str() << "\n" << Text;
}

TEST(RunReport, PageEscapesNames) {
  std::string Text;
  raw_string_ostream OS(Text);
  printRunHtml(OS, {smallRun(), smallRun()}, "1.2");
  EXPECT_TRUE(StringRef(Text).contains("Test &lt;GPU&gt;"));
  EXPECT_FALSE(StringRef(Text).contains("Test <GPU>"));
  for (StringRef Part : {"id=\"s1-time-line\"", "id=\"s2-cpi-by-kernel\"",
                         "Which GPU pays", "default stream"})
    EXPECT_TRUE(StringRef(Text).contains(Part)) << Part.str();
}

TEST(RunReport, APictureOfManyLaunchesStaysSmall) {
  RunReport R = smallRun();
  RunReportLaunch L = R.Launches[0];
  for (int I = 0; I < 100000; ++I) {
    L.StartNs = I * (R.Totals.WallNs / 100000);
    L.EndNs = L.StartNs + 1;
    R.Launches.push_back(L);
  }
  std::string Text;
  raw_string_ostream OS(Text);
  printRunHtml(OS, R, "1.2");
  EXPECT_LT(Text.size(), 1000000u);
}

TEST(RunReport, AnEmptyRunPrints) {
  RunReport Empty = makeRunReport(Timeline(testCosts()).finish(), {},
                                  [](size_t) { return 0; });
  std::string Text;
  raw_string_ostream OS(Text);
  printRunText(OS, Empty);
  printRunHtml(OS, Empty, "1.2");
  printRunTrace(OS, Empty);
  printRunJson(OS, Empty, "1.2");
  EXPECT_EQ(runTables(Empty).size(), 4u);
}
