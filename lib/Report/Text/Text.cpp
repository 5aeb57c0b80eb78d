/// \file
/// Layout of the text report. Each part is one function that prints nothing
/// when it has nothing to say.
#include "gpu-estimate/Report/Text/Text.h"

#include "FormulaText.h"
#include "TargetComparisonText.h"
#include "gpu-estimate/Advice/AccessGroups.h"
#include "gpu-estimate/Advice/Advice.h"
#include "gpu-estimate/Report/Text/Table.h"
#include "gpu-estimate/Support/Format.h"
#include "gpu-estimate/Support/Numbers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

static std::string launchSource(const Launch &L) {
  std::string Text = "from " + L.Source;
  if (L.Location.isValid())
    Text += " at " + L.Location.brief();
  return Text;
}

/// ", stride = 512" for each argument in which P differs from other estimates
/// of its kernel for an equal launch.
static std::string distinction(const Analysis &A, const Prediction &P) {
  std::string Text;
  for (const auto &[Name, Value] : P.Arguments)
    if (any_of(A.Estimates, [&, &Name = Name,
                             &Value = Value](const ExplainedPrediction &E) {
          const Prediction &O = E.Estimate;
          return O.Kernel == P.Kernel && O.Gpu == P.Gpu &&
                 O.Used.Grid == P.Used.Grid && O.Used.Block == P.Used.Block &&
                 any_of(O.Arguments, [&](const auto &Argument) {
                   return Argument.first == Name && Argument.second != Value;
                 });
        }))
      Text += ", " + Name + " = " + formatNumber(Value);
  return Text;
}

std::string totalLine(const FunctionTotal &F) {
  return "function '" + F.Function + "' takes " + formatTime(F.Time) + " on " +
         F.GpuName + " in " + formatCount(F.Launches) +
         (F.Launches == 1 ? " launch" : " launches");
}

std::string totalLine(const SequenceTotal &S) {
  std::string Text = "one execution of '" + S.Name + "' takes " +
                     formatTime(S.Time) + " on " + S.GpuName + " in " +
                     formatCount(S.Launches) +
                     (S.Launches == 1 ? " launch" : " launches") +
                     ": kernels " + formatTime(S.KernelTime);
  if (S.CopyTime > Seconds())
    Text += ", copies " + formatTime(S.CopyTime);
  Text += ", the GPU waits " + formatTime(S.IdleTime);
  if (!S.NotPredicted.empty())
    Text += ", without what is not predicted";
  return Text;
}

static void printParts(raw_ostream &OS, ArrayRef<FunctionTotal::Part> Parts) {
  Table T({Align::Right, Align::Left, Align::Right, Align::Right});
  for (const FunctionTotal::Part &P : Parts)
    T.row({formatCount(P.Launches) + " x", P.Name,
           formatTime(Seconds(P.Time.value() / P.Launches)),
           formatTime(P.Time)});
  T.print(OS, 4);
}

std::string missingLine(const SequenceTotal &S,
                        const SequenceTotal::Missing &M) {
  return formatCount(M.Count) + " x " + M.What + " (" +
         SourceLocation{S.File, M.Line, 1}.brief() + "): " + M.Why;
}

static void printTotal(raw_ostream &OS, const SequenceTotal &S,
                       bool WithAssumptions) {
  OS << totalLine(S) << '\n';
  printParts(OS, S.Parts);
  if (!S.NotPredicted.empty())
    OS << "\n  not predicted\n";
  for (const SequenceTotal::Missing &M : S.NotPredicted)
    OS << "    " << missingLine(S, M) << '\n';
  if (!S.Premises.empty() && WithAssumptions)
    OS << "\n  taken for granted\n";
  for (const std::string &Text : S.Premises)
    if (WithAssumptions)
      OS << "    " << Text << '\n';
}

static void printPremises(raw_ostream &OS, const Prediction &P) {
  if (P.Premises.empty())
    return;
  OS << "\n  taken for granted\n";
  for (const std::string &Text : P.Premises)
    OS << "    " << Text << '\n';
}

static std::string intervalText(Seconds Time,
                                const std::optional<TimeInterval> &Interval) {
  if (!Interval)
    return "";
  TimeFactors Range = Interval->total();
  return formatTimeRange(Time * Range.Low, Time * Range.High);
}

std::string intervalText(const Prediction &P) {
  return intervalText(P.Time, P.Interval);
}

