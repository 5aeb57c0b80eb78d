/// \file
/// Compiler, programs, raw files, progress.
#include "gpu-estimate/Measure/Runner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace gpuestimate {

/// Of one program. The slowest takes three minutes; a hung one ends here.
static constexpr unsigned TimeLimitSeconds = 1200;
static constexpr int NoGpuStatus = 3; // microbench/bench.h

static std::string joined(StringRef Folder, const Twine &Name) {
  SmallString<128> Path(Folder);
  sys::path::append(Path, Name);
  return Path.str().str();
}

Expected<std::string> findGpuCompiler(StringRef Given) {
  if (!Given.empty()) {
    auto Found = sys::findProgramByName(Given);
    if (Found && sys::fs::can_execute(*Found))
      return *Found;
    return createStringError("no compiler '" + Given + "' was found");
  }
  for (StringRef Name : {"nvcc", "hipcc", "clang++", "clang++-19"})
    if (auto Found = sys::findProgramByName(Name))
      return *Found;
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
  for (StringRef Folder : {Given, StringRef(GPU_ESTIMATE_MICROBENCH_SOURCE),
                           StringRef(GPU_ESTIMATE_MICROBENCH_INSTALLED)}) {
    if (!Folder.empty() && sys::fs::is_directory(Folder))
      return Folder.str();
    if (!Given.empty())
      break;
  }
  return createStringError("no folder of microbenchmarks was found");
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
  Error one(const MeasureGroup &Group);
  Error execute(const MeasureGroup &Group, StringRef Program, StringRef Raw);
  void say(const Twine &Line) {
    // A terminal shows the newest line alone.
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
  // Whole or not at all: a file of this name says that the group is done.
  if (std::error_code E = sys::fs::rename(Partial, RawFile))
    return createStringError(RawFile + ": " + E.message());
  return Error::success();
}

Error Run::one(const MeasureGroup &Group) {
  std::string Source = joined(Sources, Group.Name + ".cu"),
              Program = joined(Programs, Group.Name),
              Log = joined(Programs, Group.Name + ".compile.log"),
              RawFile = joined(Raw, Group.Name + ".jsonl");
  std::vector<std::string> Arguments =
      compilerArguments(Compiler, Source, Program);
  std::vector<StringRef> Views(Arguments.begin(), Arguments.end());
  std::string Problem;
  int Status =
      sys::ExecuteAndWait(Compiler, Views, std::nullopt,
                          {StringRef(""), StringRef(Log), StringRef(Log)},
                          TimeLimitSeconds, 0, &Problem);
  if (Status != 0)
    return createStringError("cannot compile " + Source + ": " +
                             (Problem.empty() ? tailOf(Log) : Problem));
  return execute(Group, Program, RawFile);
}

Expected<RunnerResult> Run::all() {
  for (const std::string &Name : O.Only)
    if (!findMeasureGroup(Name))
      return createStringError("no group is called '" + Name +
                               "'; there are: " + measureGroupNames());
  auto Found = findGpuCompiler(O.Compiler);
  if (!Found)
    return Found.takeError();
  Compiler = *Found;
  auto Folder = findMicrobenchFolder(O.MicrobenchFolder);
  if (!Folder)
    return Folder.takeError();
  Sources = *Folder;
  // Quick samples are others than thorough ones.
  Raw = joined(O.WorkFolder, O.Quick ? "raw-quick" : "raw");
  Programs = joined(O.WorkFolder, "programs");
  Result.RawFolder = Raw;
  for (StringRef New : {Raw, Programs})
    if (std::error_code E = sys::fs::create_directories(New))
      return createStringError(New + ": " + E.message());

  std::vector<const MeasureGroup *> Left;
  for (const MeasureGroup &Group : measureGroups()) {
    if (!wanted(Group))
      continue;
    if (sys::fs::exists(joined(Raw, Group.Name + ".jsonl")))
      Progress << Group.Name << ": measured before\n";
    else
      Left.push_back(&Group);
  }
  for (size_t I = 0; I < Left.size(); ++I) {
    unsigned Seconds = 0;
    for (size_t J = I; J < Left.size(); ++J)
      Seconds += secondsOf(*Left[J]);
    say(formatv("[{0}/{1}] {2}: {3} (about {4} min {5} s left)", I + 1,
                Left.size(), Left[I]->Name, Left[I]->What, Seconds / 60,
                Seconds % 60));
    if (Error E = one(*Left[I])) {
      if (O.Terminal)
        Progress << '\n';
      return E;
    }
  }
  if (O.Terminal && !Left.empty())
    Progress << '\n';
  return std::move(Result);
}

Expected<RunnerResult> runGroups(const RunnerOptions &O,
                                 raw_ostream &Progress) {
  return Run(O, Progress).all();
}

} // namespace gpuestimate
