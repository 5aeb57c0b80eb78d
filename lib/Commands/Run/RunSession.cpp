#include "RunSession.h"

#include "LibraryPredictor.h"
#include "gpu-estimate/Run/Channel.h"
#include "gpu-estimate/Support/Format.h"
#include "gpu-estimate/Support/Invariants.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace gpuestimate {

RunSession::RunSession(const Setup &S, KeptParts Kept)
    : S(S), Kept(Kept), Predictor(S) {
  for (const GpuModel &Gpu : S.Gpus)
    Gpus.emplace_back(Gpu);
}

static std::string sizes(const std::array<uint64_t, 3> &Of) {
  return std::to_string(Of[0]) + "," + std::to_string(Of[1]) + "," +
         std::to_string(Of[2]);
}

std::string RunSession::describe(const RunFault &Fault) const {
  const KernelSource *Source = Predictor.source(Fault.Kernel);
  std::string Text =
      Fault.What + " in '" +
      (Source ? Source->Name : Predictor.mangled(Fault.Kernel).str()) +
      "', block (" + sizes(Fault.Block) + "), thread (" + sizes(Fault.Thread) +
      ")";
  if (Fault.Line)
    Text += ", at " + Fault.File + ":" + std::to_string(Fault.Line);
  if (!Fault.Buffer.empty())
    Text += ": " + Fault.Buffer;
  return Text;
}

/// Keeps why a launch has no results, once for each kernel and reason.
void RunSession::noteProblem(const RunLaunch &L) {
  if (!L.Problem)
    return;
  const KernelSource *Source = Predictor.source(L.Kernel);
  std::string Text =
      "'" + (Source ? Source->Name : Predictor.mangled(L.Kernel).str()) +
      "' does not execute: " + *L.Problem;
  if (!is_contained(Unexecuted, Text))
    Unexecuted.push_back(std::move(Text));
}

/// The estimate of launches that cannot be predicted: they take no time, and
/// the report says so.
size_t RunSession::unpredicted(OnGpu &On, const RunLaunch &L,
                               std::string Reason) {
  auto [Entry, IsNew] = On.Unpredicted.try_emplace(L.Kernel, 0);
  if (!IsNew)
    return Entry->second;
  Entry->second = On.Estimates.size();
  RunEstimate &E = On.Estimates.emplace_back();
  E.Kernel = Predictor.mangled(L.Kernel).str();
  const KernelSource *Source = Predictor.source(L.Kernel);
  E.Name = Source ? Source->Name : E.Kernel;
  E.Assumptions.push_back("takes no time, because it has no prediction: " +
                          Reason);
  Notices.push_back("'" + E.Name +
                    "' has no prediction and takes no time: " + Reason);
  return Entry->second;
}

/// "16777216", "0.1"
static std::string exactNumber(double Value) {
  std::string Text;
  raw_string_ostream(Text) << format("%.15g", Value);
  return Text;
}

static RunEstimate estimateOf(const LaunchForecast &Forecast) {
  const Prediction &P = Forecast.Predicted;
  RunEstimate E;
  E.Kernel = P.Kernel;
  E.Name = P.Name;
  E.Bottleneck = P.Bottleneck;
  for (const auto &[Name, Value] : P.Arguments)
    E.Arguments.push_back({Name, exactNumber(Value)});
  E.Ns = P.Time.value() * 1e9;
  if (P.Interval) {
    TimeFactors Range = P.Interval->total();
    E.IntervalNs = {E.Ns * Range.Low, E.Ns * Range.High};
  }
  E.Breakdown = P.Breakdown;
  E.WarpCyclesPerInstruction = P.WarpCyclesPerInstruction;
  for (const SettledValue &V : Forecast.FromData)
    E.FromData.push_back(
        V.What + (V.Value ? " = " + formatCount(*V.Value) + " (" +
                                formatCount(*V.Without) + " without data)"
                          : ""));
  for (const Assumption &A : P.Assumptions)
    if (none_of(Forecast.FromData,
                [&](const SettledValue &V) { return V.What == A.What; }))
      E.Assumptions.push_back(A.What + " = " + formatCount(A.Value) + " (" +
                              A.Why + ")");
  append_range(E.Assumptions, P.Premises);
  return E;
}

LaunchCost RunSession::price(const RunLaunch &L, size_t Gpu) {
  OnGpu &On = Gpus[Gpu];
  size_t Record = Records.size() - 1;
  Expected<const LaunchForecast *> Forecast = Predictor.predict(L, Gpu);
  if (!Forecast) {
    On.EstimateOf[Record] = unpredicted(On, L, toString(Forecast.takeError()));
    return {0, 1};
  }
  const Prediction &P = (*Forecast)->Predicted;
  auto [Entry, IsNew] =
      On.ByForecast.try_emplace((*Forecast)->Number, On.Estimates.size());
  if (IsNew) {
    On.Estimates.push_back(estimateOf(**Forecast));
    if (Kept == AllPredictions)
      On.Predictions.push_back(**Forecast);
  }
  On.EstimateOf[Record] = Entry->second;
  return launchCost(P, S.Gpus[Gpu]);
}

