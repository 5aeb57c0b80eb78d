/// \file
/// libexec/gpu-estimate-execute: executes the launch that it reads from its
/// socket, and answers with records (Run/SampleRequest.h).
#include "gpu-estimate/Execute/SampledLaunch.h"
#include "gpu-estimate/Run/Channel.h"
#include "gpu-estimate/Run/Environment.h"
#include "llvm/ADT/StringRef.h"
#include <cmath>
#include <csignal>
#include <cstdio>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

using namespace gpuestimate;

/// Seconds for what is no execution: to start, and to compile the kernel.
static constexpr unsigned CompileSeconds = 20;

/// Bytes of memory that this process occupies; 0 if the system does not tell.
static uint64_t residentBytes() {
  uint64_t Bytes = 0;
  if (FILE *Status = std::fopen("/proc/self/statm", "r")) {
    unsigned long long All = 0, Resident = 0;
    if (std::fscanf(Status, "%llu %llu", &All, &Resident) == 2)
      Bytes = Resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    std::fclose(Status);
  }
  return Bytes;
}

/// Ends this process when it takes too much time or memory. The limit of the
/// address space does not help: buffers reserve much more than kernels touch.
static void limit(const SampleRequest &R) {
  rlimit NoFile{}, Addresses{};
  setrlimit(RLIMIT_CORE, &NoFile);
  // The plugin's analysis has a limit, which its children inherit.
  getrlimit(RLIMIT_AS, &Addresses);
  Addresses.rlim_cur = Addresses.rlim_max;
  setrlimit(RLIMIT_AS, &Addresses);
  alarm(CompileSeconds + static_cast<unsigned>(std::fmin(R.Seconds, 1e8)));
  std::thread([Bytes = R.MemoryBytes] {
    while (residentBytes() <= Bytes)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    _exit(SampleMemoryStatus);
  }).detach();
}

/// Where the execution stopped, if it did.
static void writeStop(RunWriter &Out, ExecutionResult &&Result) {
  RunRecord Record;
  if (Result.Fault)
    Record.What = std::move(*Result.Fault);
  else if (!Result.Unsupported.empty())
    Record.What = RunNotice{std::move(Result.Unsupported)};
  else if (!Result.Completed)
    Record.What = RunNotice{"it was ended"};
  else
    return;
  Out.write(Record);
}

int main() {
  int Socket = 0;
  const char *Text = std::getenv(runenvironment::Socket);
  if (!Text || llvm::StringRef(Text).getAsInteger(10, Socket)) {
    std::fputs("gpu-estimate-execute: gpu-estimate starts this program\n",
               stderr);
    return 2;
  }
  RunWriter Out(Socket);
  RunRecord Last;
  Last.What = RunExit{0};
  auto Execute = [&]() -> llvm::Error {
    llvm::Expected<SampleRequest> Request = readSampleRequest(Socket);
    if (!Request)
      return Request.takeError();
    limit(*Request);
    llvm::Expected<ExecutionResult> Result = executeSampledLaunch(*Request);
    if (!Result)
      return Result.takeError();
    RunRecord Launch;
    Launch.What.emplace<RunLaunch>().Trace =
        std::make_shared<RunTrace>(std::move(*Result->Trace));
    Out.write(Launch);
    writeStop(Out, std::move(*Result));
    return llvm::Error::success();
  };
  if (llvm::Error E = Execute()) {
    RunRecord Problem;
    Problem.What = RunNotice{llvm::toString(std::move(E))};
    Out.write(Problem);
  }
  Out.write(Last);
  Out.flush();
  _exit(0); // the thread that watches the memory runs on
}
