#include "Wrapper.h"

#include "gpu-estimate/Wrapper/CompilerCall.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace fs = std::filesystem;

namespace gpuestimate {

namespace {

/// The wrapper's own options; the others are those of the analysis.
struct WrapperOptions {
  std::string Results;      ///< folder; empty: findings are only printed
  unsigned Timeout = 60;    ///< seconds that an analysis may take
  bool Disabled = false;    ///< run the compiler, nothing else
  bool OwnProcess = false;  ///< never the plugin
  bool BuildForRun = false; ///< in place of the compiler and the analysis
  std::vector<std::string> Analysis; ///< --KEY[=VALUE]
};

void remark(const std::string &Text) {
  std::string Line = "gpu-estimate: remark: " + Text + "\n";
  fputs(Line.c_str(), stderr);
}

std::vector<char *> pointers(const std::vector<std::string> &Words) {
  std::vector<char *> Result;
  for (const std::string &Word : Words)
    Result.push_back(const_cast<char *>(Word.c_str()));
  Result.push_back(nullptr);
  return Result;
}

volatile pid_t Child = 0;
/// The process in which the plugin analyses; 0: none does.
volatile pid_t Analysing = 0;

/// The alarm has ended the child.
volatile sig_atomic_t Rang = 0;

void passOn(int Signal) {
  if (Signal == SIGALRM)
    Rang = 1;
  if (Child > 0)
    kill(Child, Signal == SIGALRM ? SIGKILL : Signal);
  // The compiler may have started it; without the compiler it would go on.
  if (Signal == SIGALRM && Analysing > 0)
    kill(Analysing, SIGKILL);
}

/// Exit status of a process.
struct Ending {
  int Status = 0; ///< of waitpid
  bool TimedOut = false;
  bool good() const { return WIFEXITED(Status) && WEXITSTATUS(Status) == 0; }
};

/// A pipe on which the plugin tells when it begins to analyse and when it ends:
/// "+PID\n" and "-PID\n". The compiler inherits the writing end and finds its
/// number in the environment.
class AnalysisWatch {
public:
  AnalysisWatch() {
    if (pipe(Ends) != 0)
      return;
    fcntl(Ends[0], F_SETFD, FD_CLOEXEC);
    setenv("GPU_ESTIMATE_WATCH", std::to_string(Ends[1]).c_str(), 1);
  }
  ~AnalysisWatch() {
    for (int End : Ends)
      if (End >= 0)
        close(End);
    unsetenv("GPU_ESTIMATE_WATCH");
  }
  AnalysisWatch(const AnalysisWatch &) = delete;
  AnalysisWatch &operator=(const AnalysisWatch &) = delete;