std::string intervalText(const SizeCurve::Point &P) {
  return intervalText(P.Time, P.Interval);
}

/// An interval that is wider than this tells more than the time.
static constexpr double WideInterval = 10;

/// "n = 1 K, 1 M: 2.4 us, 6.6 us (ncols = 1 K, block 256)"
static std::string pointsText(const SizeCurve &C) {
  std::string Values, Times, Others;
  for (const SizeCurve::Point &P : C.Points) {
    Values += (Values.empty() ? "" : ", ") + formatSize(P.Value);
    Times += (Times.empty() ? "" : ", ") + formatTime(P.Time);
  }
  for (const SizeCurve::Other &Each : C.Others)
    Others += (Others.empty() ? "" : ", ") + otherText(Each);
  return C.Unknown + " = " + Values + ": " + Times +
         (Others.empty() ? "" : " (" + Others + ")");
}

static std::string curveLine(const ExplainedPrediction &E) {
  const Prediction &P = E.Estimate;
  const SizeCurve &C = *E.Curve;
  return "'" + P.Name + "' has no time on " + P.GpuName +
         (P.WhatIf.empty() ? "" : " with " + join(P.WhatIf, ", ")) +
         " without " + (sizeIsCount(C) ? "the number of " : "") + C.Unknown +
         "; " + pointsText(C) + "; settle with " + C.Settle;
}

/// "6.18 us for each 1 M of n", for the least power of 1024 that takes a tenth
/// of a microsecond.
static std::string timePerUnit(const SizeCurve &C) {
  constexpr double Step = 1024;
  const Seconds Least(1e-7);
  double Unit = sizeIsCount(C) ? Step : 1;
  while (C.FarEnd->PerUnit * Unit < Least && Unit < C.last().Value)
    Unit *= Step;
  return formatTime(C.FarEnd->PerUnit * Unit) + " for each " +
         (Unit > 1 ? formatSize(Unit) : "unit") +
         (sizeIsCount(C) ? " " : " of ") + C.Unknown;
}

/// "2.4 us + 5.9 ps * n"
static std::string formulaText(const SizeCurve &C) {
  std::string Fixed =
      C.FarEnd->Fixed > Seconds() ? formatTime(C.FarEnd->Fixed) + " + " : "";
  return Fixed + formatTime(C.FarEnd->PerUnit) + " * " +
         (sizeIsCount(C) ? "number of " : "") + C.Unknown;
}

/// What makes a wide interval wide: "trip count of the loop at a.cu:9 (settle
/// with ..., or 'gpu-estimate run')".
static std::string widestCause(const Prediction &P) {
  if (P.Assumptions.empty() || P.Assumptions.front().Share <= 0)
    return "the error of the model";
  return P.Assumptions.front().What + " (settle with " +
         P.Assumptions.front().Settle + ", or 'gpu-estimate run')";
}

std::vector<std::string> curveFacts(const ExplainedPrediction &E) {
  const SizeCurve &C = *E.Curve;
  std::vector<std::string> Facts;
  if (C.FarEnd)
    Facts.push_back(timePerUnit(C) + " at the far end: " + formulaText(C));
  else if (C.Exponent && std::fabs(*C.Exponent) >= 0.05)
    Facts.push_back("grows as " + C.Unknown + "^" + formatRatio(*C.Exponent) +
                    " at the far end");
  if (C.Crossover)
    Facts.push_back("launch and latency decide below about " +
                    sizeText(C, *C.Crossover) + ", throughput above");
  std::string Others;
  for (const SizeCurve::Other &Each : C.Others)
    Others += (Others.empty() ? "" : ", ") + otherText(Each);
  if (!Others.empty())
    Facts.push_back("not known either, and in the table: " + Others);
  if (any_of(C.Points, [](const SizeCurve::Point &P) {
        return P.Interval && P.Interval->ratio() > WideInterval;
      }))
    Facts.push_back("intervals are wide, depending on " +
                    widestCause(E.Estimate));
  return Facts;
}

