/// \file
/// `gpu-estimate golden` and `gpu-estimate diff`: has anything changed, and
/// why?
#include "ExplainChanges.h"
#include "SourceAnalysis.h"
#include "gpu-estimate/Cli/Commands.h"
#include "gpu-estimate/Commands/Run/RunProgram.h"
#include "gpu-estimate/Session/Pipeline/OutputFiles.h"

#include "gpu-estimate/Report/Html/Html.h"
#include "gpu-estimate/Report/Records/Records.h"
#include "gpu-estimate/Report/Records/Snapshot.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuestimate {

static ExitStatus wrongUsage(raw_ostream &Err, const Twine &Text) {
  Err << "gpu-estimate: error: " << Text << '\n';
  return WrongUsage;
}

/// Rows of a snapshot. Says on Err which estimates have no time.
static std::vector<SnapshotRow> rowsOf(ArrayRef<json::Object> Objects,
                                       raw_ostream &Err) {
  for (const std::string &Text : notCompared(Objects))
    Err << "gpu-estimate: warning: " << Text << '\n';
  return snapshotOf(Objects);
}

/// The JSON that other programs see.
static std::vector<json::Object> objectsOf(const Analysis &A) {
  std::string Text;
  raw_string_ostream OS(Text);
  printJson(OS, A, toolVersion());
  std::vector<json::Object> Objects;
  Objects.push_back(std::move(*cantFail(json::parse(OS.str())).getAsObject()));
  return Objects;
}

static std::vector<SnapshotRow> rowsOf(const Analysis &A, raw_ostream &Err) {
  return rowsOf(objectsOf(A), Err);
}

/// Appends the rows of one analysis, or of one by each compiler of --compiler.
/// Into keeps what is said about the input, once, and the files that were read.
static ExitStatus analyzeByCompilers(const Options &O,
                                     std::vector<SnapshotRow> &Rows,
                                     Analysis &Into, raw_ostream &Err) {
  if (O.Changes.Compilers.size() < 2) {
    if (ExitStatus Status = analyzeAll(O, {}, Into, Err); Status != Done)
      return Status;
    printNotices(Err, Into);
    Rows = rowsOf(Into, Err);
    return Done;
  }
  std::string Said;
  for (DeviceCompiler Compiler : O.Changes.Compilers) {
    Options One = O;
    One.Compiler = Compiler;
    Analysis A;
    if (ExitStatus Status = analyzeAll(One, {}, A, Err); Status != Done)
      return Status;
    std::string Text;
    raw_string_ostream OS(Text);
    printNotices(OS, A);
    std::vector<SnapshotRow> Found = rowsOf(A, OS);
    if (OS.str() != Said)
      Err << Text;
    Said = std::move(Text);
    for (SnapshotRow &R : Found) {
      R.Compiler = name(Compiler);
      Rows.push_back(std::move(R));
    }
    if (Into.Estimates.empty())
      Into = std::move(A);
  }
  sortRows(Rows);
  return Done;
}

/// Rows that are in either, for "N of M changed".
static size_t countOf(ArrayRef<SnapshotRow> After,
                      ArrayRef<SnapshotChange> Changes) {
  size_t Gone = 0;
  for (const SnapshotChange &C : Changes)
    Gone += C.Kind == ChangeKind::Gone;
  return After.size() + Gone;
}

/// The table of changes as text or Markdown.
static std::string changesText(const Options &O,
                               ArrayRef<SnapshotChange> Changes,
                               ArrayRef<SnapshotRow> After) {
  std::string Text;
  raw_string_ostream OS(Text);
  size_t Compared = countOf(After, Changes);
  if (O.Changes.Format == ChangeFormat::Markdown)
    printChangesMarkdown(OS, Changes, After, Compared);
  else
    printChanges(OS, Changes, Compared);
  return Text;
}

/// Writes what has changed; the status is that of --fail-on.
static ExitStatus writeChanges(const Options &O,
                               ArrayRef<SnapshotChange> Changes,
                               const std::string &Text, raw_ostream &Out,
                               raw_ostream &Err) {
  if (ExitStatus Status = writeOutput(O, Text, Out, Err); Status != Done)
    return Status;
  bool Fails = any_of(Changes, [&](const SnapshotChange &C) {
    return !O.Changes.FailOnRegression || verdict(C) == ChangeVerdict::Slower;
  });
  return Fails ? BoundExceeded : Done;
}