  /// Sets the alarm while an analysis runs, until Process has ended.
  void follow(pid_t Process, unsigned Seconds) {
    if (Ends[1] < 0)
      return;
    close(Ends[1]);
    Ends[1] = -1;
    std::string Line;
    while (true) {
      pollfd Wait{Ends[0], POLLIN, 0};
      int Ready = poll(&Wait, 1, /*milliseconds=*/200);
      char Byte = 0;
      ssize_t Count = Ready > 0 ? read(Ends[0], &Byte, 1) : -1;
      if (Count == 0)
        return; // nobody has the writing end
      if (Count < 0) {
        // A process that the compiler has left behind may have it.
        siginfo_t Ended{};
        if (waitid(P_PID, static_cast<id_t>(Process), &Ended,
                   WEXITED | WNOHANG | WNOWAIT) != 0 ||
            Ended.si_pid == Process)
          return;
        continue;
      }
      if (Byte != '\n') {
        Line += Byte;
        continue;
      }
      Analysing = Line[0] == '+' ? static_cast<pid_t>(atol(&Line[1])) : 0;
      alarm(Analysing ? Seconds : 0);
      Line.clear();
    }
  }

private:
  int Ends[2] = {-1, -1};
};
/// Seconds: 0 for no limit. Silent: its output goes nowhere. Watch: the limit
/// is for the analysis inside the process, not for the process.
Ending runProcess(const std::vector<std::string> &Words, unsigned Seconds = 0,
                  bool Silent = false, AnalysisWatch *Watch = nullptr) {
  posix_spawn_file_actions_t Files;
  posix_spawn_file_actions_init(&Files);
  if (Silent)
    for (int Stream : {STDOUT_FILENO, STDERR_FILENO})
      posix_spawn_file_actions_addopen(&Files, Stream, "/dev/null", O_WRONLY,
                                       0);
  struct sigaction Pass{};
  Pass.sa_handler = passOn; // without SA_RESTART, so that waitpid returns
  for (int Signal : {SIGINT, SIGTERM, SIGHUP, SIGALRM})
    sigaction(Signal, &Pass, nullptr);

  Ending End;
  pid_t Process = 0;
  int Problem = posix_spawnp(&Process, Words[0].c_str(), &Files, nullptr,
                             pointers(Words).data(), environ);
  posix_spawn_file_actions_destroy(&Files);
  if (Problem) {
    fprintf(stderr, "gpu-estimate: error: %s: %s\n", Words[0].c_str(),
            strerror(Problem));
    End.Status = (Problem == ENOENT ? 127 : 126) << 8;
    return End;
  }
  Child = Process;
  if (Watch)
    Watch->follow(Process, Seconds);
  else
    alarm(Seconds);
  while (waitpid(Process, &End.Status, 0) < 0 && errno == EINTR) {
  }
  alarm(0);
  End.TimedOut = Rang != 0;
  Rang = 0;
  Child = 0;
  Analysing = 0;
  return End;
}

/// Ends this process with the status or signal of the child.
int endLike(const Ending &End) {
  if (!WIFSIGNALED(End.Status))
    return WEXITSTATUS(End.Status);
  signal(WTERMSIG(End.Status), SIG_DFL);
  raise(WTERMSIG(End.Status));
  return 128 + WTERMSIG(End.Status);
}

/// The program that execvp would run; empty if there is none.
std::string findProgram(const std::string &Name, const std::string &Not = "") {
  std::error_code Ignored;
  auto Runs = [&](const fs::path &Path) {
    return access(Path.c_str(), X_OK) == 0 && !fs::is_directory(Path, Ignored);
  };
  if (Name.find('/') != std::string::npos)
    return Runs(Name) ? Name : "";
  const char *Path = getenv("PATH");
  std::string_view Rest = Path ? Path : "/usr/bin:/bin";
  while (true) {
    size_t Colon = Rest.find(':');
    fs::path Candidate = fs::path(Rest.substr(0, Colon)) / Name;
    if (Runs(Candidate) &&
        (Not.empty() || fs::canonical(Candidate, Ignored) != Not))
      return Candidate;
    if (Colon == std::string_view::npos)
      return "";
    Rest.remove_prefix(Colon + 1);
  }
}

/// Takes the options in front; what is wrong with one, if anything.
std::string takeOptions(std::vector<std::string> &Words, WrapperOptions &O) {
  size_t Taken = 0;
  for (; Taken < Words.size() && Words[Taken].starts_with("--"); ++Taken) {
    const std::string &Word = Words[Taken];
    if (Word == "--") {
      ++Taken;
      break;
    }
    std::string Key = Word.substr(2, Word.find('=') - 2);
    std::string Value;
    if (Word.find('=') != std::string::npos)
      Value = Word.substr(Word.find('=') + 1);
    if (Key == "results") {
      if (Value.empty())
        return "--results needs a folder: --results=DIR";
      O.Results = Value;
    } else if (Key == "timeout") {
      char *End = nullptr;
      unsigned long Seconds = strtoul(Value.c_str(), &End, 10);
      if (Value.empty() || *End || Seconds == 0 || Seconds > 86400)
        return "--timeout needs seconds: --timeout=60";
      O.Timeout = static_cast<unsigned>(Seconds);
    } else if (Key == "quiet") {
      O.Analysis.push_back("--no-warning=all");
    } else if (Key == "run" && Word == "--run") {
      O.BuildForRun = true;
    } else if (Key == "own-process") {
      O.OwnProcess = true;
    } else {
      // Known to the tool, not to the plugin.
      O.OwnProcess |=
          Key == "no-cuda-sdk" || Key == "cuda-path" || Key == "gpu-arch";
      O.Analysis.push_back(Word);
    }
  }
  Words.erase(Words.begin(), Words.begin() + Taken);
  return "";
}

class Wrapper {
public:
  Wrapper(const Installation &Here, WrapperOptions O,
          std::vector<std::string> Words)
      : Here(Here), O(std::move(O)), Words(std::move(Words)),
        Call(parseCompilerCall(this->Words)) {}