static void printCurve(raw_ostream &OS, const ExplainedPrediction &E) {
  const SizeCurve &C = *E.Curve;
  OS << "  time over " << C.Unknown << ": " << C.Why << '\n';
  Table T({Align::Right, Align::Right, Align::Right, Align::Left, Align::Left});
  T.row({C.Unknown, "time", "interval", "bound", "launch"});
  for (const SizeCurve::Point &P : C.Points)
    T.row({formatSize(P.Value), formatTime(P.Time), intervalText(P),
           P.Bottleneck,
           "grid " + formatSizes(P.Grid) + ", block " + formatSizes(P.Block)});
  T.print(OS, 4);
  for (const std::string &Fact : curveFacts(E))
    OS << "    " << Fact << '\n';
  OS << "    settle with " << C.Settle << '\n';
  if (!C.Annotation.empty())
    OS << "      or above the kernel with " << C.Annotation << '\n';
  OS << "\n  at " << sizeText(C, C.last().Value)
     << ", the last row, all that follows\n";
}

std::string bottomLine(const Analysis &A, const ExplainedPrediction &E) {
  const Prediction &P = E.Estimate;
  if (E.Curve)
    return curveLine(E);
  std::string On = " on " + P.GpuName +
                   (P.WhatIf.empty() ? "" : " with " + join(P.WhatIf, ", "));
  std::string Text = "'" + P.Name + "' takes ";
  if (P.Interval && P.Interval->ratio() > WideInterval) {
    Text += intervalText(P) + On + ", depending on " + widestCause(P) + "; " +
            formatTime(P.Time) + " as assumed";
  } else {
    Text += formatTime(P.Time) +
            (P.Interval ? " (" + intervalText(P) + ")" : "") + On;
  }
  return Text + ", bound by " + P.Bottleneck + " (grid " +
         formatSizes(P.Used.Grid) + ", block " + formatSizes(P.Used.Block) +
         distinction(A, P) + " from " + P.Used.Source + ")";
}

static void label(raw_ostream &OS, StringRef Name) {
  OS << "  " << left_justify(Name, 13) << ' ';
}

/// "42.1% dram, 20% idle": the components with the most energy.
static std::string largestEnergies(const PowerEstimate &P) {
  constexpr size_t MaxParts = 4;
  std::string Text;
  for (const auto &[Component, Fraction] :
       ArrayRef(P.Breakdown).take_front(MaxParts))
    Text +=
        (Text.empty() ? "" : ", ") + Component + " " + formatPercent(Fraction);
  return Text;
}

std::string powerText(const PowerEstimate &P) {
  if (!P.Board)
    return P.Missing.empty() ? "" : "not known: " + P.Missing;
  return "at " + formatPower(*P.Board) +
         (P.Limit ? " of " + formatPower(*P.Limit) : "") + ": " +
         formatEnergy(P.Energy) + "; " + largestEnergies(P);
}

std::string throttledText(const PowerEstimate &P) {
  if (!P.Throttled)
    return "";
  return "the limit lowers the core clock to " +
         formatFrequency(P.Throttled->Clock) + ": " +
         formatTime(P.Throttled->Time) + ", " +
         formatEnergy(P.Throttled->Energy);
}

static void printPower(raw_ostream &OS, const PowerEstimate &P) {
  for (const auto &[Name, Text] : {std::pair("power", powerText(P)),
                                   std::pair("throttled", throttledText(P))})
    if (!Text.empty()) {
      label(OS, Name);
      OS << Text << '\n';
    }
}

/// The interval, and what makes it.
static void printInterval(raw_ostream &OS, const Prediction &P) {
  if (!P.Interval)
    return;
  label(OS, "interval");
  auto Factors = [](const TimeFactors &F) {
    return "-" + formatPercent(1 - F.Low) + " +" + formatPercent(F.High - 1);
  };
  OS << intervalText(P) << " with probability "
     << formatPercent(P.Interval->Level) << "; model "
     << Factors(P.Interval->Model);
  if (P.Interval->Inputs.High > P.Interval->Inputs.Low)
    OS << ", assumptions " << Factors(P.Interval->Inputs);
  OS << '\n';
}

