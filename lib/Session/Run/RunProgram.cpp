#include "gpu-estimate/Session/Run/RunProgram.h"

#include "ProgramBuilder.h"
#include "RunProgress.h"
#include "RunSession.h"
#include "Session/Settings/KernelFilter.h"
#include "gpu-estimate/Run/Channel.h"
#include "gpu-estimate/Run/DeviceFacts.h"
#include "gpu-estimate/Run/Environment.h"
#include "gpu-estimate/Run/ProgramProcess.h"
#include "gpu-estimate/Session/Pipeline/ParseRequests.h"
#include "gpu-estimate/Session/Pipeline/Setup.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <unistd.h>

using namespace llvm;

namespace gpuestimate {

bool isInputOfBuild(StringRef Word) {
  return is_contained({".cu", ".hip", ".c", ".cc", ".cpp", ".cxx", ".o", ".a",
                       ".so", ".gpurun"},
                      sys::path::extension(Word));
}

bool isSavedRun(StringRef File) { return File.ends_with(".gpurun"); }

static bool isSavedRun(const Options &O) {
  return O.Files.size() == 1 && isSavedRun(O.Files[0]);
}

/// The GPU as cudaGetDeviceProperties tells it.
static DeviceFacts deviceFacts(const GpuModel &Gpu, StringRef Arch) {
  DeviceFacts Facts;
  Facts.Name = Gpu.Name;
  Facts.IsAmd = !Gpu.GfxTarget.empty();
  Facts.Arch = Arch.str();
  auto [Major, Minor] = StringRef(Gpu.ComputeCapability).split('.');
  if (Major.getAsInteger(10, Facts.Major) ||
      Minor.getAsInteger(10, Facts.Minor))
    Facts.Major = Facts.Minor = 0;
  Facts.Multiprocessors = Gpu.SmCount;
  Facts.WarpSize = Gpu.WarpSize;
  Facts.MaxThreadsPerBlock = Gpu.MaxThreadsPerBlock;
  Facts.MaxThreadsPerSm = Gpu.MaxWarpsPerSm * Gpu.WarpSize;
  Facts.MaxBlocksPerSm = Gpu.MaxBlocksPerSm;
  Facts.RegistersPerSm = Gpu.RegistersPerSm;
  auto Whole = [](Bytes Size) { return uint64_t(Size.value()); };
  Facts.SharedBytesPerSm = Whole(Gpu.SharedPerSm);
  Facts.SharedBytesPerBlock = Whole(Gpu.SharedPerBlockDefault);
  Facts.SharedBytesPerBlockOptIn = Whole(Gpu.SharedPerBlockMax);
  Facts.GlobalBytes = Whole(Gpu.DramSize);
  Facts.L2Bytes = Whole(Gpu.L2.Size);
  Facts.CoreClockHz = Gpu.CoreClock.value();
  if (Gpu.DramClock)
    Facts.MemoryClockHz = Gpu.DramClock->value();
  if (Gpu.DramBusWidth)
    Facts.MemoryBusBits = unsigned(Gpu.DramBusWidth->value() * 8);
  return Facts;
}

static const char *name(RunExecution Execute) {
  switch (Execute) {
  case RunExecution::All:
    return "all";
  case RunExecution::Sampled:
    return "sampled";
  case RunExecution::None:
    return "none";
  }
  llvm_unreachable("all ways to execute are named");
}

/// The user's program. Output: file descriptor for its standard output.
static ProgramCommand commandOf(std::string File, const Options &O,
                                const DeviceFacts &Facts, int Output) {
  ProgramCommand Command;
  Command.File = std::move(File);
  Command.Arguments = O.Run.ProgramArguments;
  Command.Output = Output;
  auto Set = [&](StringRef Name, const Twine &Value) {
    Command.Environment.push_back({Name.str(), Value.str()});
  };
  Set(runenvironment::Device, toJson(Facts));
  Set(runenvironment::Execute, name(O.Run.Execute));
  Set(runenvironment::Budget, std::to_string(O.Run.ExecuteSeconds));
  Set(runenvironment::HostSpeed, std::to_string(O.Run.HostSpeed));
  if (!O.Run.Checks)
    Set(runenvironment::Checks, "off");
  else if (O.Run.AllRaces)
    Set(runenvironment::Checks, "races");
  if (O.Run.Threads)
    Set(runenvironment::Threads, Twine(O.Run.Threads));
  return Command;
}

/// Builds the program if it is not built already. Folder: for what is built.
static Expected<std::string> program(const Options &O, StringRef Arch,
                                     StringRef Folder, raw_ostream &Err) {
  if (O.Files.size() == 1 && !isInputOfBuild(O.Files[0])) {
    if (!sys::fs::can_execute(O.Files[0]))
      return make_error<UsageError>(
          O.Files[0] +
          ": neither a source, nor a program that can be executed");
    return O.Files[0];
  }
  SmallString<128> Output(Folder);
  sys::path::append(Output, "program");
  std::string Diagnostics;
  Error E = buildProgram(O, Arch, Folder, Output, Diagnostics);
  Err << Diagnostics;
  if (E)
    return std::move(E);
  return Output.str().str();
}

/// Executes the program, whose records go to Session.
static Error execute(const Options &O, const Setup &S, RunSession &Session,
                     int Output, raw_ostream &Err) {
  SmallString<128> Folder;
  if (std::error_code Problem =
          sys::fs::createUniqueDirectory("gpu-estimate-run", Folder))
    return createStringError(Problem, "no temporary folder");
  auto Remove = make_scope_exit([&] { sys::fs::remove_directories(Folder); });
  std::string Arch = targetArch(S.Opts, S.Gpus.front());
  Expected<std::string> File = program(S.Opts, Arch, Folder, Err);
  if (!File)
    return File.takeError();
  DeviceFacts Facts = deviceFacts(S.Gpus.front(), Arch);
  Expected<ProgramProcess> Child =
      ProgramProcess::start(commandOf(*File, O, Facts, Output));
  if (!Child)
    return Child.takeError();
  bool Ended = false;
  std::optional<RunProgress> Progress(O.Run.ExecuteSeconds);
  Error Problem = serveRun(Child->socket(), [&](RunRecord &&R) {
    Ended |= std::holds_alternative<RunExit>(R.What);
    if (std::holds_alternative<RunLaunch>(R.What))
      Progress->addLaunch();
    bool IsFault = std::holds_alternative<RunFault>(R.What);
    Expected<RunReply> Reply = Session.take(std::move(R));
    // A program that goes on after it may never end.
    if (IsFault && Reply)
      Err << "gpu-estimate: fault: " << Session.faults().back() << '\n';
    return Reply;
  });
  int Status = Child->wait();
  Progress.reset();
  if (Problem)
    return Problem;
  if (Status == 127 && Session.records().empty())
    return createStringError(*File + ": cannot be started");
  if (Session.records().empty() && Status != 0)
    return createStringError(*File + ": ended with exit status " +
                             Twine(Status) +
                             " before it called the CUDA runtime");
  if (Session.records().empty())
    return createStringError(
        *File + ": made no call of the CUDA runtime; was it built by "
                "`gpu-estimate cc --run`?");
  if (Ended)
    return Error::success();
  // A signal, or _exit: the time line ends with the last call.
  RunRecord Last;
  Last.HostNs = Session.records().back().HostNs;
  Last.What = RunExit{Status};
  return Session.take(std::move(Last)).takeError();
}

/// Gives a session the records of a saved run.
static Error replay(StringRef File, RunSession &Session) {
  Expected<std::vector<RunRecord>> Records = loadRun(File);
  if (!Records)
    return Records.takeError();
  for (RunRecord &R : *Records)
    if (Expected<RunReply> Reply = Session.take(std::move(R)); !Reply)
      return Reply.takeError();
  return Error::success();
}

Expected<Analysis> analyzeSavedRun(const Options &O, StringRef File) {
  Expected<Setup> S = prepareSetup(O, File);
  if (!S)
    return S.takeError();
  RunSession Session(*S, RunSession::AllPredictions);
  if (Error E = replay(File, Session))
    return std::move(E);
  Analysis Result;
  Result.AllFindings = S->Opts.AllFindings;
  KernelFilter Wanted(O);
  for (LaunchForecast &F : Session.predictions()) {
    if (!Wanted.matches(F.Predicted.Kernel, F.Predicted.Name))
      continue;
    if (F.Budget)
      Result.Budgets.push_back(std::move(*F.Budget));
    ExplainedPrediction &E = Result.Estimates.emplace_back();
    E.Estimate = std::move(F.Predicted);
    E.Silenced = S->Opts.Silenced;
  }
  for (const std::string &Text : Session.notices())
    Result.Notices.push_back({SourceLocation(), Text});
  return std::move(Result);
}

Expected<std::vector<RunReport>> runProgram(const Options &O,
                                            raw_ostream &Err) {
  Expected<Setup> S = prepareSetup(O, isSavedRun(O) ? "" : O.Files.front());
  if (!S) {
    bool OptionBehind = is_contained(O.Run.ProgramArguments, "--gpu");
    std::string Text = toString(S.takeError());
    return make_error<UsageError>(
        OptionBehind ? Text + " (options of gpu-estimate stand before the "
                              "program; what follows it is for the program)"
                     : Text);
  }
  S->Details = false;
  for (const GpuModel &Gpu : S->Gpus)
    if (Gpu.GfxTarget.empty() != S->Gpus.front().GfxTarget.empty())
      return make_error<UsageError>("--gpu: a program runs on GPUs of one "
                                    "vendor, but " +
                                    S->Gpus.front().Id + " and " + Gpu.Id +
                                    " are not");
  RunSession Session(*S, O.Run.SaveFile.empty() ? RunSession::Reports
                                                : RunSession::SavedRecords);
  if (isSavedRun(O)) {
    if (Error E = replay(O.Files[0], Session))
      return std::move(E);
  } else {
    bool ReportToOutput =
        O.OutputFile.empty() && O.Run.Format != RunFormat::Text;
    if (Error E = execute(O, *S, Session,
                          ReportToOutput ? STDERR_FILENO : STDOUT_FILENO, Err))
      return std::move(E);
  }
  if (!O.Run.SaveFile.empty()) {
    std::vector<RunRecord> Records(Session.records().begin(),
                                   Session.records().end());
    if (Error E = saveRun(O.Run.SaveFile, Records))
      return std::move(E);
  }
  return Session.finish();
}

} // namespace gpuestimate
