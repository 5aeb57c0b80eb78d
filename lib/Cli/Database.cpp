/// \file
/// `gpu-estimate analyze -p DIR`: every source of a compilation database, as
/// `gpu-estimate cc` would analyse it while it is compiled, on all processors.
/// Results are kept in a folder of records; a source with unchanged inputs is
/// not analysed again.
#include "SourceAnalysis.h"
#include "gpu-estimate/Session/Pipeline/OutputFiles.h"
#include "gpu-estimate/Session/Pipeline/ProgressLine.h"

#include "gpu-estimate/Report/Records/Records.h"
#include "gpu-estimate/Support/CrashGuard.h"
#include "gpu-estimate/Wrapper/CompilerCall.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/xxhash.h"
#include <mutex>

using namespace llvm;

namespace gpuestimate {

namespace {

/// Hashes of files' contents; each file is read once a run.
class ContentHashes {
public:
  /// Empty for a file that cannot be read.
  std::string of(StringRef File) {
    {
      std::lock_guard Guard(Lock);
      if (auto Entry = Hashes.find(File); Entry != Hashes.end())
        return Entry->second;
    }
    std::string Hash;
    if (auto Text = MemoryBuffer::getFile(File))
      Hash = utohexstr(xxh3_64bits((*Text)->getBuffer()), /*LowerCase=*/true);
    std::lock_guard Guard(Lock);
    return Hashes[File] = Hash;
  }

private:
  std::mutex Lock;
  StringMap<std::string> Hashes;
};

struct Job {
  CommandSource Command;
  std::string Record;
  std::string Failure;     ///< why there is no analysis
  std::string Diagnostics; ///< of --format diagnostics
  bool Skipped = false, Failed = false;
};

class DatabaseRun {
public:
  DatabaseRun(const Options &O, raw_ostream &Err)
      : O(O), Err(Err), Progress(Err) {
    Results = O.ResultsFolder;
    if (Results.empty()) {
      SmallString<256> Folder(O.CompilationDatabase);
      sys::path::append(Folder, "gpu-estimate");
      Results = Folder.str().str();
    }
  }

  Error collect();
  void run();
  ExitStatus report(raw_ostream &Out);

private:
  /// Does a source belong to O.Part? A hash of its name spreads the sources
  /// evenly, and leaves a source in its part when others come or go.
  bool isInPart(StringRef File) const {
    return xxh3_64bits(arrayRefFromStringRef(File)) % O.Part.Count ==
           O.Part.Index - 1;
  }
  void analyse(Job &J);
  std::string key(const Job &J, const Setup &S);
  bool isUpToDate(const Job &J, StringRef Key);