/// What a file tells of the launch, and the time that follows from it.
static void printRecorded(raw_ostream &OS, const ExplainedPrediction &E) {
  const Prediction &P = E.Estimate;
  if (!E.Recorded)
    return;
  const RecordedTime &R = *E.Recorded;
  label(OS, "recorded");
  OS << formatCount(R.Launches) << (R.Launches == 1 ? " launch" : " launches");
  if (R.Time)
    OS << (R.Launches == 1 ? " of " : " of on average ") << formatTime(*R.Time)
       << " on " << (R.Gpu.empty() ? "a card that is not named" : R.GpuName);
  if (R.Time && R.Gpu == P.Gpu && !E.Curve)
    OS << "; predicted " << formatRatio(P.Time / *R.Time) << " times that";
  if (R.Place.isValid())
    OS << " (" << R.Place.brief() << ")";
  OS << '\n';
  if (!E.Transferred)
    return;
  const TransferredTime &T = *E.Transferred;
  label(OS, "transferred");
  OS << formatTime(T.Time);
  if (T.Error)
    OS << " (" << formatTimeRange(T.Time * T.Error->Low, T.Time * T.Error->High)
       << ")";
  OS << " = the measured time times " << formatRatio(T.Time / *R.Time)
     << ", the predicted ratio to " << R.GpuName << ", where it is bound by "
     << T.Bottleneck << '\n';
}

/// All launches of a file on one GPU, line by line.
static void printTotal(raw_ostream &OS, const RecordedTotal &Total) {
  constexpr size_t MaxRows = 40;
  OS << "launches of the file on " << Total.GpuName;
  if (!Total.MeasuredOn.empty())
    OS << ", measured on " << Total.MeasuredOn;
  OS << '\n';
  auto Optional = [](std::optional<Seconds> Time) {
    return Time ? formatTime(*Time) : std::string("-");
  };
  bool IsTransfer = any_of(
      Total.Rows, [](const auto *E) { return E->Transferred.has_value(); });
  Table T({Align::Right, Align::Left, Align::Left, Align::Right, Align::Right,
           Align::Right, Align::Left});
  T.row({"launches", "kernel", "grid, block", "measured", "predicted",
         IsTransfer ? "transferred" : "", "bound"});
  for (const ExplainedPrediction *E : ArrayRef(Total.Rows).take_front(MaxRows))
    T.row({formatCount(E->Recorded->Launches) + " x", E->Estimate.Name,
           formatSizes(E->Estimate.Used.Grid) + ", " +
               formatSizes(E->Estimate.Used.Block),
           Optional(E->Recorded->Time), formatTime(E->Estimate.Time),
           E->Transferred ? formatTime(E->Transferred->Time) : "",
           E->Estimate.Bottleneck});
  T.row({formatCount(Total.Launches) + " x", "all", "",
         Optional(Total.Measured), formatTime(Total.Predicted),
         IsTransfer ? Optional(Total.Transferred) : "", ""});
  T.print(OS, 2);
  if (Total.Rows.size() > MaxRows)
    OS << "  and " << Total.Rows.size() - MaxRows << " shorter ones\n";
}

static void printSituation(raw_ostream &OS, const ExplainedPrediction &E,
                           std::optional<DeviceCompiler> Compiler) {
  const Prediction &P = E.Estimate;
  if (!E.Curve)
    printInterval(OS, P);
  label(OS, "kernel");
  OS << (P.Location.isValid() ? P.Location.brief() : P.Kernel) << '\n';
  label(OS, "gpu");
  OS << P.GpuName << " (" << P.Gpu << "), model " << P.Model << ", caches "
     << P.Caches << '\n';
  if (!P.WhatIf.empty()) {
    label(OS, "what if");
    OS << join(P.WhatIf, ", ") << '\n';
  }
  label(OS, "launch");
  OS << "grid " << formatSizes(P.Used.Grid) << ", block "
     << formatSizes(P.Used.Block) << ", " << P.Used.DynamicSharedBytes
     << " bytes of dynamic shared memory; "
     << (E.Curve ? "of the last row" : launchSource(P.Used)) << '\n';
  if (!P.Arguments.empty()) {
    label(OS, "arguments");
    ListSeparator Comma;
    for (const auto &[Name, Value] : P.Arguments)
      OS << Comma << Name << " = " << formatNumber(Value);
    OS << '\n';
  }
  for (const SharedBuffer &Buffer : P.SharedBuffers) {
    label(OS, "one buffer");
    ListSeparator Comma;
    for (const auto &[Name, Bytes] : Buffer.Pointers) {
      OS << Comma << Name;
      if (Bytes != 0)
        OS << (Bytes > 0 ? " +" : " ") << formatNumber(Bytes) << " bytes";
    }
    OS << (Buffer.Source == "param" ? "; as --param says"
                                    : "; as host code passes them")
       << '\n';
  }
  if (!E.Curve) {
    label(OS, "time");
    OS << formatTime(P.Time) << " = " << formatTime(P.LaunchOverhead)
       << " launch + " << formatTime(P.Execution) << " execution, bound by "
       << describeBottleneck(P.Bottleneck) << '\n';
    printPower(OS, P.Power);
  }
  printRecorded(OS, E);
  label(OS, "occupancy");
  OS << P.Occ.BlocksPerSm << " blocks, " << P.Occ.WarpsPerSm
     << P.Terms.reword(" warps per multiprocessor = ")
     << formatPercent(P.Occ.Fraction) << ", limited by "
     << P.Terms.reword(P.Occ.LimitedBy) << "; " << format("%.2f", P.Occ.Waves)
     << " waves\n";
  label(OS, "resources");
  OS << P.RegistersPerThread << P.Terms.reword(" registers per thread (")
     << P.RegistersSource << "), " << P.SharedBytesPerBlock
     << P.Terms.reword(" bytes of shared memory per block");
  if (Compiler)
    OS << "; as " << name(*Compiler) << " compiles it";
  OS << '\n';
  if (P.Code) {
    label(OS, "machine code");
    OS << describeCode(*P.Code) << '\n';
    if (std::string Of = describeInstructions(*P.Code); !Of.empty()) {
      label(OS, "instructions");
      OS << Of << '\n';
    }
  }
}

