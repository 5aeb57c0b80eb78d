/// \file
/// `gpu-estimate tune`: every set of macros is compiled once for each
/// architecture, and its launches are evaluated in slices, all at the same
/// time.
#include "gpu-estimate/Commands/Tune/Tune.h"

#include "TuneScreen.h"
#include "gpu-estimate/Session/Pipeline/KernelLookup.h"
#include "gpu-estimate/Session/Pipeline/KernelPipeline.h"
#include "gpu-estimate/Session/Pipeline/OutputFiles.h"
#include "gpu-estimate/Session/Pipeline/ParseRequests.h"
#include "gpu-estimate/Session/Pipeline/ProgressLine.h"

#include "gpu-estimate/Advice/Tuning.h"
#include "gpu-estimate/Model/Result/Notices.h"
#include "gpu-estimate/Report/Text/Tuning.h"
#include "gpu-estimate/Session/Settings/KernelFilter.h"
#include "gpu-estimate/Session/Settings/ParseValue.h"
#include "gpu-estimate/Support/CrashGuard.h"
#include "gpu-estimate/Support/Invariants.h"
#include "gpu-estimate/Support/Suggest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/xxhash.h"
#include <deque>
#include <map>
#include <numeric>

using namespace llvm;

namespace gpuestimate {

namespace {

class TuneRun {
public:
  TuneRun(const Options &O, raw_ostream &Err)
      : O(O), Request(O.Tuning), Progress(Err) {}

  Error run();
  std::vector<Tuning> results();
  ArrayRef<Notice> notices() const { return Notices; }

private:
  /// Points [First, End) of one set of macros, for GPUs of one architecture.
  struct Job {
    std::string Arch;
    std::vector<TunedGpu *> Gpus;
    size_t First = 0, End = 0;
    bool AsWritten = false; ///< also, or only, the source as it stands
  };
  /// Numbers of the values of arguments.
  Error readNumbers();
  void keepPart();
  void makeJobs();
  void compile(const Job &J);
  Expected<const KernelSource *> findKernel(const TranslationUnit &Unit) const;
  void fail(const Job &J, const std::string &Why);
  /// A name that means nothing is most likely a misspelling.
  void checkParameters(const KernelReading &Reading);
  void note(Notice N);