  const Options &O;
  raw_ostream &Err;
  std::string Results;
  std::vector<Job> Jobs;
  size_t Sources = 0; ///< of all parts
  ContentHashes Hashes;
  ProgressLine Progress;
};

} // namespace

Error DatabaseRun::collect() {
  auto Commands = readDatabase(O.CompilationDatabase);
  if (!Commands)
    return Commands.takeError();
  if (std::error_code Code = sys::fs::create_directories(Results))
    return make_error<UsageError>(Results + ": " + Code.message());
  bool Offload = O.Offload.Propose || !O.Offload.Targets.empty();
  StringSet<> Seen; // a command that stands there twice
  for (DatabaseCommand &C : *Commands) {
    CompilerCall Call = parseCompilerCall(C.CommandLine, C.Directory);
    for (const std::string &Source :
         sourcesToAnalyze(Call, Offload, C.Directory)) {
      SmallString<256> Record(Results), File(Source);
      sys::path::append(Record, recordName(C.Directory, Source, Call.Output));
      if (!Seen.insert(Record).second)
        continue;
      sys::fs::make_absolute(C.Directory, File);
      sys::path::remove_dots(File, /*remove_dot_dot=*/true);
      ++Sources;
      if (!isInPart(File))
        continue;
      Job &J = Jobs.emplace_back();
      J.Command = {C.CommandLine, C.Directory, File.str().str()};
      J.Record = Record.str().str();
    }
  }
  if (Sources == 0)
    return createStringError(
        O.CompilationDatabase +
        "/compile_commands.json: no command compiles CUDA or HIP, or C or C++ "
        "with a directive (--offload auto looks for loops in all)");
  return Error::success();
}

/// All that the result depends on beside the contents of what is read.
std::string DatabaseRun::key(const Job &J, const Setup &S) {
  std::string Text = toolVersion().str();
  raw_string_ostream OS(Text);
  // Another build of us may predict otherwise.
  sys::fs::file_status Tool;
  if (!sys::fs::status(sys::fs::getMainExecutable("", nullptr), Tool))
    OS << '\n' << Tool.getSize() << ' ' << Tool.getLastModificationTime();
  OS << '\n' << O.CommandText << '\n' << J.Command.Directory;
  for (const std::string &Word : J.Command.CommandLine)
    OS << '\n' << Word;
  for (const GpuModel &Gpu : S.Gpus)
    OS << '\n' << Hashes.of(Gpu.File);
  if (!S.Project.File.empty())
    OS << '\n' << Hashes.of(S.Project.File);
  // Other files that options name: their contents, not their names, count.
  if (!S.Opts.ProfileFile.empty())
    OS << '\n' << Hashes.of(S.Opts.ProfileFile);
  for (const auto &[Name, Contents] : S.Opts.Buffers)
    OS << '\n' << Hashes.of(Contents);
  for (const ComparisonTarget &R : S.Targets)
    OS << '\n' << Hashes.of(R.machine().File);
  if (S.ReferenceGpu)
    OS << '\n' << Hashes.of(S.ReferenceGpu->File);
  return utohexstr(xxh3_64bits(OS.str()), /*LowerCase=*/true);
}

bool DatabaseRun::isUpToDate(const Job &J, StringRef Key) {
  auto Text = MemoryBuffer::getFile(J.Record);
  if (!Text)
    return false;
  Expected<json::Value> Value = json::parse((*Text)->getBuffer());
  if (!Value) {
    consumeError(Value.takeError());
    return false;
  }
  const json::Object *Record = Value->getAsObject();
  const json::Object *Inputs = Record ? Record->getObject("inputs") : nullptr;
  return Inputs && Record->getString("key") == Key &&
         all_of(*Inputs, [&](const auto &Input) {
           std::string Hash = Hashes.of(StringRef(Input.first));
           return !Hash.empty() && Input.second.getAsString() == Hash;
         });
}

void DatabaseRun::analyse(Job &J) {
  Expected<Setup> S = prepareSetup(O, J.Command.Source);
  if (!S) {
    J.Failure = toString(S.takeError());
    return;
  }
  RecordOrigin Origin;
  Origin.Source = J.Command.Source;
  Origin.Directory = J.Command.Directory;
  Origin.Key = key(J, *S);
  if (isUpToDate(J, Origin.Key)) {
    J.Skipped = true;
    return;
  }
  S->Opts.JsonFile = J.Record;
  Expected<std::vector<Diagnostic>> Found = analyzeCommandSource(
      std::move(*S), J.Command, Origin,
      [&](RecordOrigin &Target, ArrayRef<std::string> All) {
        for (StringRef Name : All) {
          SmallString<256> File(Name);
          sys::fs::make_absolute(J.Command.Directory, File);
          Target.Inputs.emplace_back(File.str().str(), Hashes.of(File));
        }
      });
  if (Found) {
    raw_string_ostream OS(J.Diagnostics);
    printDiagnostics(OS, *Found);
    J.Failed = any_of(*Found, [](const Diagnostic &D) {
      return D.Severity == DiagnosticSeverity::Error;
    });
    return;
  }
  J.Failure = toString(Found.takeError());
  Origin.Key.clear(); // to be tried again
  Analysis Nothing;
  Nothing.Unresolveds.push_back({"", "", {J.Command.Source, 1, 1}, J.Failure});
  if (Error E = writeJsonFile(J.Record, Nothing, Origin))
    J.Failure += "; " + toString(std::move(E));
}

void DatabaseRun::run() {
  Progress.setTotal(Jobs.size());
  DefaultThreadPool Pool(hardware_concurrency());
  for (Job &J : Jobs)
    Pool.async([this, &J] {
      if (!runGuarded([&] { analyse(J); }))
        J.Failure = "the analysis crashed";
      Progress.advance(1, sys::path::filename(J.Command.Source));
    });
  Pool.wait();
}

ExitStatus DatabaseRun::report(raw_ostream &Out) {
  std::vector<std::string> Files;
  size_t Skipped = 0, Broken = 0;
  bool Failed = false;
  for (const Job &J : Jobs) {
    Skipped += J.Skipped;
    Broken += !J.Failure.empty();
    Failed |= J.Failed;
    if (!J.Failure.empty())
      Err << "gpu-estimate: error: "
          << (StringRef(J.Failure).starts_with(J.Command.Source)
                  ? ""
                  : J.Command.Source + ": ")
          << J.Failure << '\n';
    if (sys::fs::exists(J.Record))
      Files.push_back(J.Record);
  }
  Err << "gpu-estimate: " << Jobs.size()
      << (O.Part.Count > 1 ? " of " + std::to_string(Sources) : std::string())
      << " sources: " << Jobs.size() - Skipped - Broken << " analysed, "
      << Skipped << " unchanged, " << Broken << " without a result; records in "
      << Results << '\n';
  if (Jobs.empty()) // a part without a source
    return Done;
  if (Files.empty())
    return NotAnalysed;
  Expected<Records> Found = readRecords(Files);
  if (!Found) {
    Err << "gpu-estimate: error: " << toString(Found.takeError()) << '\n';
    return NotAnalysed;
  }
  std::string Text;
  raw_string_ostream OS(Text);
  bool OverBudget = !Found->OverBudget.empty();
  switch (O.Format) {
  case OutputFormat::Json:
    printRecordsJson(OS, std::move(*Found), toolVersion());
    break;
  case OutputFormat::Diagnostics:
    for (const Job &J : Jobs)
      OS << J.Diagnostics;
    break;
  case OutputFormat::Text:
    printRecordsText(OS, *Found);
    break;
  default:
    Err << "gpu-estimate: error: --format: the analysis of a compilation "
           "database supports text, json and diagnostics\n";
    return WrongUsage;
  }
  if (ExitStatus Written = writeOutput(O, OS.str(), Out, Err); Written != Done)
    return Written;
  if (Broken)
    return NotAnalysed;
  return Failed || OverBudget ? BoundExceeded : Done;
}

ExitStatus runDatabase(const Options &O, raw_ostream &Out, raw_ostream &Err) {
  DatabaseRun Run(O, Err);
  if (Error E = Run.collect()) {
    ExitStatus Status = E.isA<UsageError>() ? WrongUsage : NotAnalysed;
    Err << "gpu-estimate: error: " << toString(std::move(E)) << '\n';
    return Status;
  }
  Run.run();
  return Run.report(Out);
}

} // namespace gpuestimate