static void printBreakdown(raw_ostream &OS, const Prediction &P) {
  if (P.Breakdown.empty())
    return;
  OS << P.Terms.reword(
      "\n  where the time goes (CPI: cycles of a warp for each "
      "instruction)\n");
  Table T({Align::Left, Align::Right, Align::Right, Align::Right, Align::Left});
  for (const auto &[Component, Fraction] : P.Breakdown)
    if (Fraction >= 0.0005)
      T.row({Component, formatPercent(Fraction), formatTime(P.Time * Fraction),
             P.WarpCyclesPerInstruction > 0
                 ? formatRatio(Fraction * P.WarpCyclesPerInstruction) + " CPI"
                 : "",
             std::string(static_cast<size_t>(Fraction * 40 + 0.5), '#')});
  T.print(OS, 4);
}

/// "shared 25%, issue 14.6%"
static std::string
largestParts(ArrayRef<std::pair<std::string, double>> Parts) {
  constexpr size_t MaxParts = 3;
  std::string Text;
  for (const auto &[Component, Fraction] : Parts.take_front(MaxParts))
    if (Fraction >= 0.0005)
      Text += (Text.empty() ? "" : ", ") + Component + " " +
              formatPercent(Fraction);
  return Text;
}

static void printLines(raw_ostream &OS, const Prediction &P) {
  constexpr size_t MaxLines = 5;
  constexpr double Least = 0.01;
  if (P.Lines.empty())
    return;
  OS << "\n  lines that cost the most time\n";
  bool WithEnergy = P.Power.Board.has_value();
  Table T(WithEnergy ? std::vector{Align::Left, Align::Right, Align::Right,
                                   Align::Left}
                     : std::vector{Align::Left, Align::Right, Align::Left});
  auto Row = [&](std::string Where, double Share, std::string Energy,
                 std::string Parts) {
    std::vector<std::string> Cells = {std::move(Where), formatPercent(Share)};
    if (WithEnergy)
      Cells.push_back(std::move(Energy));
    Cells.push_back(std::move(Parts));
    T.row(std::move(Cells));
  };
  for (const LineCost &Line : ArrayRef(P.Lines).take_front(MaxLines))
    if (Line.Share >= Least)
      Row(Line.Where.brief(), Line.Share,
          formatEnergy(P.Power.Energy * Line.EnergyShare),
          largestParts(Line.Parts));
  double OffLineShare = 0;
  for (const auto &[Component, Fraction] : P.OffLine)
    OffLineShare += Fraction;
  if (OffLineShare >= Least)
    Row("no line", OffLineShare, "", largestParts(P.OffLine));
  T.print(OS, 4);
}

static void printIntermediates(raw_ostream &OS, const Prediction &P) {
  if (P.Intermediates.empty())
    return;
  OS << "\n  quantities of the model\n";
  Table T({Align::Left, Align::Right});
  for (const auto &[Name, Value] : P.Intermediates)
    T.row({Name, formatNumber(Value)});
  T.print(OS, 4);
}

