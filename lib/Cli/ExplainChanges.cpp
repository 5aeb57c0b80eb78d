#include "ExplainChanges.h"

#include "SourceHunks.h"
#include "gpu-estimate/Session/Pipeline/OutputFiles.h"
#include "gpu-estimate/Support/TimedProcess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

/// Edits beyond as many are not analysed one by one.
static constexpr size_t MaxEdits = 16;

/// What a program prints to its standard output and error; the error is the
/// last line of it.
static Expected<std::string> runTool(std::vector<std::string> Words,
                                     const std::string &Folder) {
  ErrorOr<std::string> Path = sys::findProgramByName(Words.front());
  if (!Path)
    return createStringError("no program " + Words.front());
  std::string Name = std::exchange(Words.front(), *Path);
  auto Process = TimedProcess::start(Words, Folder, std::chrono::minutes(10));
  if (!Process)
    return Process.takeError();
  TimedProcess::Ending End = Process->wait();
  StringRef Output = StringRef(End.Output).trim();
  if (End.InTime && End.Status == 0)
    return Output.str();
  return createStringError(Name + ": " +
                           (End.InTime ? Output.rsplit('\n').second.empty()
                                             ? Output
                                             : Output.rsplit('\n').second
                                       : StringRef("took too long")));
}

namespace {

/// The sources of a revision of git in a temporary folder.
class EarlierSources {
public:
  explicit EarlierSources(const Options &O) : O(O) {}
  ~EarlierSources() {
    if (!Folder.empty())
      sys::fs::remove_directories(Folder);
  }
  EarlierSources(const EarlierSources &) = delete;
  EarlierSources &operator=(const EarlierSources &) = delete;

  Error checkOut();
  /// The name of a file below the root as it is in the current folder.
  void nameFromHere(SourceChange &Edit) const {
    StringRef Name(Edit.File);
    if (Name.consume_front(Prefix))
      Edit.File = Name.str();
  }
  /// What differs between the revision and the files as they are now.
  Expected<std::vector<SourceHunk>> hunks(ArrayRef<std::string> Files) const;
  Expected<std::vector<SnapshotRow>> analyze() const;
  /// The rows after one edit of the revision.
  Expected<std::vector<SnapshotRow>> analyzeWith(const SourceHunk &H) const;

private:
  Expected<std::string> revision() const;
  /// By one compiler; "": the one that the command does not name.
  Expected<std::vector<SnapshotRow>> analyzeBy(StringRef Compiler) const;

  const Options &O;
  SmallString<128> Folder;
  std::string Root, Prefix; ///< of the working tree; of the current folder
  std::string Revision;
};

} // namespace

Expected<std::string> EarlierSources::revision() const {
  if (!O.Changes.Explain->empty())
    return *O.Changes.Explain;
  auto Found = runTool(
      {"git", "log", "-1", "--format=%H", "--", O.Changes.GoldenFile}, "");
  if (!Found)
    return Found;
  if (Found->empty())
    return createStringError(
        "no revision of git has " + O.Changes.GoldenFile +
        "; --explain=REV names the revision that it describes");
  auto Shallow = runTool({"git", "rev-parse", "--is-shallow-repository"}, "");
  if (Shallow && *Shallow == "true" &&
      !runTool({"git", "rev-parse", "--verify", "-q", *Found + "^"}, ""))
    return createStringError("the history of this clone ends before " +
                             O.Changes.GoldenFile +
                             " was changed: fetch it (fetch-depth: 0), or name "
                             "a revision (--explain=REV)");
  return Found;
}

Error EarlierSources::checkOut() {
  auto Top = runTool({"git", "rev-parse", "--show-toplevel"}, "");
  if (!Top)
    return Top.takeError();
  auto Here = runTool({"git", "rev-parse", "--show-prefix"}, "");
  if (!Here)
    return Here.takeError();
  Root = *Top;
  Prefix = *Here;
  Expected<std::string> Found = revision();
  if (!Found)
    return Found.takeError();
  Revision = *Found;
  if (std::error_code E =
          sys::fs::createUniqueDirectory("gpu-estimate-explain", Folder))
    return createStringError(E, "no temporary folder");
  std::string Archive = (Folder + "/.sources.tar").str();
  for (const std::vector<std::string> &Words :
       {std::vector<std::string>{"git", "archive", "--format=tar", "-o",
                                 Archive, Revision},
        {"tar", "-xf", Archive, "-C", Folder.str().str()}})
    if (auto Done = runTool(Words, Root); !Done)
      return Done.takeError();
  sys::fs::remove(Archive);
  return Error::success();
}

