#include "TargetComparisonText.h"

#include "gpu-estimate/Report/Text/Table.h"
#include "gpu-estimate/Support/Format.h"
#include "gpu-estimate/Support/Numbers.h"

using namespace llvm;

namespace gpuestimate {

static std::string machine(const TargetComparison &C) {
  if (C.Kind == TargetRequest::Fpga)
    return C.MachineName;
  return std::to_string(C.Cores) + (C.Cores == 1 ? " core of " : " cores of ") +
         C.MachineName;
}

/// "5.5 times as long", "0.4 times as long".
static std::string timesAsLong(double SpeedUp) {
  return formatRatio(SpeedUp) + " times as long as";
}

std::string targetTimeLine(const Prediction &P, const TargetComparison &C) {
  if (!C.Problem.empty())
    return "'" + P.Name + "' is not compared with " + C.MachineName + ": " +
           C.Problem;
  std::string Text = "'" + P.Name + "' takes " + formatTime(C.Time) + " on " +
                     machine(C) + ", bound by " + C.Bottleneck + ", " +
                     timesAsLong(C.speedUp()) + " on " + P.GpuName;
  if (C.Copies)
    Text += "; " + formatRatio(C.speedUpWithCopies()) +
            " times with copies of " + formatBytes(C.BytesIn) + " in and " +
            formatBytes(C.BytesOut) + " out";
  return Text;
}

std::string breakEvenLine(const TargetComparison &C) {
  if (!C.Even)
    return "";
  const BreakEven &E = *C.Even;
  std::string Tried =
      E.Parameter + " = " + formatNumber(E.From) + " to " + formatNumber(E.To);
  if (!E.Value)
    return std::string("the GPU is ") + (E.AboveIsGpu ? "faster" : "slower") +
           " at every size that was tried, " + Tried;
  return std::string("the GPU is faster ") +
         (E.AboveIsGpu ? "from " : "up to ") + E.Parameter + " = " +
         formatNumber(*E.Value) + (E.AboveIsGpu ? " on" : "") + " (tried " +
         Tried + ")";
}

static void printPipelines(raw_ostream &OS, const TargetComparison &C) {
  if (C.Pipelines.empty())
    return;
  Table T({Align::Left, Align::Right, Align::Right, Align::Right, Align::Right,
           Align::Right});
  T.row({"pipelined loop", "II", "depth", "copies", "DSP", "time"});
  for (const FpgaPipeline &P : C.Pipelines)
    T.row(
        {P.Location.brief(), formatCount(P.Interval) + " (" + P.Limit + ")",
         formatCount(P.Depth),
         std::to_string(P.UnrollInner) + " x " + std::to_string(P.UnrollSpread),
         formatCount(P.Dsp), formatCount(P.Cycles) + " cycles"});
  T.print(OS, 4);
}

void printTargetComparison(raw_ostream &OS, const Prediction &P,
                           const TargetComparison &C) {
  OS << "\n  against " << C.MachineName << " (" << C.Machine << ")\n";
  OS << "    " << targetTimeLine(P, C) << '\n';
  if (!C.Problem.empty())
    return;
  Table T({Align::Left, Align::Right});
  for (const auto &[Limit, Time] : C.Limits)
    T.row({Limit, formatTime(Time)});
  if (C.Copies)
    T.row({"copies to the GPU and back", formatTime(C.CopyTime)});
  T.print(OS, 4);
  printPipelines(OS, C);
  OS << "    " << (C.pays() ? "the GPU pays" : "the GPU does not pay");
  if (std::string Even = breakEvenLine(C); !Even.empty())
    OS << "; " << Even;
  OS << '\n';
  for (const std::string &Text : C.Premises)
    OS << "    taken for granted: " << Text << '\n';
}

static void writePipelines(json::OStream &J, const TargetComparison &C) {
  J.attributeArray("pipelines", [&] {
    for (const FpgaPipeline &P : C.Pipelines)
      J.object([&] {
        J.attribute("line", P.Location.Line);
        J.attribute("initiation_interval", P.Interval);
        J.attribute("limit", P.Limit);
        J.attribute("depth", P.Depth);
        J.attribute("unroll_inner", P.UnrollInner);
        J.attribute("unroll_spread", P.UnrollSpread);
        J.attribute("dsp", P.Dsp);
        J.attribute("cycles", P.Cycles);
      });
  });
}

void writeComparison(json::OStream &J, const TargetComparison &C) {
  bool Cpu = C.Kind == TargetRequest::Cpu;
  J.attribute("kind", Cpu ? "cpu" : "fpga");
  J.attribute("machine", C.Machine);
  J.attribute("machine_name", C.MachineName);
  if (!C.Problem.empty()) {
    J.attribute("problem", C.Problem);
    return;
  }
  if (Cpu)
    J.attribute("cores", C.Cores);
  J.attribute("time_ms", C.Time.value() * 1e3);
  J.attribute("bottleneck", C.Bottleneck);
  J.attributeObject("limits_ms", [&] {
    for (const auto &[Limit, Time] : C.Limits)
      J.attribute(Limit, Time.value() * 1e3);
  });
  if (!Cpu)
    writePipelines(J, C);
  J.attribute("copy_bytes_in", C.Copies ? C.BytesIn.value() : 0);
  J.attribute("copy_bytes_out", C.Copies ? C.BytesOut.value() : 0);
  J.attribute("copy_ms", C.CopyTime.value() * 1e3);
  J.attribute("speed_up", C.speedUp());
  J.attribute("speed_up_with_copies", C.speedUpWithCopies());
  J.attribute("pays", C.pays());
  if (C.Even)
    J.attributeObject("break_even", [&] {
      J.attribute("parameter", C.Even->Parameter);
      if (C.Even->Value)
        J.attribute("value", *C.Even->Value);
      J.attribute("gpu_wins", C.Even->AboveIsGpu ? "above" : "below");
      J.attribute("from", C.Even->From);
      J.attribute("to", C.Even->To);
    });
  J.attributeArray("premises", [&] {
    for (const std::string &Text : C.Premises)
      J.value(Text);
  });
}

} // namespace gpuestimate
