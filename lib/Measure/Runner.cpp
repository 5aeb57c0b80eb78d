/// \file
/// Compiler, programs, raw files, progress.
#include "gpu-estimate/Measure/Runner.h"
#include "gpu-estimate/Support/Installation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <algorithm>
#include <deque>
#include <thread>

using namespace llvm;

namespace gpuestimate {

/// Time limit of one program. The slowest takes three minutes.
static constexpr unsigned TimeLimitSeconds = 1200;
/// Compile time of one program; only for the progress display.
static constexpr unsigned BuildSeconds = 4;
static constexpr int NoGpuStatus = 3; // microbench/bench.h

static std::string joined(StringRef Folder, const Twine &Name) {
  SmallString<128> Path(Folder);
  sys::path::append(Path, Name);
  return Path.str().str();
}

Expected<std::string> findGpuCompiler(StringRef Given) {
  if (!Given.empty()) {
    auto Program = sys::findProgramByName(Given);
    if (Program && sys::fs::can_execute(*Program))
      return *Program;
    return createStringError("no compiler '" + Given + "' was found");
  }
  for (StringRef Name : {"nvcc", "hipcc", "clang++", "clang++-19"})
    if (auto Program = sys::findProgramByName(Name))
      return *Program;
  return createStringError("no compiler for GPUs was found on PATH: nvcc, "
                           "hipcc or clang++; name one with --compiler");
}

std::vector<std::string> compilerArguments(StringRef Compiler, StringRef Source,
                                           StringRef Program) {
  std::vector<std::string> Arguments = {Compiler.str(), "-std=c++17", "-O3",
                                        "-o", Program.str()};
  auto Add = [&](std::initializer_list<const char *> More) {
    Arguments.insert(Arguments.end(), More.begin(), More.end());
  };
  StringRef Name = sys::path::filename(Compiler);
  if (Name.contains("hipcc"))
    Add({"-x", "hip"});
  else if (Name.contains("clang"))
    Add({"-x", "cuda", "--offload-arch=native"});
  else
    Add({"-arch=native"});
  Arguments.push_back(Source.str());
  if (Name.contains("clang")) {
    // The runtime library lies in the SDK, which clang does not search.
    const char *Sdk = ::getenv("CUDA_HOME");
    Arguments.push_back(std::string("-L") + (Sdk ? Sdk : "/usr/local/cuda") +
                        "/lib64");
    Add({"-lcudart", "-lpthread"});
  }
  Add({"-ldl"});
  return Arguments;
}

static Expected<std::string> findMicrobenchFolder(StringRef Given) {
  if (Given.empty())
    return findDataFolder("microbench");
  if (sys::fs::is_directory(Given))
    return Given.str();
  return createStringError(Given + ": not a folder of microbenchmarks");
}

/// The end of a log, for a message.
static std::string tailOf(StringRef File) {
  auto Buffer = MemoryBuffer::getFile(File, /*IsText=*/true);
  if (!Buffer)
    return "";
  StringRef Text = (*Buffer)->getBuffer().rtrim();
  return Text.take_back(1000).str();
}

namespace {

class Run {
public:
  Run(const RunnerOptions &O, raw_ostream &Progress)
      : O(O), Progress(Progress) {}
  Expected<RunnerResult> all();

private:
  Error build(ArrayRef<const MeasureGroup *> Groups);
  Error one(const MeasureGroup &Group);
  /// Prints a progress bar and the remaining time.
  void showProgress(size_t Next);
  Error execute(const MeasureGroup &Group, StringRef Program, StringRef Raw);
  void say(const Twine &Line) {
    // On a terminal each line overwrites the last one.
    Progress << (O.Terminal ? "\r\033[K" : "") << Line
             << (O.Terminal ? "" : "\n");
    Progress.flush();
  }
  unsigned secondsOf(const MeasureGroup &Group) const {
    return O.Quick ? Group.QuickSeconds : Group.FullSeconds;
  }
  bool wanted(const MeasureGroup &Group) const {
    return O.Only.empty() || Group.Name == "device" ||
           is_contained(O.Only, Group.Name);
  }