Expected<std::vector<SourceHunk>>
EarlierSources::hunks(ArrayRef<std::string> Files) const {
  std::vector<std::string> Words = {"git",
                                    "diff",
                                    "--unified=0",
                                    "--no-color",
                                    "--no-ext-diff",
                                    "--no-renames",
                                    "--src-prefix=a/",
                                    "--dst-prefix=b/",
                                    Revision,
                                    "--"};
  size_t Options = Words.size();
  for (const std::string &File : Files) {
    SmallString<128> Real;
    if (!sys::fs::real_path(File, Real) && Real.starts_with(Root + "/"))
      Words.push_back(Real.str().str());
  }
  if (Words.size() == Options)
    return std::vector<SourceHunk>();
  auto Diff = runTool(Words, Root);
  if (!Diff)
    return Diff.takeError();
  return parseHunks(*Diff);
}

/// The words of the command line that are those of analyze, too.
static std::vector<std::string> wordsOfAnalyze(const Options &O) {
  SmallVector<StringRef, 16> All;
  StringRef(O.CommandText).trim('\n').split(All, '\n');
  std::vector<std::string> Words = {"analyze"};
  bool AreOptions = true;
  for (size_t I = 1; I < All.size(); ++I) {
    AreOptions &= All[I] != "--";
    StringRef Spelling = All[I].split('=').first;
    const OptionSpec *Spec = find_if(optionTable(), [&](const OptionSpec &S) {
      return S.Spelling == Spelling && S.Commands & ByGolden &&
             !(S.Commands & ByAnalyze);
    });
    if (!AreOptions || Spec == optionTable().end())
      Words.push_back(All[I].str());
    else if (!All[I].contains('=') && !Spec->Metavariable.empty() &&
             !Spec->isValueOptional())
      ++I;
  }
  return Words;
}

Expected<std::vector<SnapshotRow>>
EarlierSources::analyzeBy(StringRef Compiler) const {
  std::string Json = (Folder + "/.result.json").str();
  std::vector<std::string> Words = {sys::fs::getMainExecutable("", nullptr)};
  append_range(Words, wordsOfAnalyze(O));
  Words.insert(Words.begin() + 2, {"--format=json", "-o", Json});
  if (!Compiler.empty())
    Words.insert(Words.begin() + 2, "--compiler=" + Compiler.str());
  std::string Place = (Folder + "/" + Prefix).str();
  if (auto Done = runTool(Words, Place); !Done)
    return Done.takeError();
  auto Text = MemoryBuffer::getFile(Json);
  if (!Text)
    return createStringError(Json + ": " + Text.getError().message());
  Expected<json::Value> Value = json::parse((*Text)->getBuffer());
  if (!Value)
    return Value.takeError();
  std::vector<json::Object> Objects;
  if (json::Object *Object = Value->getAsObject())
    Objects.push_back(std::move(*Object));
  return snapshotOf(Objects);
}

Expected<std::vector<SnapshotRow>> EarlierSources::analyze() const {
  ArrayRef<DeviceCompiler> Compilers = O.Changes.Compilers;
  if (Compilers.size() < 2)
    return analyzeBy(Compilers.empty() ? "" : name(Compilers.front()));
  std::vector<SnapshotRow> All;
  for (DeviceCompiler Compiler : Compilers) {
    Expected<std::vector<SnapshotRow>> Rows = analyzeBy(name(Compiler));
    if (!Rows)
      return Rows;
    for (SnapshotRow &R : *Rows) {
      R.Compiler = name(Compiler);
      All.push_back(std::move(R));
    }
  }
  sortRows(All);
  return All;
}

