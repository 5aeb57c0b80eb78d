#include "AnalysisMemory.h"

#include "gpu-estimate/Model/Machine/Library.h"
#include "gpu-estimate/Session/Pipeline/AnalyzeFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include <chrono>

using namespace llvm;

namespace gpuestimate {

static int64_t nanoseconds(sys::TimePoint<> Time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             Time.time_since_epoch())
      .count();
}

AnalysisMemory::FileState AnalysisMemory::stateOf(StringRef Path) {
  FileState State{Path.str()};
  sys::fs::file_status Status;
  if (!sys::fs::status(Path, Status)) {
    State.Bytes = Status.getSize();
    State.Changed = nanoseconds(Status.getLastModificationTime());
  }
  return State;
}

/// Files that were read, or would have been if they were there.
std::vector<std::string> AnalysisMemory::filesOf(const Options &O,
                                                 const Analysis &A) {
  std::vector<std::string> Files = A.Files;
  auto Add = [&](StringRef Folder, StringRef Name) {
    SmallString<256> Path(Folder);
    sys::path::append(Path, Name);
    Files.push_back(Path.str().str());
  };
  SmallString<256> Folder(O.Files.front());
  sys::fs::make_absolute(Folder);
  while (sys::path::has_relative_path(Folder)) {
    sys::path::remove_filename(Folder);
    Add(Folder, ".gpu-estimate.yaml");
  }
  for (const std::string &File : {O.ConfigFile, O.ProfileFile})
    if (!File.empty())
      Files.push_back(File);
  for (const auto &[Name, Contents] : O.Buffers)
    Files.push_back(Contents);
  if (!O.CompilationDatabase.empty())
    Add(O.CompilationDatabase, "compile_commands.json");
  if (Expected<std::string> Models = findModelFolder(O.ModelFolder)) {
    for (const std::string &Gpu : O.Gpus)
      Add(*Models, Gpu + ".yaml");
  } else {
    consumeError(Models.takeError());
  }
  for (const std::string &Gpu : O.Gpus)
    if (StringRef(Gpu).ends_with(".yaml"))
      Files.push_back(Gpu);
  return Files;
}

SharedAnalysis AnalysisMemory::find(StringRef Key) {
  std::lock_guard Held(Lock);
  auto Place = ByKey.find(Key);
  if (Place == ByKey.end())
    return nullptr;
  auto Found = Place->second;
  if (any_of(Found->Files, [](const FileState &State) {
        return stateOf(State.Path) != State;
      })) {
    Estimates -= Found->Estimates;
    Entries.erase(Found);
    ByKey.erase(Place);
    return nullptr;
  }
  Entries.splice(Entries.begin(), Entries, Found);
  ++Hits;
  return Found->Found;
}

void AnalysisMemory::keep(Entry New) {
  std::lock_guard Held(Lock);
  if (ByKey.contains(New.Key)) // made twice at the same time
    return;
  Estimates += New.Estimates;
  Entries.push_front(std::move(New));
  ByKey[Entries.front().Key] = Entries.begin();
  while (Estimates > MaxEstimates && Entries.size() > 1) {
    Estimates -= Entries.back().Estimates;
    ByKey.erase(Entries.back().Key);
    Entries.pop_back();
  }
}

size_t AnalysisMemory::hits() const {
  std::lock_guard Held(Lock);
  return Hits;
}

/// The text of an error of the compiler, in lines without its remarks.
static std::string errorText(Error E, StringRef CompilerDiagnostics) {
  std::string Text = toString(std::move(E));
  SmallVector<StringRef> Lines;
  CompilerDiagnostics.split(Lines, '\n');
  for (StringRef Line : Lines)
    if (Line.contains("error: "))
      Text += "\n" + Line.str();
  return Text;
}

Expected<SharedAnalysis> AnalysisMemory::analyse(const Options &O,
                                                 StringRef Key,
                                                 ArrayRef<std::string> Models) {
  XXH128_hash_t Hash = xxh3_128bits(arrayRefFromStringRef(Key));
  std::string Hashed = utohexstr(Hash.high64) + "-" + utohexstr(Hash.low64);
  for (const std::string &Model : Models)
    Hashed += " " + Model;
  if (SharedAnalysis Found = find(Hashed))
    return Found;
  auto Began = nanoseconds(std::chrono::system_clock::now());
  std::vector<FileResult> Files = analyzeFiles(O, Models);
  FileResult &Only = Files.front();
  if (!Only.Result) {
    Error E = Only.Result.takeError();
    if (E.isA<UsageError>())
      return std::move(E);
    return createStringError(errorText(std::move(E), Only.Diagnostics));
  }
  if (O.Cancelled && *O.Cancelled)
    return createStringError("cancelled");
  Entry New;
  New.Found = std::make_shared<const Analysis>(std::move(*Only.Result));
  New.Estimates =
      1 + New.Found->Estimates.size() + New.Found->Comparisons.size();
  SharedAnalysis Result = New.Found;
  New.Key = std::move(Hashed);
  for (const std::string &File : filesOf(O, *Result))
    New.Files.push_back(stateOf(File));
  // Which state of a file that changed meanwhile was read is not known.
  if (all_of(New.Files,
             [&](const FileState &State) { return State.Changed < Began; }))
    keep(std::move(New));
  return Result;
}

} // namespace gpuestimate