  const RunnerOptions &O;
  raw_ostream &Progress;
  std::string Compiler, Sources, Raw, Programs;
  std::vector<const MeasureGroup *> Remaining; ///< in order; all to be measured
  size_t Built = 0;                            ///< how many of them
  RunnerResult Result;
};

} // namespace

Error Run::execute(const MeasureGroup &Group, StringRef Program,
                   StringRef RawFile) {
  std::string Partial = (RawFile + ".partial").str(),
              Log = joined(Programs, Group.Name + ".log");
  std::vector<StringRef> Arguments = {Program};
  if (O.Quick)
    Arguments.push_back("--quick");
  std::string Problem;
  int Status =
      sys::ExecuteAndWait(Program, Arguments, std::nullopt,
                          {StringRef(""), StringRef(Partial), StringRef(Log)},
                          TimeLimitSeconds, 0, &Problem);
  if (Status == NoGpuStatus && Group.Name == "device")
    return createStringError("cannot measure: " + tailOf(Log));
  if (Status != 0) {
    std::string Why = Problem.empty() ? tailOf(Log) : Problem;
    Result.Failed.push_back(formatv("{0}: exit status {1}{2}{3}", Group.Name,
                                    Status, Why.empty() ? "" : ": ", Why)
                                .str());
    return Error::success();
  }
  // Write the file as a whole: its existence marks the group as done.
  if (std::error_code E = sys::fs::rename(Partial, RawFile))
    return createStringError(RawFile + ": " + E.message());
  return Error::success();
}

/// Number of parallel compilers: each takes a core and up to a gigabyte.
static unsigned parallelBuilds() {
  return std::clamp(std::thread::hardware_concurrency(), 1u, 8u);
}

Error Run::build(ArrayRef<const MeasureGroup *> Groups) {
  struct Job {
    sys::ProcessInfo Process;
    std::string Source, Log;
  };
  std::deque<Job> Running;
  Error Failed = Error::success();
  auto WaitForOne = [&] {
    Job J = std::move(Running.front());
    Running.pop_front();
    std::string Problem;
    int Status = sys::Wait(J.Process, TimeLimitSeconds, &Problem).ReturnCode;
    ++Built;
    if (Status != 0)
      Failed = joinErrors(
          std::move(Failed),
          createStringError("cannot compile " + J.Source + ": " +
                            (Problem.empty() ? tailOf(J.Log) : Problem)));
  };
  for (const MeasureGroup *Group : Groups) {
    Job J;
    J.Source = joined(Sources, Group->Name + ".cu");
    J.Log = joined(Programs, Group->Name + ".compile.log");
    std::vector<std::string> Arguments =
        compilerArguments(Compiler, J.Source, joined(Programs, Group->Name));
    std::vector<StringRef> Views(Arguments.begin(), Arguments.end());
    std::string Problem;
    bool NotStarted = false;
    J.Process =
        sys::ExecuteNoWait(Compiler, Views, std::nullopt,
                           {StringRef(""), StringRef(J.Log), StringRef(J.Log)},
                           0, &Problem, &NotStarted);
    if (NotStarted) {
      Failed = joinErrors(
          std::move(Failed),
          createStringError("cannot run " + Compiler + ": " + Problem));
      break;
    }
    Running.push_back(std::move(J));
    if (Running.size() >= parallelBuilds())
      WaitForOne();
  }
  while (!Running.empty())
    WaitForOne();
  return Failed;
}

void Run::showProgress(size_t Next) {
  unsigned Behind = 0, Ahead = 0;
  for (size_t I = 0; I < Remaining.size(); ++I)
    (I < Next ? Behind : Ahead) += secondsOf(*Remaining[I]);
  unsigned Build = BuildSeconds / parallelBuilds() + 1;
  Behind += static_cast<unsigned>(Built) * Build;
  Ahead += static_cast<unsigned>(Remaining.size() - Built) * Build;
  static constexpr unsigned Width = 20;
  unsigned Full = Width * Behind / std::max(1u, Behind + Ahead);
  say(formatv("[{0}{1}] {2}/{3} {4}: {5} (about {6} min {7} s left)",
              std::string(Full, '#'), std::string(Width - Full, '-'), Next + 1,
              Remaining.size(), Remaining[Next]->Name, Remaining[Next]->What,
              Ahead / 60, Ahead % 60));
}

Error Run::one(const MeasureGroup &Group) {
  return execute(Group, joined(Programs, Group.Name),
                 joined(Raw, Group.Name + ".jsonl"));
}

Expected<RunnerResult> Run::all() {
  for (const std::string &Name : O.Only)
    if (!findMeasureGroup(Name))
      return createStringError("no group is called '" + Name +
                               "'; there are: " + measureGroupNames());
  auto Program = findGpuCompiler(O.Compiler);
  if (!Program)
    return Program.takeError();
  Compiler = *Program;
  auto Folder = findMicrobenchFolder(O.MicrobenchFolder);
  if (!Folder)
    return Folder.takeError();
  Sources = *Folder;
  // Samples of quick and of thorough runs must not mix.
  Raw = joined(O.WorkFolder, O.Quick ? "raw-quick" : "raw");
  Programs = joined(O.WorkFolder, "programs");
  Result.RawFolder = Raw;
  for (StringRef New : {Raw, Programs})
    if (std::error_code E = sys::fs::create_directories(New))
      return createStringError(New + ": " + E.message());

  for (const MeasureGroup &Group : measureGroups()) {
    if (!wanted(Group))
      continue;
    if (sys::fs::exists(joined(Raw, Group.Name + ".jsonl")))
      Progress << Group.Name << ": measured before\n";
    else
      Remaining.push_back(&Group);
  }
  Error Problem = Error::success();
  for (size_t I = 0; I < Remaining.size() && !Problem; ++I) {
    showProgress(I);
    // The first program runs alone, because it finds out whether there is a
    // GPU.
    if (I < 2)
      Problem = build(I == 0 ? ArrayRef(Remaining).take_front()
                             : ArrayRef(Remaining).drop_front());
    if (!Problem)
      Problem = one(*Remaining[I]);
  }
  if (O.Terminal && !Remaining.empty())
    Progress << '\n';
  if (Problem)
    return Problem;
  return std::move(Result);
}

Expected<RunnerResult> runGroups(const RunnerOptions &O,
                                 raw_ostream &Progress) {
  return Run(O, Progress).all();
}

} // namespace gpuestimate