static void printBounds(raw_ostream &OS, const Prediction &P) {
  if (P.Bounds.empty())
    return;
  OS << "\n  bounds: cycles of each limit alone\n";
  Table T({Align::Left, Align::Right});
  for (const Bound &B : P.Bounds)
    if (B.Time.value() > 0)
      T.row({B.Name, formatCount(B.Time.value())});
  T.print(OS, 4);
}

/// "3 Gflop", "512 flop".
static std::string withUnit(double Count, StringRef Unit) {
  std::string Text = formatCount(Count);
  return Text + (isDigit(Text.back()) ? " " : "") + Unit.str();
}

static StringRef levelName(StringRef Level) {
  return StringSwitch<StringRef>(Level)
      .Case("shared", "shared latency")
      .Case("l1", "L1 latency")
      .Case("l2", "L2 latency")
      .Case("l3", "L3 latency")
      .Default("DRAM latency");
}

/// ", raised in 6 iterations"
static std::string iterations(const LevelLatency &L) {
  if (!L.Converged)
    return ", no latency carries its bytes";
  if (L.Iterations == 0)
    return "";
  return ", raised in " + std::to_string(L.Iterations) +
         (L.Iterations == 1 ? " iteration" : " iterations");
}

static void printWork(raw_ostream &OS, const Prediction &P) {
  const Counts &C = P.Count;
  OS << "\n  work of the launch\n";
  Table T({Align::Left, Align::Right, Align::Left});
  T.row({P.Terms.reword("warp instructions"), formatCount(C.WarpInstructions),
         ""});
  auto Flop = [&](StringRef Name, double Count) {
    if (Count > 0)
      T.row({Name.str(), withUnit(Count, "flop"),
             withUnit(Count / P.Time.value(), "flop/s")});
  };
  Flop("fp16", C.FlopFp16);
  Flop("fp32", C.FlopFp32);
  Flop("fp64", C.FlopFp64);
  auto Requests = [&](StringRef Name, double Requests, double Sectors) {
    if (Requests > 0)
      T.row({Name.str(), formatCount(Requests) + " requests",
             formatCount(Sectors) + " sectors"});
  };
  Requests("global loads", C.GlobalLoadRequests, C.GlobalLoadSectors);
  Requests("global stores", C.GlobalStoreRequests, C.GlobalStoreSectors);
  if (C.SharedWavefronts > 0)
    T.row({P.Terms.reword("shared memory"),
           formatCount(C.SharedWavefronts) + " passes", ""});
  if (C.Barriers > 0)
    T.row({"barriers", formatCount(C.Barriers) + P.Terms.reword(" by warps"),
           ""});
  auto Moved = [&](StringRef Name, Bytes Amount) {
    BytesPerSecond Rate(Amount.value() / P.Time.value());
    T.row({Name.str(), formatBytes(Amount), formatRate(Rate)});
  };
  Moved("L1 <-> L2", Bytes(C.L2Bytes));
  Moved("L2 <-> DRAM", Bytes(C.DramBytes));
  for (const LevelLatency &L : P.Latencies)
    T.row({levelName(L.Level).str(), formatCycles(L.Loaded),
           "idle " + formatCycles(L.Idle) + iterations(L)});
  T.print(OS, 4);
}

static void printAccesses(raw_ostream &OS, const Prediction &P) {
  if (P.Accesses.empty())
    return;
  OS << P.Terms.reword("\n  memory accesses (sectors or passes of one warp "
                       "request; L1 hits ")
     << formatPercent(P.L1HitRate) << ", L2 hits " << formatPercent(P.L2HitRate)
     << ")\n";
  // Strides for plain C, sectors for CUDA.
  bool Nest = !P.HostFunction.empty();
  Table T({Align::Left, Align::Left, Align::Right, Align::Right, Align::Right,
           Align::Right, Align::Right, Align::Right, Align::Right,
           Align::Left});
  T.row({"line", "access", "requests", "per request", "ideal", "L1 hit",
         "L2 hit", "DRAM read", "written", Nest ? "class" : ""});
  std::vector<AccessReport> Merged = mergeAccesses(P.Accesses);
  for (const AccessReport &A : Merged) {
    bool Shared = A.Space == "shared" || A.Space == "constant";
    std::string Name = A.Space + " " + A.Kind + " " +
                       (A.Base.empty() ? "(unknown)" : A.Base) +
                       (A.DataDependent ? " *" : "");
    T.row({A.Location.brief(), Name, formatCount(A.Requests),
           formatRatio(Shared ? A.PassesPerRequest : A.SectorsPerRequest),
           formatRatio(Shared ? neededPasses(A) : A.IdealSectorsPerRequest),
           Shared ? "-" : formatPercent(A.L1Hit),
           Shared ? "-" : formatPercent(A.L2Hit),
           Shared ? "-" : formatBytes(Bytes(A.DramReadBytes)),
           Shared ? "-" : formatBytes(Bytes(A.DramWriteBytes)),
           Nest ? A.StrideClass : ""});
  }
  T.print(OS, 4);
  if (any_of(P.Accesses, [](const AccessReport &A) { return A.DataDependent; }))
    OS << "    * the address depends on loaded data\n";
}

