#include "gpu-estimate/Commands/Run/RunProgram.h"

#include "ProgramBuilder.h"
#include "RunProgress.h"
#include "RunSession.h"
#include "gpu-estimate/Run/Channel.h"
#include "gpu-estimate/Run/DeviceFacts.h"
#include "gpu-estimate/Run/Environment.h"
#include "gpu-estimate/Run/ProgramProcess.h"
#include "gpu-estimate/Session/Pipeline/ParseRequests.h"
#include "gpu-estimate/Session/Pipeline/PythonInterpreter.h"
#include "gpu-estimate/Session/Pipeline/Setup.h"
#include "gpu-estimate/Session/Settings/KernelFilter.h"
#include "gpu-estimate/Support/Installation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <sys/socket.h>
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

static bool isScript(const Options &O) {
  return O.Files.size() == 1 && StringRef(O.Files[0]).ends_with(".py");
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
  if (Expected<std::string> Tool = findInstalledProgram("gpu-estimate-tool"))
    Set(runenvironment::Tool, *Tool);
  else
    consumeError(Tool.takeError());
  if (O.Run.Threads)
    Set(runenvironment::Threads, Twine(O.Run.Threads));
  return Command;
}

/// The command of a script in Python, whose kernels are Triton's.
static Expected<ProgramCommand>
scriptCommand(const Options &O, const DeviceFacts &Facts, int Output) {
  Expected<std::string> Python = findPython();
  if (!Python)
    return Python.takeError();
  ProgramCommand Command = commandOf(*Python, O, Facts, Output);
  Command.Environment.push_back({"PYTHONPATH", pythonPath()});
  std::vector<std::string> Words = {"-m", "gpu_estimate.script", O.Files[0]};
  Command.Arguments.insert(Command.Arguments.begin(), Words.begin(),
                           Words.end());
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

/// Gives the records of a program to Session. Ended: its last one came. Faults
/// and kernels that do not execute are printed to Err at once: a program that
/// goes on after them may never end, or say wrong things.
static Error takeRecords(int Socket, RunSession &Session, bool &Ended,
                         RunProgress *Progress, raw_ostream *Err) {
  return serveRun(Socket, [&](RunRecord &&R) {
    Ended |= std::holds_alternative<RunExit>(R.What);
    if (Progress && std::holds_alternative<RunLaunch>(R.What))
      Progress->addLaunch();
    bool IsFault = std::holds_alternative<RunFault>(R.What);
    size_t NumUnexecuted = Session.unexecuted().size();
    Expected<RunReply> Reply = Session.take(std::move(R));
    if (Err && IsFault && Reply)
      *Err << "gpu-estimate: fault: " << Session.faults().back() << '\n';
    if (Err && Session.unexecuted().size() > NumUnexecuted)
      *Err << "gpu-estimate: error: " << Session.unexecuted().back()
           << "; its results are missing\n";
    return Reply;
  });
}

/// A signal, or _exit: the time line ends with the last call.
static Error endRun(RunSession &Session, int Status) {
  RunRecord Last;
  if (!Session.records().empty())
    Last.HostNs = Session.records().back().HostNs;
  Last.What = RunExit{Status};
  return Session.take(std::move(Last)).takeError();
}

/// Takes the records of a program that runs already. The first line over the
/// socket tells it of the GPU; it reports its faults itself.
static Error attach(const Setup &S, RunSession &Session, int Socket) {
  std::string Facts =
      toJson(deviceFacts(S.Gpus.front(), targetArch(S.Opts, S.Gpus.front()))) +
      "\n";
  for (StringRef Rest = Facts; !Rest.empty();) {
    ssize_t Sent = send(Socket, Rest.data(), Rest.size(), MSG_NOSIGNAL);
    if (Sent < 0 && errno == EINTR)
      continue;
    if (Sent <= 0)
      return createStringError("--program-socket: file descriptor " +
                               Twine(Socket) + " is no socket of a program");
    Rest = Rest.drop_front(Sent);
  }
  bool Ended = false;
  if (Error E = takeRecords(Socket, Session, Ended, nullptr, nullptr))
    return E;
  return Ended ? Error::success() : endRun(Session, 1);
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
  DeviceFacts Facts = deviceFacts(S.Gpus.front(), Arch);
  Facts.Count = O.Run.Devices;
  auto CommandOfProgram = [&]() -> Expected<ProgramCommand> {
    if (isScript(O))
      return scriptCommand(O, Facts, Output);
    Expected<std::string> File = program(S.Opts, Arch, Folder, Err);
    if (!File)
      return File.takeError();
    return commandOf(*File, O, Facts, Output);
  };
  Expected<ProgramCommand> Command = CommandOfProgram();
  if (!Command)
    return Command.takeError();
  const std::string &File = isScript(O) ? O.Files[0] : Command->File;
  Expected<ProgramProcess> Child = ProgramProcess::start(*Command);
  if (!Child)
    return Child.takeError();
  bool Ended = false;
  std::optional<RunProgress> Progress(O.Run.ExecuteSeconds);
  Error Problem =
      takeRecords(Child->socket(), Session, Ended, &*Progress, &Err);
  int Status = Child->wait();
  Progress.reset();
  if (Problem)
    return Problem;
  if (Status == 127 && Session.records().empty())
    return createStringError(File + ": cannot be started");
  if (Session.records().empty() && Status != 0)
    return createStringError(File + ": ended with exit status " +
                             Twine(Status) +
                             " before it called the CUDA runtime");
  if (Session.records().empty())
    return createStringError(
        File + (isScript(O) ? ": launched no kernel of Triton"
                            : ": made no call of the CUDA runtime; was it "
                              "built by `gpu-estimate cc --run`?"));
  return Ended ? Error::success() : endRun(Session, Status);
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
  if (O.Files.empty() != O.Run.ProgramSocket.has_value())
    return make_error<UsageError>(
        O.Files.empty() ? "FILE is required: a source, a program, a script in "
                          "Python or a saved run"
                        : "--program-socket: name no FILE");
  Expected<Setup> S =
      prepareSetup(O, isSavedRun(O) || O.Files.empty() ? "" : O.Files.front());
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
  if (O.Run.ProgramSocket) {
    if (Error E = attach(*S, Session, *O.Run.ProgramSocket))
      return std::move(E);
  } else if (isSavedRun(O)) {
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
