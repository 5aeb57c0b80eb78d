/// \file
/// Functions for a process in which only a part is the program of a run: an
/// interpreter that launches kernels on its own arrays (python/gpu_estimate).
/// None of them is a call of the modelled program, so that they cost no time.
#include "LibraryCalls.h"
#include "Process.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <cstring>

using namespace gpuestimate;

#pragma GCC visibility push(default)
extern "C" {

/// Begins a run. Socket: the end of the connection to `gpu-estimate run
/// --program-socket`, owned by the caller; Device: the facts that came over it.
/// The others are as in gpu-estimate/Run/Environment.h. Not 0: the facts cannot
/// be read.
int gpu_estimate_attach(int Socket, const char *Device, const char *Execute,
                        double Seconds, const char *Checks, unsigned Threads) {
  ProcessSettings S;
  S.Socket = Socket;
  S.Device = Device;
  S.Execute = Execute;
  S.Checks = Checks;
  S.BudgetSeconds = Seconds;
  S.Threads = Threads;
  return Process::attach(std::move(S)) ? 0 : 1;
}

void gpu_estimate_detach(int Status) { Process::detach(Status); }

/// "all", "sampled" or "none": how the launches that follow execute.
void gpu_estimate_set_execution(const char *Word) {
  ApiCall Call("");
  Call->Mode = executionMode(Word);
}

/// Why the last launch or module has no results; "" if it has. The text lives
/// until the next call of the library.
const char *gpu_estimate_problem() {
  ApiCall Call("");
  return Call->LastProblem.c_str();
}

/// The virtual clock in nanoseconds; 0 without a run.
double gpu_estimate_now_ns() {
  VirtualClock *Clock = virtualClock();
  return Clock ? Clock->now() : 0;
}

/// The program's clock stands still between both: what is done there is no work
/// of the modelled program. They may be nested.
void gpu_estimate_hold() { Process::get().hold(); }
void gpu_estimate_go_on() { Process::get().release(); }

/// The modelled program's host works that long, whatever this process does.
void gpu_estimate_host_work(double Ns) {
  if (VirtualClock *Clock = virtualClock())
    Clock->work(Ns);
}

/// A kernel of a library that this process does not call: the records name and
/// size it as RunLibraryCall does. Not 0: there is no such stream.
int gpu_estimate_library_call(const char *Name, void *On, const char *Operands,
                              const char *Results, const char *Compute,
                              unsigned Count, const char *const *Names,
                              const double *Values) {
  ApiCall Call("cudaLaunchKernel");
  RunLibraryCall What;
  What.Name = Name;
  for (unsigned I = 0; I < Count; ++I)
    What.Sizes.push_back({Names[I], Values[I]});
  What.Operands = Operands;
  What.Results = Results;
  What.Compute = Compute;
  return recordLibraryCall(Call, static_cast<cudaStream_t>(On), What) ==
                 LibraryCallState::Recorded
             ? 0
             : 1;
}

/// Begins or ends the launch of a graph: launches in between are its kernels,
/// and one call of the host. 1: there is no such stream.
int gpu_estimate_graph_launch(uint64_t Graph, int Begin, void *On) {
  ApiCall Call(Begin ? "cudaGraphLaunch" : "");
  Stream *S = Call->find(static_cast<cudaStream_t>(On));
  if (!S)
    return 1;
  Call.record(RunGraphLaunch{Graph, S->Number, Begin != 0});
  return 0;
}

/// A copy of which only the time line knows. Kind: a number of RunCopyKind. 1:
/// there is no such stream.
int gpu_estimate_copy(unsigned Kind, uint64_t Bytes, int Pinned, int Async,
                      void *On) {
  ApiCall Call("cudaMemcpyAsync");
  Stream *S = Call->find(static_cast<cudaStream_t>(On));
  if (!S || Kind > unsigned(RunCopyKind::PeerToPeer))
    return 1;
  RunCopy Copy;
  Copy.Kind = static_cast<RunCopyKind>(Kind);
  Copy.Bytes = Bytes;
  Copy.Pinned = Pinned != 0;
  Copy.Async = Async != 0;
  Copy.Stream = S->Number;
  Call.record(std::move(Copy));
  return 0;
}

/// cudaMalloc and cudaFree of memory of which only the time line knows.
void gpu_estimate_device_malloc(uint64_t Address, uint64_t Bytes) {
  ApiCall Call("cudaMalloc");
  Call.record(RunAllocation{Address, Bytes, RunMemory::Device, ""});
}
void gpu_estimate_device_free(uint64_t Address) {
  ApiCall Call("cudaFree");
  Call.record(RunFree{Address, /*Async=*/false});
}

/// Launches, and calls of libraries, that this run has recorded.
uint64_t gpu_estimate_launch_count() {
  ApiCall Call("");
  return Call->Launches;
}

/// What the report says among its notices.
void gpu_estimate_notice(const char *Text) {
  ApiCall Call("");
  Call.notice(Text);
}

/// Memory of the device for an array of the host; null if there is none.
void *gpu_estimate_allocate(uint64_t Bytes) {
  ApiCall Call("");
  if (!Call.hasDevice())
    return nullptr;
  Executor *E = Call->executor();
  void *Place =
      E ? E->memory().allocate(std::max<uint64_t>(1, Bytes)) : nullptr;
  if (!Place)
    return nullptr;
  uint64_t Address = reinterpret_cast<uint64_t>(Place);
  Call->Memory.add({Address, Bytes, RunMemory::Device, 0});
  Call.record(RunAllocation{Address, Bytes, RunMemory::Device, ""});
  return Place;
}

void gpu_estimate_release(void *Place) {
  ApiCall Call("");
  const RuntimeAllocation *A = Call->Memory.findStart(Place);
  if (!A)
    return;
  Call->Memory.remove(*A);
  Call->executor()->memory().release(Place);
  Call.record(RunFree{reinterpret_cast<uint64_t>(Place), /*Async=*/true});
}

/// Gives the device what the array of the host holds.
void gpu_estimate_write(void *Device, const void *Host, uint64_t Bytes) {
  ApiCall Call("");
  if (std::memcmp(Device, Host, Bytes) == 0)
    return;
  std::memcpy(Device, Host, Bytes);
  Call->Repeats.wrote(
      Device, Bytes,
      llvm::xxh3_64bits(llvm::StringRef(static_cast<char *>(Device), Bytes)));
}

/// Gives the host what kernels have left; 1 if anything is new.
int gpu_estimate_read(void *Host, const void *Device, uint64_t Bytes) {
  ApiCall Call("");
  if (std::memcmp(Host, Device, Bytes) == 0)
    return 0;
  std::memcpy(Host, Device, Bytes);
  return 1;
}

/// What benchmarks do between launches: they set more memory than the L2 cache
/// holds. Only the time line sees it.
void gpu_estimate_clear_cache() {
  constexpr uint64_t LeastBytes = uint64_t(256) << 20; // as Triton does
  ApiCall Call("");
  if (!Call.hasDevice())
    return;
  RunMemset R;
  R.Bytes = std::max(LeastBytes, 2 * Call->Device.L2Bytes);
  R.Async = true;
  Call.record(std::move(R));
}

/// Registers of a thread, as the compiler of the caller has assigned them.
void gpu_estimate_set_registers(void *Function, unsigned Registers) {
  ApiCall Call("");
  for (const auto &Module : Call->Modules)
    for (const auto &K : Module->Kernels)
      if (K.get() == Function)
        K->Assigned = Registers;
}

} // extern "C"
#pragma GCC visibility pop