std::string assumed(const AssumptionGroup &G) {
  std::string Text = G.Shown.What;
  // Loaded values are random for each lane, so there is no number to show.
  if (!StringRef(Text).starts_with("value "))
    Text += " = " + formatNumber(G.Shown.Value);
  if (G.Count > 1)
    Text += " (" + std::to_string(G.Count) + " copies)";
  return Text;
}

/// "; between 0 and 1 it makes 40 % of the interval".
static std::string rangeText(const AssumptionGroup &G) {
  const Assumption &A = G.Shown;
  if (A.Share < 0.005)
    return "";
  std::string Text = A.Low < A.High ? "between " + formatNumber(A.Low) +
                                          " and " + formatNumber(A.High)
                                    : "from in order to all the same";
  return "; " + Text + ": " + formatPercent(A.Share) +
         " of the interval's variance";
}

static void printAssumptions(raw_ostream &OS, const Prediction &P) {
  if (P.Assumptions.empty())
    return;
  OS << "\n  assumptions (10 % more of it makes the time ... longer)\n";
  for (const AssumptionGroup &G : groupAssumptions(P.Assumptions)) {
    const Assumption &A = G.Shown;
    OS << "    " << P.Terms.reword(assumed(G) + ": " + A.Why);
    // A relative change needs a time to refer to.
    if (A.Value != 0)
      OS << format(" (%+.1f %%)", A.Sensitivity * 10);
    OS << rangeText(G) << '\n';
    if (!A.Settle.empty())
      OS << "      settle with " << A.Settle << '\n';
  }
}

std::string foundElsewhere(const ExplainedPrediction &E) {
  std::string Text = "see the launch with grid " +
                     formatSizes(E.FoundAt->Used.Grid) + ", block " +
                     formatSizes(E.FoundAt->Used.Block);
  for (const auto &Argument : E.FoundAt->Arguments)
    if (!is_contained(E.Estimate.Arguments, Argument))
      Text += ", " + Argument.first + " = " + formatNumber(Argument.second);
  return Text + ": the loop around it spends more time there";
}

static void printAdvice(raw_ostream &OS, const ExplainedPrediction &E) {
  std::vector<const Finding *> Advice = E.advice();
  if (Advice.empty() && !E.FoundAt)
    return;
  OS << "\n  advice: predicted gain of each change\n";
  if (E.FoundAt)
    OS << "    " << foundElsewhere(E) << '\n';
  for (const Finding *F : Advice)
    OS << "    " << formatPercent(*F->Gain) << " less time"
       << (F->EnergyGain
               ? ", " + formatPercent(std::fabs(*F->EnergyGain)) +
                     (*F->EnergyGain < 0 ? " more" : " less") + " energy"
               : "")
       << ": " << (F->Location.isValid() ? F->Location.brief() + ": " : "")
       << F->Remedy << '\n';
}

/// "; dram has grown by 0.4 ms since it was kept": the term with the largest
/// increase.
static std::string grownTerm(const BudgetCheck &C) {
  std::string Grown;
  Seconds LargestIncrease, Before;
  for (const auto &[Term, Time] : C.Terms) {
    auto Then = find_if(C.Kept, [&, &Term = Term](const auto &Kept) {
      return Kept.first == Term;
    });
    Seconds Was = Then == C.Kept.end() ? Seconds() : Then->second;
    if (Time - Was <= LargestIncrease)
      continue;
    LargestIncrease = Time - Was;
    Before = Was;
    Grown = Term;
  }
  return Grown.empty()
             ? ""
             : "; since it was kept, " + Grown + " has grown from " +
                   formatTime(Before) + " by " + formatTime(LargestIncrease);
}