ExitStatus runGolden(const Options &O, raw_ostream &Out, raw_ostream &Err) {
  if (O.Changes.GoldenFile.empty())
    return wrongUsage(Err, "golden: pass --check GOLDEN or --update GOLDEN");
  std::vector<SnapshotRow> Before;
  std::string Text;
  if (!O.Changes.Update) {
    auto Buffer = MemoryBuffer::getFile(O.Changes.GoldenFile);
    if (!Buffer)
      return wrongUsage(Err, O.Changes.GoldenFile + ": " +
                                 Buffer.getError().message() +
                                 "; golden --update writes it");
    Text = (*Buffer)->getBuffer().str();
    auto Rows = parseGolden(O.Changes.GoldenFile, Text);
    if (!Rows)
      return wrongUsage(Err, toString(Rows.takeError()));
    Before = std::move(*Rows);
  }
  Analysis All;
  std::vector<SnapshotRow> After;
  if (ExitStatus Status = analyzeByCompilers(O, After, All, Err);
      Status != Done)
    return Status;
  if (All.Estimates.empty()) {
    Err << "gpu-estimate: error: no kernel with an estimate\n";
    return NotAnalysed;
  }
  if (O.Changes.Update) {
    if (Error E = writeWhole(O.Changes.GoldenFile, goldenText(After)))
      return wrongUsage(Err, toString(std::move(E)));
    Out << O.Changes.GoldenFile << ": " << After.size() << " estimates\n";
    return Done;
  }
  std::vector<SnapshotChange> Changes =
      compareSnapshots(Before, After, {O.Changes.Tolerance, O.Changes.When});
  std::vector<SnapshotRow> Earlier;
  if (O.Changes.Explain && !Changes.empty())
    if (Error E = explainChanges(O, All.Files, Changes, Earlier))
      Err << "gpu-estimate: warning: --explain: " << toString(std::move(E))
          << '\n';
  std::string Output = changesText(O, Changes, After);
  if (!Changes.empty() && O.Changes.Format == ChangeFormat::Text)
    Output += "\n" + goldenPatch(O.Changes.GoldenFile, Text, Before, Changes);
  return writeChanges(O, Changes, Output, Out, Err);
}

/// One result as objects of schema gpu-estimate/1: an object of JSON, records,
/// or a saved run.
static Expected<std::vector<json::Object>>
readResult(const Options &O, const std::string &Name, raw_ostream &Err) {
  if (sys::fs::is_directory(Name) || sys::path::extension(Name) == ".jsonl") {
    Expected<Records> Found = readRecords({Name}, /*KeepGone=*/true);
    if (!Found)
      return Found.takeError();
    for (const std::string &Problem : Found->Problems)
      Err << "gpu-estimate: warning: " << Problem << '\n';
    return std::move(Found->Objects);
  }
  if (isSavedRun(Name)) {
    Expected<Analysis> Run = analyzeSavedRun(O, Name);
    if (!Run)
      return Run.takeError();
    return objectsOf(*Run);
  }
  auto Buffer = MemoryBuffer::getFile(Name);
  if (!Buffer)
    return createStringError(Name + ": " + Buffer.getError().message());
  Expected<json::Value> Value = json::parse((*Buffer)->getBuffer());
  if (!Value)
    return createStringError(Name + ": " + toString(Value.takeError()));
  json::Object *Result = Value->getAsObject();
  if (!Result || Result->getString("schema") != "gpu-estimate/1")
    return createStringError(Name + ": not an object of schema gpu-estimate/1");
  std::vector<json::Object> Objects;
  Objects.push_back(std::move(*Result));
  return Objects;
}

static std::string jsonText(std::vector<json::Object> Objects) {
  json::Array All;
  for (json::Object &O : Objects)
    All.push_back(std::move(O));
  return formatv("{0}", json::Value(std::move(All))).str();
}

ExitStatus runDiff(const Options &O, raw_ostream &Out, raw_ostream &Err) {
  auto Before = readResult(O, O.Files[0], Err);
  if (!Before)
    return wrongUsage(Err, toString(Before.takeError()));
  auto After = readResult(O, O.Files[1], Err);
  if (!After)
    return wrongUsage(Err, toString(After.takeError()));
  std::vector<SnapshotRow> Old = rowsOf(*Before, Err),
                           New = rowsOf(*After, Err);
  std::vector<SnapshotChange> Changes =
      compareSnapshots(Old, New, {O.Changes.Tolerance, O.Changes.When});
  std::string Text = changesText(O, Changes, New);
  if (O.Changes.Format == ChangeFormat::Html) {
    std::string Page;
    raw_string_ostream OS(Page);
    printDiffHtml(OS, {O.Files[0], O.Files[1]}, jsonText(std::move(*Before)),
                  jsonText(std::move(*After)), Text, toolVersion());
    Text = std::move(Page);
  }
  return writeChanges(O, Changes, Text, Out, Err);
}

} // namespace gpuestimate
