/// \file
/// The JSON contract of a run, field by field.
#include "RunSummary.h"
#include "gpu-estimate/Report/Run/Run.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace gpuestimate {

static constexpr double NsPerMs = 1e6;

namespace {

class RunJsonPrinter {
public:
  RunJsonPrinter(json::OStream &J, const RunReport &Run) : J(J), Run(Run) {}
  void print();

private:
  void milliseconds(StringRef Key, double Ns) {
    J.attribute(Key, Ns / NsPerMs);
  }
  void text(StringRef Key, StringRef Text);
  void texts(StringRef Key, ArrayRef<std::string> Lines);
  void launch(const RunReportLaunch &L);
  void copy(const RunReportCopy &C);
  void totals();
  void advice();

  json::OStream &J;
  const RunReport &Run;
};

} // namespace

void RunJsonPrinter::text(StringRef Key, StringRef Text) {
  // Arguments and names come from the program.
  J.attribute(Key, json::isUTF8(Text) ? Text.str() : json::fixUTF8(Text));
}

void RunJsonPrinter::texts(StringRef Key, ArrayRef<std::string> Lines) {
  J.attributeArray(Key, [&] {
    for (const std::string &Line : Lines)
      J.value(json::isUTF8(Line) ? Line : json::fixUTF8(Line));
  });
}

void RunJsonPrinter::launch(const RunReportLaunch &L) {
  const RunEstimate &E = Run.Estimates[L.Estimate];
  auto Sizes = [&](StringRef Key, const std::array<uint64_t, 3> &Values) {
    J.attributeArray(Key, [&] {
      for (uint64_t V : Values)
        J.value(V);
    });
  };
  text("kernel", E.Kernel);
  text("name", E.Name);
  Sizes("grid", L.Grid);
  Sizes("block", L.Block);
  J.attribute("dynamic_smem_bytes", L.DynamicSharedBytes);
  J.attribute("stream", L.Stream);
  J.attributeArray("arguments", [&] {
    for (const auto &[Name, Value] : E.Arguments)
      J.object([&] {
        text("name", Name);
        text("value", Value);
      });
  });
  milliseconds("start_ms", L.StartNs);
  milliseconds("time_ms", L.EndNs - L.StartNs);
  J.attributeBegin("interval");
  if (E.IntervalNs)
    J.array([&] {
      J.value(E.IntervalNs->first / NsPerMs);
      J.value(E.IntervalNs->second / NsPerMs);
    });
  else
    J.value(nullptr);
  J.attributeEnd();
  text("bottleneck", E.Bottleneck);
  J.attribute("executed", L.Executed);
  J.attribute("in_graph", L.InGraph);
  texts("from_data", E.FromData);
  texts("assumptions", E.Assumptions);
}

void RunJsonPrinter::copy(const RunReportCopy &C) {
  J.attribute("operation", nsightName(C));
  J.attribute("bytes", C.Bytes);
  J.attribute("pinned", C.Pinned);
  J.attribute("stream", C.Stream);
  milliseconds("start_ms", C.StartNs);
  milliseconds("time_ms", C.EndNs - C.StartNs);
}

void RunJsonPrinter::totals() {
  const TimelineTotals &T = Run.Totals;
  milliseconds("gpu_ms", T.KernelNs);
  milliseconds("copy_ms", T.CopyNs);
  milliseconds("host_ms", T.ProgramNs + T.CallNs);
  milliseconds("wall_ms", T.WallNs);
  milliseconds("idle_ms", T.IdleNs);
  milliseconds("program_ms", T.ProgramNs);
  milliseconds("call_ms", T.CallNs);
  milliseconds("wait_ms", T.WaitNs);
}

void RunJsonPrinter::advice() {
  J.attributeArray("critical_path", [&] {
    for (const CriticalPiece &P : Run.CriticalPath)
      J.object([&] {
        J.attribute("what", P.What);
        milliseconds("time_ms", P.Ns);
      });
  });
  J.attributeArray("suggestions", [&] {
    for (const Suggestion &S : Run.Suggestions)
      J.object([&] {
        J.attribute("what", S.What);
        milliseconds("saved_ms", S.SavedNs);
        J.attribute("gain", S.Gain);
      });
  });
}

void RunJsonPrinter::print() {
  text("gpu", Run.Gpu);
  text("gpu_name", Run.GpuName);
  J.attributeObject("program",
                    [&] { J.attribute("exit_status", Run.ExitStatus); });
  J.attributeArray("launches", [&] {
    for (const RunReportLaunch &L : Run.Launches)
      J.object([&] { launch(L); });
  });
  J.attributeArray("copies", [&] {
    for (const RunReportCopy &C : Run.Copies)
      J.object([&] { copy(C); });
  });
  J.attributeArray("calls", [&] {
    for (const RunSummaryRow &R : summarizeCalls(Run))
      J.object([&] {
        text("name", R.Name);
        J.attribute("count", static_cast<uint64_t>(R.Count));
        milliseconds("time_ms", R.Total);
      });
  });
  J.attributeObject("totals", [&] { totals(); });
  advice();
  texts("assumptions", Run.Assumptions);
  texts("faults", Run.Faults);
  texts("unexecuted", Run.Unexecuted);
  texts("notices", Run.Notices);
}

void printRunJson(raw_ostream &OS, ArrayRef<RunReport> Runs,
                  StringRef ToolVersion) {
  json::OStream J(OS, /*IndentSize=*/2);
  J.object([&] {
    J.attribute("schema", "gpu-estimate-run/1");
    J.attribute("tool_version", ToolVersion);
    if (Runs.size() == 1) {
      RunJsonPrinter(J, Runs.front()).print();
      return;
    }
    J.attributeArray("runs", [&] {
      for (const RunReport &Run : Runs)
        J.object([&] { RunJsonPrinter(J, Run).print(); });
    });
  });
  OS << '\n';
}

} // namespace gpuestimate
