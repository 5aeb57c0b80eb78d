#include "gpu-estimate/Support/ChildProcess.h"

#include "llvm/Support/ErrorHandling.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <new>
#include <optional>
#include <poll.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace gpuestimate {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

/// Exit status of a child whose allocation failed.
static constexpr int NoMemoryStatus = 77;

milliseconds processCpuTime() {
  timespec Used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &Used);
  return std::chrono::seconds(Used.tv_sec) +
         milliseconds(Used.tv_nsec / 1'000'000);
}

namespace {

/// Bytes of address space of this process; nullopt if the system does not state
/// it.
std::optional<uint64_t> addressSpace() {
  std::optional<uint64_t> Bytes;
  if (FILE *Status = std::fopen("/proc/self/statm", "r")) {
    unsigned long long Pages = 0;
    if (std::fscanf(Status, "%llu", &Pages) == 1)
      Bytes = Pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    std::fclose(Status);
  }
  return Bytes;
}

template <typename ResourceId>
void setLimit(ResourceId Resource, rlim_t Value) {
  rlimit Limit{};
  if (getrlimit(Resource, &Limit) != 0)
    return;
  Limit.rlim_cur = std::min(Value, Limit.rlim_max);
  setrlimit(Resource, &Limit);
}

/// Resets the compiler's signal handlers, which would remove the parent's
/// output files.
void forgetSignalHandlers() {
  for (int Signal = 1; Signal < NSIG; ++Signal)
    std::signal(Signal, SIG_DFL);
  sigset_t None;
  sigemptyset(&None);
  sigprocmask(SIG_SETMASK, &None, nullptr);
}

void applyLimits(const ChildLimits &Limits) {
  setLimit(RLIMIT_CORE, 0);
  // An address sanitizer reserves terabytes, so it gets no limit.
  if (std::optional<uint64_t> Present = addressSpace();
      Present && Limits.MemoryBytes < UINT64_MAX - *Present)
    setLimit(RLIMIT_AS, *Present + Limits.MemoryBytes);
  itimerval Timer{};
  Timer.it_value.tv_sec = Limits.CpuTime.count() / 1000;
  Timer.it_value.tv_usec = Limits.CpuTime.count() % 1000 * 1000;
  if (Timer.it_value.tv_sec == 0 && Timer.it_value.tv_usec == 0)
    Timer.it_value.tv_usec = 1;
  setitimer(ITIMER_PROF, &Timer, nullptr); // SIGPROF ends the process
  std::set_new_handler([] { _exit(NoMemoryStatus); });
  llvm::remove_bad_alloc_error_handler();
  llvm::install_bad_alloc_error_handler(
      [](void *, const char *, bool) { _exit(NoMemoryStatus); });
}

void discardOutput() {
  int Null = open("/dev/null", O_WRONLY);
  if (Null < 0)
    return;
  dup2(Null, STDOUT_FILENO);
  dup2(Null, STDERR_FILENO);
  if (Null > STDERR_FILENO)
    close(Null);
}

[[noreturn]] void beChild(llvm::function_ref<std::string()> Work,
                          const ChildLimits &Limits, int Pipe) {
  forgetSignalHandlers();
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  discardOutput();
  applyLimits(Limits);
  std::string Output = Work();
  for (size_t Done = 0; Done < Output.size();) {
    ssize_t Written = write(Pipe, &Output[Done], Output.size() - Done);
    if (Written > 0)
      Done += static_cast<size_t>(Written);
    else if (Written < 0 && errno != EINTR)
      _exit(1);
  }
  // Skip destructors and exit handlers, which belong to the parent.
  _exit(0);
}

/// Reads until the child closes the pipe. False when Deadline comes first.
bool readAll(int Pipe, Clock::time_point Deadline, std::string &Output) {
  char Buffer[16384];
  while (true) {
    auto Remaining =
        std::chrono::duration_cast<milliseconds>(Deadline - Clock::now());
    pollfd Wait{Pipe, POLLIN, 0};
    int Ready = Remaining.count() <= 0
                    ? 0
                    : poll(&Wait, 1,
                           static_cast<int>(
                               std::min<int64_t>(Remaining.count(), 60'000)));
    if (Ready == 0 && Clock::now() >= Deadline)
      return false;
    if (Ready <= 0)
      continue; // a signal, or a poll shorter than the deadline
    ssize_t Count = read(Pipe, Buffer, sizeof(Buffer));
    if (Count == 0)
      return true;
    if (Count > 0)
      Output.append(Buffer, static_cast<size_t>(Count));
    else if (errno != EINTR)
      return true;
  }
}

} // namespace

ChildResult runInChild(llvm::function_ref<std::string()> Work,
                       const ChildLimits &Limits) {
  ChildResult Result;
  int Ends[2];
  if (pipe(Ends) != 0)
    return Result;
  pid_t Child = fork();
  if (Child < 0) {
    close(Ends[0]);
    close(Ends[1]);
    return Result;
  }
  if (Child == 0) {
    close(Ends[0]);
    beChild(Work, Limits, Ends[1]);
  }
  close(Ends[1]);
  bool InTime = readAll(Ends[0], Clock::now() + Limits.WallTime, Result.Output);
  close(Ends[0]);
  if (!InTime)
    kill(Child, SIGKILL);
  int Status = 0;
  while (waitpid(Child, &Status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(Status) && WEXITSTATUS(Status) == 0) {
    Result.How = ChildResult::Finished;
    return Result;
  }
  Result.Output.clear();
  Result.Signal = WIFSIGNALED(Status) ? WTERMSIG(Status) : 0;
  if (!InTime || Result.Signal == SIGPROF)
    Result.How = ChildResult::OutOfTime;
  else if (WIFEXITED(Status) && WEXITSTATUS(Status) == NoMemoryStatus)
    Result.How = ChildResult::OutOfMemory;
  else
    Result.How = ChildResult::Crashed;
  return Result;
}

} // namespace gpuestimate