  int run();

private:
  std::vector<std::string> sources() const;
  bool takesPlugin(const std::vector<std::string> &Sources) const;
  std::vector<std::string> withPlugin(const std::string &Source) const;
  std::string recordOf(const std::string &Source) const;
  bool analyse(const std::string &Source, bool Silent) const;
  void removeOutputs(const std::vector<std::string> &Sources) const;

  const Installation &Here;
  WrapperOptions O;
  std::vector<std::string> Words;
  CompilerCall Call;
};

} // namespace

std::vector<std::string> Wrapper::sources() const {
  bool Offload = false;
  for (const std::string &Option : O.Analysis)
    Offload |= Option.starts_with("--offload=");
  return sourcesToAnalyze(Call, Offload);
}

/// Only the very clang that the plugin is linked with can load it; another
/// launcher would take it elsewhere, or answer from a cache without running it;
/// and one plugin run knows one source and one architecture.
bool Wrapper::takesPlugin(const std::vector<std::string> &Sources) const {
  if (O.OwnProcess || Call.Kind != CompilerCall::Clang || Call.Compiler != 0 ||
      Sources.size() != 1 || Call.Architectures > 1 || Call.OnlyHost)
    return false;
  std::error_code Problem;
  fs::path Compiler = fs::canonical(findProgram(Words[0]), Problem);
  return !Problem && Compiler == fs::canonical(GPU_ESTIMATE_CLANG, Problem) &&
         !Problem && fs::exists(Here.Plugin, Problem);
}

std::string Wrapper::recordOf(const std::string &Source) const {
  if (O.Results.empty())
    return "";
  std::error_code Ignored;
  return fs::path(O.Results) /
         recordName(fs::current_path(Ignored), Source, Call.Output);
}

std::vector<std::string> Wrapper::withPlugin(const std::string &Source) const {
  std::vector<std::string> All = Words;
  All.push_back("-fplugin=" + Here.Plugin);
  const std::string Prefix = "-fplugin-arg-gpu_estimate-";
  All.push_back(Prefix + "keep-going");
  for (const std::string &Option : O.Analysis)
    All.push_back(Prefix + Option.substr(2));
  if (std::string Record = recordOf(Source); !Record.empty())
    All.push_back(Prefix + "json=" + Record);
  return All;
}

/// False where the analysis finds an error in what the source promises.
bool Wrapper::analyse(const std::string &Source, bool Silent) const {
  std::vector<std::string> Line = {Here.Tool, "analyze-command",
                                   "--source=" + Source};
  if (std::string Record = recordOf(Source); !Record.empty())
    Line.push_back("--json=" + Record);
  Line.insert(Line.end(), O.Analysis.begin(), O.Analysis.end());
  Line.push_back("--");
  Line.insert(Line.end(), Words.begin() + Call.Compiler, Words.end());
  Ending End = runProcess(Line, O.Timeout, Silent);
  // The record of an earlier compile must not be taken for this one's.
  if (WIFSIGNALED(End.Status) && !O.Results.empty())
    unlink(recordOf(Source).c_str());
  if (End.TimedOut)
    remark("no estimate for " + Source + ": the analysis took more than " +
           std::to_string(O.Timeout) + " seconds (--timeout)");
  else if (WIFSIGNALED(End.Status))
    remark("no estimate for " + Source + ": the analysis ended by signal " +
           std::to_string(WTERMSIG(End.Status)) +
           "; the compile is unaffected");
  return !WIFEXITED(End.Status) || WEXITSTATUS(End.Status) != 1;
}

/// Removes outputs that the next build would take for up to date.
void Wrapper::removeOutputs(const std::vector<std::string> &Sources) const {
  std::error_code Ignored;
  if (!Call.Output.empty())
    fs::remove(Call.Output, Ignored);
  else if (Call.Links)
    fs::remove("a.out", Ignored);
  else
    for (const std::string &Source : Sources)
      fs::remove(fs::path(Source).stem().string() + ".o", Ignored);
}

int Wrapper::run() {
  if (O.Disabled || Call.HasOurPlugin)
    return replaceProcess(Words);
  std::vector<std::string> Sources = sources();
  // A source whose last directive was removed has nothing to report any more.
  for (const std::string &Source : Call.HostSources)
    if (!O.Results.empty() &&
        std::find(Sources.begin(), Sources.end(), Source) == Sources.end())
      unlink(recordOf(Source).c_str());
  if (Sources.empty())
    return replaceProcess(Words);
  if (!O.Results.empty()) {
    std::error_code Problem;
    fs::create_directories(O.Results, Problem);
    if (Problem) {
      remark("results are not written: " + O.Results + ": " +
             Problem.message());
      O.Results.clear();
    }
  }
  // Compilers that this one calls by a name of ours are a part of it.
  setenv("GPU_ESTIMATE_DISABLE", "1", /*overwrite=*/1);
  bool PrintedAlready = false;
  if (takesPlugin(Sources)) {
    AnalysisWatch Watch;
    Ending End =
        runProcess(withPlugin(Sources.front()), O.Timeout, false, &Watch);
    if (End.good())
      return 0;
    // Is it the source or the plugin? What the first run printed stands.
    Ending Plain = runProcess(Words, 0, /*Silent=*/true);
    if (!Plain.good())
      return endLike(Plain);
    if (End.TimedOut) {
      if (!O.Results.empty())
        unlink(recordOf(Sources.front()).c_str());
      remark("no estimate for " + Sources.front() +
             ": the analysis in the plugin took more than " +
             std::to_string(O.Timeout) +
             " seconds (--timeout); the compile was repeated without it");
      return 0;
    }
    PrintedAlready = true;
  } else {
    Ending End = runProcess(Words);
    if (!End.good())
      return endLike(End);
  }
  bool Good = true;
  for (const std::string &Source : Sources)
    Good &= analyse(Source, PrintedAlready);
  if (Good) {
    if (PrintedAlready)
      remark(
          "the compile failed with our plugin only; it was repeated without");
    return 0;
  }
  removeOutputs(Sources);
  return 1;
}

int replaceProcess(const std::vector<std::string> &Words) {
  execvp(Words[0].c_str(), pointers(Words).data());
  int Problem = errno;
  fprintf(stderr, "gpu-estimate: error: %s: %s\n", Words[0].c_str(),
          strerror(Problem));
  return Problem == ENOENT ? 127 : 126;
}

int runWrapper(const Installation &Here, std::vector<std::string> Words) {
  WrapperOptions O;
  std::vector<std::string> FromEnvironment;
  if (const char *Text = getenv("GPU_ESTIMATE_OPTIONS"))
    FromEnvironment = splitWords(Text);
  std::string Problem = takeOptions(FromEnvironment, O);
  if (Problem.empty() && !FromEnvironment.empty())
    Problem = "expected --KEY=VALUE, got '" + FromEnvironment.front() + "'";
  if (!Problem.empty()) {
    remark("GPU_ESTIMATE_OPTIONS: " + Problem);
    O = WrapperOptions();
    O.Disabled = true;
  }
  Problem = takeOptions(Words, O);
  if (!Problem.empty() || Words.empty()) {
    if (Problem.empty())
      Problem = "no compiler is named: gpu-estimate cc [--KEY=VALUE]... "
                "COMPILER ARGS...";
    fprintf(stderr, "gpu-estimate: error: cc: %s\n", Problem.c_str());
    return 2;
  }
  if (const char *Off = getenv("GPU_ESTIMATE_DISABLE"))
    O.Disabled |= *Off && strcmp(Off, "0") != 0;
  if (O.BuildForRun && !O.Disabled) {
    std::vector<std::string> Build = {Here.Tool, "build-command"};
    Build.insert(Build.end(), O.Analysis.begin(), O.Analysis.end());
    Build.push_back("--");
    Build.insert(Build.end(), Words.begin(), Words.end());
    return replaceProcess(Build);
  }
  return Wrapper(Here, std::move(O), std::move(Words)).run();
}

int runAsCompiler(const Installation &Here, const std::string &Name,
                  std::vector<std::string> Args) {
  std::string Compiler = findProgram(Name, Here.Self);
  if (Compiler.empty()) {
    fprintf(stderr,
            "gpu-estimate: error: no other program on PATH is called %s\n",
            Name.c_str());
    return 127;
  }
  Args.insert(Args.begin(), {"--", Compiler});
  return runWrapper(Here, std::move(Args));
}

} // namespace gpuestimate