std::optional<LaunchCost> RunSession::price(const RunLibraryCall &L,
                                            size_t Gpu) {
  OnGpu &On = Gpus[Gpu];
  Expected<LibraryKernelTime> Time = libraryTime(S.Gpus[Gpu], L);
  if (!Time) {
    std::string Reason = toString(Time.takeError());
    if (!is_contained(Notices, Reason))
      Notices.push_back(Reason);
    return std::nullopt;
  }
  constexpr double NsPerSecond = 1e9;
  std::string Key =
      L.Name + " " + L.Operands + " " + L.Results + " " + L.Compute;
  for (const auto &[Name, Value] : L.Sizes)
    Key += " " + Name + "=" + exactNumber(Value);
  auto [Entry, IsNew] = On.Library.try_emplace(Key, On.Estimates.size());
  if (IsNew) {
    RunEstimate &E = On.Estimates.emplace_back();
    E.Kernel = E.Name = L.Name;
    E.Bottleneck = name(Time->Bound).str();
    E.Ns = Time->Time.value() * NsPerSecond;
    for (const auto &[Component, Fraction] : Time->Breakdown)
      E.Breakdown.push_back({name(Component).str(), Fraction});
    E.Assumptions.push_back("the library's kernels are not executed; taken to "
                            "be " +
                            Time->Shape + ", at the rated clock");
    for (const auto &[Name, Value] : L.Sizes)
      E.Arguments.push_back({Name, exactNumber(Value)});
  }
  On.EstimateOf[Records.size() - 1] = Entry->second;
  return LaunchCost{Time->Time.value() * NsPerSecond, Time->Share};
}

/// Frees what finish() does not need: a program can launch kernels for hours.
void RunSession::shrink(RunRecord &R) const {
  if (auto *M = std::get_if<RunModule>(&R.What)) {
    M->Bitcode = std::string();
  } else if (auto *L = std::get_if<RunLaunch>(&R.What)) {
    L->Trace.reset();
    std::string Pointers = Predictor.pointersIn(*L);
    L->Arguments = {};
    if (!Pointers.empty())
      L->Arguments.push_back(std::move(Pointers));
  }
}

Expected<RunReply> RunSession::take(RunRecord &&Taken) {
  if (Error E = Predictor.take(Taken)) {
    // The program goes on; its launches then have no prediction.
    if (!std::holds_alternative<RunModule>(Taken.What))
      return std::move(E);
    Notices.push_back("a module of the program cannot be read: " +
                      toString(std::move(E)));
  }
  RunRecord &R = Records.emplace_back(std::move(Taken));
  auto *Launch = std::get_if<RunLaunch>(&R.What);
  const auto *Library = std::get_if<RunLibraryCall>(&R.What);
  if (const auto *Fault = std::get_if<RunFault>(&R.What))
    Faults.push_back(describe(*Fault));
  else if (const auto *Said = std::get_if<RunNotice>(&R.What))
    Notices.push_back(Said->Text);
  else if (const auto *Exit = std::get_if<RunExit>(&R.What))
    ExitStatus = Exit->Status & 0xff; // as a parent process sees it
  if (Launch)
    noteProblem(*Launch);
  RunReply Reply;
  for (size_t Gpu = 0; Gpu < Gpus.size(); ++Gpu) {
    std::optional<LaunchCost> &Cost = Gpus[Gpu].Prices.emplace_back();
    if (Launch)
      Cost = price(*Launch, Gpu);
    else if (Library)
      Cost = price(*Library, Gpu);
    RunReply Here = Gpus[Gpu].Schedule.add(R, Cost ? &*Cost : nullptr);
    if (Gpu == 0)
      Reply = Here;
  }
  if (const auto *Kernel = std::get_if<RunKernel>(&R.What)) {
    Reply.WantsTraces = Predictor.wantsTraces(Kernel->Kernel);
    Reply.Registers = Predictor.registers(Kernel->Kernel);
  }
  if (Kept != SavedRecords)
    shrink(R);
  return Reply;
}

std::vector<LaunchForecast> RunSession::predictions() const {
  std::vector<LaunchForecast> All;
  for (const OnGpu &On : Gpus)
    append_range(All, On.Predictions);
  return All;
}

std::vector<RunReport> RunSession::finish() {
  std::vector<const RunRecord *> Pointers;
  for (const RunRecord &R : Records)
    Pointers.push_back(&R);
  for (const Notice &N : Predictor.notices())
    Notices.push_back((N.Location.isValid() ? N.Location.brief() + ": " : "") +
                      N.Text);
  std::vector<RunReport> Reports;
  for (size_t Gpu = 0; Gpu < Gpus.size(); ++Gpu) {
    OnGpu &On = Gpus[Gpu];
    RunReport Report =
        makeRunReport(On.Schedule.finish(), Pointers,
                      [&](size_t Record) { return On.EstimateOf[Record]; });
    Report.Gpu = S.Gpus[Gpu].Id;
    Report.GpuName = S.Gpus[Gpu].Name;
    Report.ExitStatus = ExitStatus;
    Report.Estimates = std::move(On.Estimates);
    std::vector<PricedRecord> Priced;
    for (auto [Record, Cost] : zip(Pointers, On.Prices))
      Priced.push_back({Record, Cost});
    Report.Suggestions = suggest(On.Costs, Priced, Report.Totals);
    Report.Unexecuted = Unexecuted;
    Report.Faults = Faults;
    Report.Notices = Notices;
    atBorder("report of a run", [&] { return checkReport(Report); });
    Reports.push_back(std::move(Report));
  }
  return Reports;
}

} // namespace gpuestimate