Expected<std::vector<SnapshotRow>>
EarlierSources::analyzeWith(const SourceHunk &H) const {
  std::string File = (Folder + "/" + H.File).str();
  auto Before = MemoryBuffer::getFile(File);
  if (!Before)
    return createStringError(File + ": " + Before.getError().message());
  std::string Text = (*Before)->getBuffer().str();
  if (Error E = writeWhole(File, H.applyTo(Text)))
    return std::move(E);
  Expected<std::vector<SnapshotRow>> Rows = analyze();
  if (Error E = writeWhole(File, Text)) {
    if (!Rows)
      consumeError(Rows.takeError());
    return std::move(E);
  }
  return Rows;
}

static const SnapshotRow *rowWithKey(ArrayRef<SnapshotRow> Rows,
                                     const SnapshotRow &Wanted) {
  const SnapshotRow *Found = find_if(
      Rows, [&](const SnapshotRow &R) { return R.key() == Wanted.key(); });
  return Found == Rows.end() ? nullptr : Found;
}

/// The only edit makes all changes.
static void attributeAll(const SourceHunk &H,
                         std::vector<SnapshotChange> &Changes) {
  for (SnapshotChange &C : Changes)
    if (C.Earlier && C.After) {
      C.Edits.push_back(H.change());
      C.Edits.back().Alone = C.After->Milliseconds / C.Earlier->Milliseconds;
    }
}

/// Adds an edit to the changes that it makes alone.
static void attribute(const SourceHunk &H, ArrayRef<SnapshotRow> Alone,
                      const ChangeRule &Rule,
                      std::vector<SnapshotChange> &Changes) {
  for (SnapshotChange &C : Changes) {
    const SnapshotRow *Row =
        C.Earlier && C.After ? rowWithKey(Alone, *C.Earlier) : nullptr;
    if (!Row || compareSnapshots(*C.Earlier, *Row, Rule).empty())
      continue;
    SourceChange Edit = H.change();
    Edit.Alone = Row->Milliseconds / C.Earlier->Milliseconds;
    C.Edits.push_back(std::move(Edit));
  }
}

Error explainChanges(const Options &O, ArrayRef<std::string> FilesRead,
                     std::vector<SnapshotChange> &Changes,
                     std::vector<SnapshotRow> &Rows) {
  if (!O.CompilationDatabase.empty())
    return createStringError(
        "the commands of a compilation database are about the sources as they "
        "are now; name the files and options without -p");
  EarlierSources Earlier(O);
  if (Error E = Earlier.checkOut())
    return E;
  Expected<std::vector<SourceHunk>> Hunks = Earlier.hunks(FilesRead);
  if (!Hunks)
    return Hunks.takeError();
  erase_if(*Hunks, [](const SourceHunk &H) {
    SourceChange Change = H.change();
    return Change.Removed.empty() && Change.Added.empty();
  });
  Expected<std::vector<SnapshotRow>> Before = Earlier.analyze();
  if (!Before)
    return Before.takeError();
  Rows = std::move(*Before);
  for (SnapshotChange &C : Changes)
    if (C.Before && C.After)
      C.Earlier = rowWithKey(Rows, *C.Before);
  if (Hunks->empty())
    return createStringError("the sources are those of the golden file: the "
                             "options, the GPU models or gpu-estimate differ");
  auto NameFromHere = make_scope_exit([&] {
    for (SnapshotChange &C : Changes)
      for (SourceChange &Edit : C.Edits)
        Earlier.nameFromHere(Edit);
  });
  if (Hunks->size() == 1) {
    attributeAll(Hunks->front(), Changes);
    return Error::success();
  }
  if (Hunks->size() > MaxEdits)
    return createStringError(std::to_string(Hunks->size()) +
                             " places of the sources have changed, too many to "
                             "try each alone");
  ChangeRule Rule = {O.Changes.Tolerance, VerdictRule::Likely};
  for (const SourceHunk &H : *Hunks) {
    Expected<std::vector<SnapshotRow>> Alone = Earlier.analyzeWith(H);
    if (Alone)
      attribute(H, *Alone, Rule, Changes);
    else
      consumeError(Alone.takeError()); // it does not compile alone
  }
  for (SnapshotChange &C : Changes)
    stable_sort(C.Edits, [](const SourceChange &A, const SourceChange &B) {
      return std::fabs(std::log(*A.Alone)) > std::fabs(std::log(*B.Alone));
    });
  return Error::success();
}

} // namespace gpuestimate
