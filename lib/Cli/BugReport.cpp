/// \file
/// `gpu-estimate bug-report`: what a report of a fault needs, as one text.
#include "Doctor.h"
#include "ReduceSource.h"

#include "gpu-estimate/Cli/Commands.h"
#include "gpu-estimate/Session/Pipeline/OutputFiles.h"
#include "gpu-estimate/Session/Settings/Config.h"
#include "gpu-estimate/Support/TimedProcess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include <cstdlib>
#include <cxxabi.h>

using namespace llvm;

namespace gpuestimate {

static constexpr unsigned AnalysisMinutes = 10, ReductionMinutes = 15;

namespace {

/// `gpu-estimate analyze` with the arguments of bug-report, in a process of its
/// own: a crash is a result.
struct ReportedAnalysis {
  std::vector<std::string> Words; ///< "analyze", then arguments
  TimedProcess::Ending End;
  std::optional<json::Value> Result; ///< schema gpu-estimate/1, if it wrote any

  std::string ending() const;
  std::string error() const;
  ArrayRef<json::Value> list(StringRef Key) const;
};

} // namespace

static std::string toolPath() {
  return sys::fs::getMainExecutable("", nullptr);
}

/// The words of the command line, of the command analyze.
static std::vector<std::string> analyzeWords(const Options &O) {
  SmallVector<StringRef, 16> Words;
  StringRef(O.CommandText).trim('\n').split(Words, '\n');
  std::vector<std::string> Result = {"analyze"};
  for (StringRef Word : drop_begin(Words))
    if (Word != "--with-source" && Word != "--reduce")
      Result.push_back(Word.str());
  return Result;
}

static Expected<ReportedAnalysis> analyzeInProcess(const Options &O) {
  ReportedAnalysis A;
  A.Words = analyzeWords(O);
  SmallString<128> Json;
  if (std::error_code E =
          sys::fs::createTemporaryFile("gpu-estimate-report", "json", Json))
    return createStringError(E, "no temporary file");
  auto Remove = make_scope_exit([&] { sys::fs::remove(Json); });
  std::vector<std::string> Words = {toolPath()};
  append_range(Words, A.Words);
  Words.insert(Words.begin() + 2, ("--json=" + Json).str());
  auto Process =
      TimedProcess::start(Words, "", std::chrono::minutes(AnalysisMinutes));
  if (!Process)
    return Process.takeError();
  A.End = Process->wait();
  if (auto Text = MemoryBuffer::getFile(Json)) {
    Expected<json::Value> Parsed = json::parse((*Text)->getBuffer());
    if (Parsed)
      A.Result = std::move(*Parsed);
    else
      consumeError(Parsed.takeError());
  }
  return A;
}

std::string ReportedAnalysis::ending() const {
  if (!End.InTime)
    return "ended after " + std::to_string(AnalysisMinutes) + " minutes";
  return End.Status < 0 ? "ended by a signal"
                        : "exit status " + std::to_string(End.Status);
}

ArrayRef<json::Value> ReportedAnalysis::list(StringRef Key) const {
  const json::Object *Object = Result ? Result->getAsObject() : nullptr;
  const json::Array *Array = Object ? Object->getArray(Key) : nullptr;
  return Array ? ArrayRef(Array->data(), Array->size())
               : ArrayRef<json::Value>();
}

/// What is wrong: the compiler's first error, else the tool's, else the reason
/// of the first kernel without an estimate; empty if nothing is.
std::string ReportedAnalysis::error() const {
  SmallVector<StringRef, 64> Lines;
  StringRef(End.Output).split(Lines, '\n');
  std::string OwnError;
  for (StringRef Line : Lines) {
    size_t Place = Line.find("error: ");
    if (Place == StringRef::npos)
      continue;
    std::string Text = Line.substr(Place + 7).str();
    if (!Line.starts_with("gpu-estimate: "))
      return Text;
    if (OwnError.empty())
      OwnError = std::move(Text);
  }
  if (!OwnError.empty())
    return OwnError;
  for (const json::Value &V : list("unresolved"))
    if (const json::Object *U = V.getAsObject())
      return U->getString("reason").value_or("").str();
  return End.Status < 0 && !Lines.empty() ? Lines.front().str() : "";
}

/// "saxpy(int, float*)" of a mangled name.
static std::string signatureOf(const std::string &Mangled) {
  int Status = 0;
  char *Text = abi::__cxa_demangle(Mangled.c_str(), nullptr, nullptr, &Status);
  std::string Signature = Text && Status == 0 ? Text : Mangled;
  std::free(Text);
  return Signature;
}

/// The signatures of all kernels with the first line of each definition.
static void printKernels(raw_ostream &OS, const ReportedAnalysis &A) {
  std::vector<std::string> Seen;
  for (StringRef Key : {"estimates", "unresolved"})
    for (const json::Value &V : A.list(Key)) {
      const json::Object *O = V.getAsObject();
      std::string Mangled = O ? O->getString("kernel").value_or("").str() : "";
      if (Mangled.empty() || is_contained(Seen, Mangled))
        continue;
      Seen.push_back(Mangled);
      OS << signatureOf(Mangled);
      if (const json::Object *At = O->getObject("location"))
        OS << "  " << At->getString("file").value_or("") << ':'
           << At->getInteger("line").value_or(0);
      if (Key == "unresolved")
        OS << ": " << O->getString("reason").value_or("");
      OS << '\n';
    }
  if (Seen.empty())
    OS << "none is known\n";
}

/// The output without the lines of source that clang shows below a message:
/// "   12 |   x[i] = y;", "      |          ^".
static void printWithoutSource(raw_ostream &OS, StringRef Output) {
  Regex Excerpt("^ *[0-9]* \\| ");
  SmallVector<StringRef, 64> Lines;
  Output.trim('\n').split(Lines, '\n');
  for (StringRef Line : Lines)
    if (!Excerpt.match(Line))
      OS << Line << '\n';
}

static std::string systemName() {
  auto Release = MemoryBuffer::getFile("/etc/os-release");
  SmallVector<StringRef, 2> Groups;
  if (Release &&
      Regex("PRETTY_NAME=\"([^\"]*)\"").match((*Release)->getBuffer(), &Groups))
    return Groups[1].str();
  return "unknown system";
}

/// How the source can be reduced; the error says why it cannot.
static Expected<FailingCommand> failingCommand(const Options &O,
                                               const ReportedAnalysis &A) {
  FailingCommand Command;
  Command.Message = A.error();
  Command.Status = A.End.Status;
  if (Command.Message.empty())
    return createStringError("the analysis does not fail");
  if (O.Files.size() != 1 || !O.CompilationDatabase.empty())
    return createStringError("name one file, without -p");
  Command.File = O.Files.front();
  Command.Words = {toolPath()};
  append_range(Command.Words, A.Words);
  // A copy lies in another folder than headers and the configuration.
  std::string Config = findConfig(Command.File);
  if (O.ConfigFile.empty() && !Config.empty())
    Command.Words.insert(Command.Words.begin() + 2, "--config=" + Config);
  if (!is_contained(Command.Words, "--"))
    Command.Words.push_back("--");
  SmallString<128> Folder(sys::path::parent_path(Command.File));
  sys::fs::make_absolute(Folder);
  append_range(Command.Words,
               std::vector<std::string>{"-iquote", Folder.str().str()});
  return Command;
}

static void printReduced(raw_ostream &OS, const Options &O,
                         const ReportedAnalysis &A, raw_ostream &Err) {
  auto Reduce = [&]() -> Expected<ReducedSource> {
    Expected<FailingCommand> Command = failingCommand(O, A);
    if (!Command)
      return Command.takeError();
    Err << "gpu-estimate: reducing " << Command->File << " to what fails with '"
        << Command->Message << "', for at most " << ReductionMinutes
        << " minutes\n";
    return reduceSource(*Command, ReductionMinutes);
  };
  Expected<ReducedSource> Reduced = Reduce();
  if (!Reduced) {
    Err << "gpu-estimate: warning: --reduce: " << toString(Reduced.takeError())
        << '\n';
    return;
  }
  OS << "\n== Source, reduced by " << Reduced->Program << "\n\n"
     << Reduced->Text << '\n';
}

static void printSources(raw_ostream &OS, const Options &O) {
  for (const std::string &File : O.Files) {
    OS << "\n== Source of " << File << "\n\n";
    if (auto Text = MemoryBuffer::getFile(File))
      OS << (*Text)->getBuffer() << '\n';
    else
      OS << Text.getError().message() << '\n';
  }
}

ExitStatus runBugReport(const Options &O, raw_ostream &Out, raw_ostream &Err) {
  Expected<ReportedAnalysis> A = analyzeInProcess(O);
  if (!A) {
    Err << "gpu-estimate: error: " << toString(A.takeError()) << '\n';
    return NotAnalysed;
  }
  std::string Text;
  raw_string_ostream OS(Text);
  std::string Message = A->error();
  OS << "== Versions\n\ngpu-estimate " << toolVersion() << ", LLVM "
     << LLVM_VERSION_STRING << ", " << systemName()
     << "\n\n== Command\n\ngpu-estimate " << join(A->Words, " ") << '\n'
     << A->ending() << "\n\n== Error\n\n"
     << (Message.empty() ? "none" : Message) << "\n\n== Kernels\n\n";
  printKernels(OS, *A);
  OS << "\n== Output\n\n";
  if (O.BugReport.WithSource)
    OS << StringRef(A->End.Output).trim('\n') << '\n';
  else
    printWithoutSource(OS, A->End.Output);
  OS << "\n== Machine\n\n";
  printMachine(OS, inspectMachine(O.ModelFolder));
  if (O.BugReport.WithSource)
    printSources(OS, O);
  if (O.BugReport.Reduce)
    printReduced(OS, O, *A, Err);
  return writeOutput(O, OS.str(), Out, Err);
}

} // namespace gpuestimate
