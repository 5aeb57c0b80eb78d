#include "gpu-estimate/Run/ProgramProcess.h"

#include "gpu-estimate/Run/Environment.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cerrno>
#include <csignal>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

extern char **environ;

using namespace llvm;

namespace gpuestimate {

static std::vector<std::string> environment(const ProgramCommand &Command,
                                            int ItsEnd) {
  std::vector<std::string> All;
  auto isReplaced = [&](StringRef Entry) {
    return Entry.starts_with("GPU_ESTIMATE_RUN_") ||
           any_of(Command.Environment, [&](const auto &Variable) {
             return Entry.split('=').first == Variable.first;
           });
  };
  // getenv() finds the first of two entries with one name.
  for (char **Entry = environ; *Entry; ++Entry)
    if (!isReplaced(*Entry))
      All.push_back(*Entry);
  All.push_back(runenvironment::Socket + ("=" + std::to_string(ItsEnd)));
  for (const auto &[Name, Value] : Command.Environment)
    All.push_back(Name + "=" + Value);
  return All;
}

static std::vector<char *> pointersTo(std::vector<std::string> &Texts) {
  std::vector<char *> Pointers;
  for (std::string &Text : Texts)
    Pointers.push_back(Text.data());
  Pointers.push_back(nullptr);
  return Pointers;
}

static Error systemError(const char *What) {
  return createStringError(std::error_code(errno, std::generic_category()),
                           What);
}

Expected<ProgramProcess> ProgramProcess::start(const ProgramCommand &Command) {
  int Ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, Ends) != 0)
    return systemError("no socket");
  std::vector<std::string> Environment = environment(Command, Ends[1]);
  std::vector<std::string> Words = {Command.File};
  Words.insert(Words.end(), Command.Arguments.begin(), Command.Arguments.end());
  std::vector<char *> Arguments = pointersTo(Words),
                      Variables = pointersTo(Environment);
  ProgramProcess P;
  P.Process = fork();
  if (P.Process == 0) {
    close(Ends[0]);
    prctl(PR_SET_PDEATHSIG, SIGKILL); // a run that is ended leaves nothing
    if (Command.FixedAddresses)
      personality(ADDR_NO_RANDOMIZE);
    if (Command.Output != STDOUT_FILENO)
      dup2(Command.Output, STDOUT_FILENO);
    if (Command.ErrorOutput != STDERR_FILENO)
      dup2(Command.ErrorOutput, STDERR_FILENO);
    execve(Command.File.c_str(), Arguments.data(), Variables.data());
    _exit(127);
  }
  close(Ends[1]);
  P.Socket = Ends[0];
  if (P.Process < 0)
    return systemError("no process");
  return std::move(P);
}

void ProgramProcess::end() { kill(Process, SIGKILL); }

int ProgramProcess::wait() {
  int Status = 0;
  while (waitpid(Process, &Status, 0) < 0 && errno == EINTR)
    ;
  return WIFSIGNALED(Status) ? 128 + WTERMSIG(Status) : WEXITSTATUS(Status);
}

} // namespace gpuestimate
