#include "ReduceSource.h"

#include "gpu-estimate/Support/TimedProcess.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuestimate {

/// Text as one word of a shell.
static std::string shellWord(StringRef Text) {
  std::string Word = "'";
  for (char C : Text)
    Word += C == '\'' ? std::string("'\\''") : std::string(1, C);
  return Word + "'";
}

/// The interestingness test: exit status 0 if the command fails on the file of
/// this name in the current folder as it does on the whole source. The command
/// runs in the folder of the user, where relative paths mean the same.
static std::string interestingnessTest(const FailingCommand &Command,
                                       StringRef Name, StringRef Folder) {
  std::string Script = "#!/bin/sh\ncandidate=\"$PWD/\"" + shellWord(Name) +
                       "\ncd " + shellWord(Folder) +
                       " || exit 1\noutput=$(timeout 60";
  for (const std::string &Word : Command.Words)
    Script += " " + (Word == Command.File ? "\"$candidate\"" : shellWord(Word));
  Script += " 2>&1)\n[ $? ";
  Script +=
      Command.Status < 0 ? "-gt 128" : "-eq " + std::to_string(Command.Status);
  return Script + " ] && printf '%s\\n' \"$output\" | grep -qF -e " +
         shellWord(Command.Message) + "\n";
}

static Error writeFile(const Twine &Path, StringRef Text, bool Executable) {
  std::error_code Problem;
  raw_fd_ostream OS(Path.str(), Problem);
  if (Problem)
    return createStringError(Path + ": " + Problem.message());
  OS << Text;
  OS.close();
  if (Executable)
    Problem = sys::fs::setPermissions(Path, sys::fs::owner_all);
  return Problem ? createStringError(Path + ": " + Problem.message())
                 : Error::success();
}

static Expected<TimedProcess::Ending> runIn(const std::string &Folder,
                                            std::vector<std::string> Words,
                                            std::chrono::milliseconds Limit) {
  auto Process = TimedProcess::start(Words, Folder, Limit);
  if (!Process)
    return Process.takeError();
  return Process->wait();
}

Expected<ReducedSource> reduceSource(const FailingCommand &Command,
                                     unsigned Minutes) {
  std::string Reducer;
  for (StringRef Name : {"cvise", "creduce"})
    if (auto Path = sys::findProgramByName(Name); Path && Reducer.empty())
      Reducer = *Path;
  if (Reducer.empty())
    return createStringError("neither cvise nor creduce is installed: apt "
                             "install cvise, or apt install creduce");
  auto Source = MemoryBuffer::getFile(Command.File);
  if (!Source)
    return createStringError(Command.File + ": " + Source.getError().message());
  SmallString<128> Folder, Here;
  if (std::error_code E =
          sys::fs::createUniqueDirectory("gpu-estimate-reduce", Folder))
    return createStringError(E, "no temporary folder");
  auto Remove = make_scope_exit([&] { sys::fs::remove_directories(Folder); });
  if (std::error_code E = sys::fs::current_path(Here))
    return createStringError(E, "no current folder");
  std::string Name = sys::path::filename(Command.File).str(),
              Test = (Folder + "/test.sh").str();
  if (Error E = writeFile(Folder + "/" + Name, (*Source)->getBuffer(), false))
    return std::move(E);
  if (Error E = writeFile(Test, interestingnessTest(Command, Name, Here), true))
    return std::move(E);
  std::string Work = Folder.str().str();
  auto First = runIn(Work, {Test}, std::chrono::minutes(2));
  if (!First)
    return First.takeError();
  if (First->Status != 0)
    return createStringError("a copy of " + Command.File +
                             " in another folder does not fail with '" +
                             Command.Message + "'");
  auto Reduced =
      runIn(Work, {Reducer, Test, Name}, std::chrono::minutes(Minutes));
  if (!Reduced)
    return Reduced.takeError();
  // What was found until the limit is a result, too.
  if (Reduced->InTime && Reduced->Status != 0)
    return createStringError(Reducer + ": " +
                             StringRef(Reduced->Output).trim().str());
  auto Result = MemoryBuffer::getFile(Folder + "/" + Name);
  if (!Result)
    return createStringError(Name + ": " + Result.getError().message());
  return ReducedSource{Reducer, (*Result)->getBuffer().str()};
}

} // namespace gpuestimate
