#include "gpu-estimate/Support/TimedProcess.h"

#include "llvm/Support/Errno.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

extern char **environ;

namespace gpuestimate {

using std::chrono::milliseconds;

llvm::Expected<TimedProcess>
TimedProcess::start(llvm::ArrayRef<std::string> Words,
                    const std::string &Directory, milliseconds Limit) {
  int Ends[2];
  if (pipe2(Ends, O_CLOEXEC) != 0)
    return llvm::createStringError("no pipe: " + llvm::sys::StrError());
  posix_spawn_file_actions_t Files;
  posix_spawn_file_actions_init(&Files);
  posix_spawn_file_actions_addopen(&Files, STDIN_FILENO, "/dev/null", O_RDONLY,
                                   0);
  posix_spawn_file_actions_adddup2(&Files, Ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&Files, Ends[1], STDERR_FILENO);
  if (!Directory.empty())
    posix_spawn_file_actions_addchdir_np(&Files, Directory.c_str());
  posix_spawnattr_t Attributes;
  posix_spawnattr_init(&Attributes);
  posix_spawnattr_setflags(&Attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&Attributes, 0);
  std::vector<char *> Pointers;
  for (const std::string &Word : Words)
    Pointers.push_back(const_cast<char *>(Word.c_str()));
  Pointers.push_back(nullptr);
  pid_t Child = 0;
  int Problem = posix_spawn(&Child, Pointers[0], &Files, &Attributes,
                            Pointers.data(), environ);
  posix_spawnattr_destroy(&Attributes);
  posix_spawn_file_actions_destroy(&Files);
  close(Ends[1]);
  if (Problem != 0) {
    close(Ends[0]);
    return llvm::createStringError(Words[0] + ": " +
                                   llvm::sys::StrError(Problem));
  }
  return TimedProcess(Child, Ends[0], Clock::now() + Limit);
}

TimedProcess::TimedProcess(TimedProcess &&Other) noexcept
    : Group(std::exchange(Other.Group, 0)), Pipe(std::exchange(Other.Pipe, -1)),
      Deadline(Other.Deadline) {}

TimedProcess::~TimedProcess() {
  Deadline = Clock::now();
  wait();
}

TimedProcess::Ending TimedProcess::wait() {
  Ending End;
  if (Group == 0)
    return End;
  // The pipe is open as long as one of the programs runs.
  while (Clock::now() < Deadline) {
    auto Remaining =
        std::chrono::ceil<milliseconds>(Deadline - Clock::now()).count();
    pollfd Wait{Pipe, POLLIN, 0};
    if (poll(&Wait, 1,
             static_cast<int>(std::clamp<int64_t>(Remaining, 0, 60'000))) <= 0)
      continue;
    char Buffer[16384];
    ssize_t Count = read(Pipe, Buffer, sizeof(Buffer));
    if (Count == 0) {
      End.InTime = true;
      break;
    }
    if (Count > 0)
      End.Output.append(Buffer, static_cast<size_t>(Count));
  }
  if (!End.InTime)
    kill(-Group, SIGKILL);
  int Status = 0;
  while (waitpid(Group, &Status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(Status))
    End.Status = WEXITSTATUS(Status);
  close(std::exchange(Pipe, -1));
  Group = 0;
  return End;
}

} // namespace gpuestimate