  const Options &O;
  TuningRequest Request;
  ProgressLine Progress;
  std::optional<Setup> S;
  std::vector<SpacePoint> Points;
  std::deque<TunedGpu> Runs; ///< they do not move
  std::vector<Job> Jobs;
  std::mutex Lock; ///< of what follows
  std::vector<Notice> Notices;
  std::string WrongKernel; ///< what is wrong with --kernel
  std::optional<DefaultThreadPool> Pool;
};

} // namespace

void TuneRun::note(Notice N) {
  std::lock_guard Guard(Lock);
  addNotice(Notices, std::move(N));
}

void TuneRun::makeJobs() {
  std::map<std::string, std::vector<TunedGpu *>> Archs;
  for (TunedGpu &Run : Runs)
    Archs[targetArch(O, Run.Gpu)].push_back(&Run);
  for (auto &[Arch, Gpus] : Archs) {
    // A macro of one value belongs to the source as it stands.
    bool Fixed = none_of(Request.Axes, [](const SpaceAxis &Axis) {
      return Axis.Kind == AxisKind::Macro && Axis.Values.size() > 1;
    });
    auto Macros = [&](size_t Point) {
      return choicesOf(AxisKind::Macro, Request.Axes, Points[Point]);
    };
    for (size_t First = 0, End; First < Points.size(); First = End) {
      for (End = First + 1;
           End < Points.size() && Macros(End) == Macros(First);)
        ++End;
      Jobs.push_back({Arch, Gpus, First, End, /*AsWritten=*/Fixed});
    }
    if (!Fixed)
      Jobs.push_back({Arch, Gpus, 0, 0, /*AsWritten=*/true});
  }
}

void TuneRun::fail(const Job &J, const std::string &Why) {
  for (TunedGpu *Run : J.Gpus) {
    for (size_t I = J.First; I < J.End; ++I)
      Run->Outcomes[I].Refusal = Why;
    if (J.AsWritten)
      Run->AsWritten.Refusal = Why;
  }
  Progress.advance((J.End - J.First) * J.Gpus.size(), O.Files.front());
}

Expected<const KernelSource *>
TuneRun::findKernel(const TranslationUnit &Unit) const {
  KernelFilter Wanted(O);
  std::vector<const KernelSource *> Found;
  std::vector<std::string> Names, FoundNames;
  for (const KernelSource &Source : Unit.Kernels) {
    Names.push_back(Source.Name);
    if (Wanted.matches(Source.Mangled, Source.Name)) {
      Found.push_back(&Source);
      FoundNames.push_back(Source.Name);
    }
  }
  if (Found.size() == 1)
    return Found.front();
  if (Found.size() > 1)
    return make_error<UsageError>(
        (O.KernelRegex.empty() ? "--kernel is missing"
                               : "--kernel " + O.KernelRegex) +
        ": tune needs exactly one kernel; there are: " +
        join(FoundNames, ", "));
  for (const UnemittedKernel &Missing : Unit.NotEmitted)
    if (Wanted.matches(Missing.Name, Missing.Name))
      return createStringError("kernel '" + Missing.Name +
                               "': " + Missing.Reason);
  return make_error<UsageError>(
      Names.empty()
          ? O.Files.front() + " contains no kernel"
          : "--kernel " + O.KernelRegex +
                ": matches no kernel; there are: " + join(Names, ", "));
}

void TuneRun::compile(const Job &J) {
  ParseRequest Parse = parseRequest(S->Opts, O.Files.front(), J.Arch);
  for (auto [I, Axis] : enumerate(Request.Axes))
    if (Axis.Kind == AxisKind::Macro &&
        (J.First < J.End || Axis.Values.size() == 1))
      Parse.ClangArgs.push_back(
          "-D" + Axis.Values.Name + "=" +
          Axis.Values.Labels[J.First < J.End ? Points[J.First][I] : 0]);
  std::string Diagnostics;
  Expected<TranslationUnit> Parsed = parse(Parse, Diagnostics);
  if (!Parsed)
    return fail(J, toString(Parsed.takeError()) + firstError(Diagnostics));
  std::vector<Notice> PipelineNotices;
  auto Pipeline = std::make_shared<KernelPipeline>(
      std::move(*Parsed), *S, KernelPipeline::StepLimits::None,
      PipelineNotices);
  Expected<const KernelSource *> Source = findKernel(Pipeline->unit());
  if (!Source) {
    Error E = Source.takeError();
    bool IsUsage = E.isA<UsageError>();
    std::string Why = toString(std::move(E));
    if (IsUsage) {
      std::lock_guard Guard(Lock);
      WrongKernel = Why;
    }
    return fail(J, Why);
  }
  size_t Count = J.End - J.First;
  size_t Batches =
      std::clamp<size_t>(Count / MinBatchSize, 1, Pool->getMaxConcurrency());
  std::vector<size_t> Places(Count);
  std::iota(Places.begin(), Places.end(), J.First);
  if (Count / Batches > MaxUnscreenedBatch)
    Places = groupBySweep(Request.Axes, Points, J.First, J.End);
  auto SitesLock = std::make_shared<std::mutex>();
  for (size_t I = 0; I < Batches; ++I) {
    Expected<KernelReading> Reading = Pipeline->read(**Source);
    if (!Reading)
      return fail(J, toString(Reading.takeError()));
    auto Part = std::make_shared<TuneBatch>(
        TuneBatch{std::move(*Reading),
                  {},
                  {Places.begin() + Count * I / Batches,
                   Places.begin() + Count * (I + 1) / Batches},
                  J.AsWritten && I == 0,
                  *SitesLock,
                  S->Opts.GpuOverrides});
    const KernelReading &Kernel = Part->Reading;
    Part->Inputs = Kernel.Settings.launchInputs(Kernel.Model);
    if (I == 0)
      checkParameters(Kernel);
    // The pipeline owns the launches of the host code.
    Pool->async([this, &J, Part, Pipeline, SitesLock] {
      evaluateBatch(*Part, Request, Points, J.Gpus, [&](size_t Count) {
        Progress.advance(Count, O.Files.front());
      });
    });
  }
  for (Notice &N : PipelineNotices)
    note(std::move(N));
}

void TuneRun::checkParameters(const KernelReading &Reading) {
  ArrayRef<std::string> Names = Reading.ParameterNames;
  auto InExpression = [](StringRef Text, StringRef Name) {
    return Regex("(^|[^A-Za-z0-9_])" + Regex::escape(Name) +
                 "($|[^A-Za-z0-9_])")
        .match(Text);
  };
  for (const SpaceAxis &Axis : Request.Axes) {
    const std::string &Name = Axis.Values.Name;
    auto Uses = [&](const std::string &Text) {
      return InExpression(Text, Name);
    };
    if (Axis.Kind != AxisKind::Parameter || is_contained(Names, Name) ||
        any_of(Request.Grid, Uses) || any_of(Request.Conditions, Uses) ||
        Uses(Request.DynamicShared))
      continue;
    note({SourceLocation(), "--param " + Name + ": '" + Reading.Model.Name +
                                "' has no argument or unknown of this name" +
                                didYouMean(Name, Names)});
  }
}

/// Leaves the points of O.Part: a stretch of them, since neighbours share their
/// compiled code.
void TuneRun::keepPart() {
  size_t First = Points.size() * (O.Part.Index - 1) / O.Part.Count,
         End = Points.size() * O.Part.Index / O.Part.Count;
  Points.erase(Points.begin() + End, Points.end());
  Points.erase(Points.begin(), Points.begin() + First);
}

Error TuneRun::readNumbers() {
  for (SpaceAxis &Axis : Request.Axes)
    for (const std::string &Value : Axis.Values.Labels) {
      if (Axis.Kind != AxisKind::Parameter)
        break;
      Expected<double> Number = parseNumber(Value);
      if (!Number)
        return make_error<UsageError>("--param " + Axis.Values.Name + ": " +
                                      toString(Number.takeError()));
      Axis.Numbers.push_back(*Number);
    }
  return Error::success();
}

Error TuneRun::run() {
  Expected<Setup> Prepared = prepareSetup(O, O.Files.front());
  if (!Prepared)
    return Prepared.takeError();
  S = std::move(*Prepared);
  if (Error E = readNumbers())
    return E;
  Expected<std::vector<SpacePoint>> All = enumeratePoints(Request);
  if (!All)
    return All.takeError();
  Points = std::move(*All);
  keepPart();
  for (GpuModel &Gpu : S->Gpus) {
    TunedGpu &Run = Runs.emplace_back();
    Run.Gpu = std::move(Gpu);
    Run.Outcomes.resize(Points.size());
  }
  makeJobs();
  Progress.setTotal(Points.size() * Runs.size());
  Pool.emplace(hardware_concurrency());
  for (const Job &J : Jobs)
    Pool->async([this, &J] {
      if (!runGuarded([&] { compile(J); }))
        fail(J, "the analysis crashed");
    });
  Pool->wait();
  auto Refused = [](const TuneOutcome &Outcome) {
    return !Outcome.Refusal.empty();
  };
  if (!WrongKernel.empty() && all_of(Runs, [&](const TunedGpu &Run) {
        return all_of(Run.Outcomes, Refused);
      }))
    return make_error<UsageError>(WrongKernel);
  return Error::success();
}

std::vector<Tuning> TuneRun::results() {
  std::vector<Tuning> All;
  for (TunedGpu &Run : Runs) {
    Tuning &T = All.emplace_back();
    T.Kernel = Run.Best.Kernel;
    T.Name = Run.Best.Name;
    T.Location = Run.Best.Location;
    T.Launches = Run.Best.Launches;
    T.IsNest = Run.Best.IsNest;
    T.Assumptions = std::move(Run.Best.Total.Assumptions);
    T.Premises = std::move(Run.Best.Total.Premises);
    T.Unknown = std::move(Run.Best.Unknown);
    T.Gpu = Run.Gpu.Id;
    T.GpuName = Run.Gpu.Name;
    T.Model = S->Opts.Model.value_or(DefaultModel.str());
    T.Tie = Request.Tie;
    T.Level = O.IntervalLevel;
    for (const SpaceAxis &Axis : Request.Axes)
      if (Axis.Kind != AxisKind::Block)
        T.Names.push_back({Axis.Values.Name, Axis.Values.Labels});
    for (TuneOutcome &Outcome : Run.Outcomes)
      if (Outcome.Refusal.empty())
        T.Ranked.push_back(std::move(Outcome.Found));
      else
        addRefusal(T.Refused, Outcome.Refusal, 1,
                   SameReason::EqualButForDigits);
    sortRefusals(T.Refused);
    if (Run.AsWritten.Refusal.empty())
      T.AsWritten = {std::move(Run.AsWritten.Found), Run.Written.IntervalMs,
                     std::move(Run.Written.Premises)};
    else
      T.WhyNotAsWritten = std::move(Run.AsWritten.Refusal);
    T.rank();
    atBorder("ranking on " + T.Gpu, [&] { return checkRanking(T); });
  }
  return All;
}

static std::string render(const Options &O, ArrayRef<Tuning> Results) {
  std::string Text;
  raw_string_ostream OS(Text);
  switch (O.TuneAs) {
  case TuneFormat::Text:
    printTuningText(OS, Results, O.Tuning.Top);
    break;
  case TuneFormat::Csv:
    printTuningCsv(OS, Results);
    break;
  case TuneFormat::Json:
    printTuningJson(OS, Results, toolVersion(),
                    {O.Part.Index, O.Part.Count,
                     utohexstr(xxh3_64bits(O.CommandText), true)});
    break;
  case TuneFormat::Html:
    printTuningHtml(OS, Results, O.Tuning.Top, toolVersion());
    break;
  }
  return Text;
}

ExitStatus runTune(const Options &O, raw_ostream &Out, raw_ostream &Err) {
  bool IsPart = O.Part.Count > 1;
  if (IsPart && O.TuneAs != TuneFormat::Json) {
    Err << "gpu-estimate: error: --shard: pass --format json, which 'report' "
           "combines\n";
    return WrongUsage;
  }
  TuneRun Run(O, Err);
  if (Error E = Run.run()) {
    ExitStatus Status = E.isA<UsageError>() ? WrongUsage : NotAnalysed;
    Err << "gpu-estimate: error: " << toString(std::move(E)) << '\n';
    return Status;
  }
  for (const Notice &N : Run.notices())
    Err << "gpu-estimate: warning: "
        << (N.Location.isValid() ? N.Location.brief() + ": " : "") << N.Text
        << '\n';
  std::vector<Tuning> Results = Run.results();
  // Another part may have one.
  if (!IsPart &&
      all_of(Results, [](const Tuning &T) { return T.Ranked.empty(); })) {
    Err << "gpu-estimate: error: no configuration has an estimate\n";
    for (const Tuning &T : Results)
      for (const auto &[Reason, Count] : T.Refused)
        Err << "  " << T.Gpu << ": " << Count << " x " << Reason << '\n';
    return NotAnalysed;
  }
  return writeOutput(O, render(O, Results), Out, Err);
}

} // namespace gpuestimate