std::string budgetLine(const BudgetCheck &C) {
  std::string Budget =
      "budget of " + formatTime(C.Limit) + " (from " + C.Source + ")";
  if (!C.CannotTell.empty())
    return "whether '" + C.Name + "' keeps its " + Budget + " on " + C.GpuName +
           " cannot be told: " + C.CannotTell;
  if (!C.Time)
    return "the " + Budget + " of '" + C.Name + "' on " + C.GpuName +
           " is not checked: there is no estimate";
  if (!C.exceeded())
    return "";
  std::string Text = "'" + C.Name + "' takes ";
  if (*C.Time > C.Limit)
    Text += formatTime(*C.Time) + " on " + C.GpuName + ", " +
            formatPercent(*C.Time / C.Limit - 1) + " over its " + Budget;
  else if (C.Interval)
    Text += formatTime(*C.Time) + " to " + formatTime(C.Interval->second) +
            " on " + C.GpuName + ", up to " +
            formatPercent(C.Interval->second / C.Limit - 1) + " over its " +
            Budget;
  else
    Text += formatTime(*C.Time) + " on " + C.GpuName +
            ", but has no interval, so that it may be over its " + Budget;
  // The terms that are at least a tenth of the time, at most three.
  StringRef Separator = ": ";
  for (const auto &[Term, Time] : ArrayRef(C.Terms).take_front(3))
    if (Time >= *C.Time * 0.1) {
      Text += Separator.str() + Term + " " + formatTime(Time);
      Separator = ", ";
    }
  return C.Kept.empty() ? Text : Text + grownTerm(C);
}

/// Launches of a file that have a report of their own beside their row in the
/// table: the longest.
static constexpr size_t MaxRecordedReports = 10;

static bool hasReport(ArrayRef<RecordedTotal> Totals,
                      const ExplainedPrediction &E) {
  return all_of(Totals, [&](const RecordedTotal &Total) {
    auto At = find(Total.Rows, &E);
    return At == Total.Rows.end() ||
           At - Total.Rows.begin() < ptrdiff_t(MaxRecordedReports);
  });
}

void printText(raw_ostream &OS, const Analysis &A, const TextOptions &Options) {
  ListSeparator Blank("\n");
  std::vector<RecordedTotal> Recorded = recordedTotals(A);
  for (const ExplainedPrediction &E : A.Estimates) {
    const Prediction &P = E.Estimate;
    if (!hasReport(Recorded, E))
      continue;
    OS << StringRef(Blank) << bottomLine(A, E) << "\n\n";
    if (E.Curve)
      printCurve(OS, E);
    printSituation(OS, E, A.Compiler);
    printBreakdown(OS, P);
    printLines(OS, P);
    printIntermediates(OS, P);
    printBounds(OS, P);
    printWork(OS, P);
    printAccesses(OS, P);
    if (Options.Assumptions) {
      printAssumptions(OS, P);
      printPremises(OS, P);
    }
    printAdvice(OS, E);
    for (const TargetComparison &C : E.Against)
      printTargetComparison(OS, P, C);
    if (Options.Formulas) {
      OS << "\n  formulas of one thread (the kernel model of Kleimenov & "
            "Popova "
            "2021)\n";
      printFormulas(OS, P.Formulas);
    }
  }
  for (const FunctionTotal &F : functionTotals(A)) {
    OS << StringRef(Blank) << totalLine(F) << '\n';
    printParts(OS, F.Parts);
  }
  for (const RecordedTotal &Total : Recorded) {
    OS << StringRef(Blank);
    printTotal(OS, Total);
  }
  for (const SequenceTotal &S : A.SequenceTotals) {
    OS << StringRef(Blank);
    printTotal(OS, S, Options.Assumptions);
  }
  for (const BudgetCheck &C : A.Budgets)
    if (std::string Line = budgetLine(C); !Line.empty())
      OS << StringRef(Blank) << "warning: " << Line << '\n';
  for (const Unresolved &U : A.Unresolveds)
    OS << StringRef(Blank) << "no estimate for '" << U.Name << "' ("
       << U.Location.brief() << "): " << U.Reason << '\n';
}

} // namespace gpuestimate
