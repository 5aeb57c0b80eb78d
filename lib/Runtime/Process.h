/// \file
/// The state of the runtime in the user's process, and the frame of each call.
#ifndef GPU_ESTIMATE_LIB_RUNTIME_PROCESS_H
#define GPU_ESTIMATE_LIB_RUNTIME_PROCESS_H

#include "Api.h"
#include "Graphs.h"
#include "ManagedResidence.h"
#include "MemoryTable.h"
#include "Modules.h"
#include "RepeatedLaunches.h"
#include "TextureObject.h"
#include "VirtualClock.h"
#include "VirtualMemory.h"
#include "gpu-estimate/Execute/Executor.h"
#include "gpu-estimate/Run/Channel.h"
#include "gpu-estimate/Run/DeviceFacts.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"
#include <limits>
#include <map>
#include <mutex>
#include <set>

namespace gpuestimate {

struct Stream {
  RunHandle Number = 0;
  bool NonBlocking = false;
  unsigned Flags = 0;
  int Priority = 0;
  std::shared_ptr<Graph> Capture; ///< null: the stream executes
  bool IsCaptureOrigin = false;
  std::vector<GraphNode *> CaptureEnds; ///< what its next node depends on
};

struct Event {
  RunHandle Number = 0;
  bool Timing = true, Recorded = false;
  std::shared_ptr<Graph> Capture; ///< recorded during a capture
  std::vector<GraphNode *> CaptureEnds;
};

enum class ExecutionMode { All, Sampled, None };

/// How this process meets `gpu-estimate run`: the values of
/// gpu-estimate/Run/Environment.h.
struct ProcessSettings {
  int Socket = -1;    ///< none: the program finds no GPU
  std::string Device; ///< DeviceFacts as JSON
  std::string Execute, Checks;
  double BudgetSeconds = std::numeric_limits<double>::infinity();
  unsigned Threads = 0;
};

ExecutionMode executionMode(llvm::StringRef Word);

/// All state of the runtime. Guarded by the lock of ApiCall.
class Process {
public:
  /// Made by the first call as the environment says. It is destroyed by
  /// attach() and detach() alone: programs call the runtime while their static
  /// objects are destroyed.
  static Process &get();
  /// Begins a run of a part of this process, while no other thread calls the
  /// runtime. All handles and memory of the run before are gone. False: the
  /// settings cannot be read.
  static bool attach(ProcessSettings S);
  /// Ends that run with its last record; the process has no GPU from then on.
  static void detach(int Status);

  /// Is there a parent that knows a GPU?
  bool active() const { return Writer != nullptr; }
  /// Says once on stderr how to run the program.
  void explainInactive();

  /// Null where it cannot be had on this machine; noted once.
  Executor *executor();
  /// The executor's number of a module; nothing where its code cannot be used.
  std::optional<uint64_t> load(ApiCall &Call, DeviceModule &Module,
                               unsigned Device);

  /// Finds a stream by the program's handle; null where there is none.
  Stream *find(cudaStream_t Handle);
  Event *find(cudaEvent_t Handle);
  Kernel *findKernel(const void *HostFunction);
  /// With its storage; null where there is none.
  Variable *findVariable(ApiCall &Call, const void *HostVariable);
  /// On a device; null where there is none.
  void *storage(ApiCall &Call, Variable &V, unsigned Device);
  DeviceModule &addModule();
  /// Gives a kernel its number, and takes what gpu-estimate knows of it.
  void announce(ApiCall &Call, Kernel &K);
  /// Links the modules that need each other's functions or variables: they
  /// become one module. Does something only if there are new modules.
  void linkModules(ApiCall &Call);

  /// The virtual clock of the program stands still until release(), as in a
  /// call; calls in between cost what they cost.
  void hold();
  void release();

  void flush();
  /// The last record.
  void exit(int Status);

  DeviceFacts Device;
  MemoryTable Memory;
  ManagedResidence Managed;
  VirtualMemory Virtual;
  /// Its accessible ranges, as they are in Memory.
  std::vector<VirtualMemory::Range> VirtualAllocations;
  RepeatedLaunches Repeats{Memory};
  std::vector<std::unique_ptr<DeviceModule>> Modules;
  /// Bitcode of units without kernels, which others may need.
  std::vector<llvm::StringRef> DeviceLibraries;
  llvm::DenseMap<const void *, Kernel *> Kernels;
  llvm::DenseMap<const void *, Variable *> Variables;
  llvm::DenseSet<Stream *> Streams;
  llvm::DenseSet<Event *> Events;
  /// Pairs (A, B): A may access the memory of B.
  std::set<std::pair<unsigned, unsigned>> Peers;
  llvm::DenseMap<void *, std::shared_ptr<Graph>> Graphs;
  llvm::DenseSet<ExecutableGraph *> ExecutableGraphs;
  /// Memory of allocation nodes: a graph that is launched again has the same
  /// addresses, also where the program has freed them meanwhile.
  llvm::DenseSet<const void *> GraphMemory;
  /// Operations that execute at the next call in which the host waits, or asks
  /// for something that they may change: a kernel that waits for what the host
  /// writes to memory of its own, and all work behind it.
  struct DeferredOperation {
    StreamOperation What;
    RunHandle Stream = 0;
  };
  std::vector<DeferredOperation> Deferred;
  /// By handle; that of a reference is its variable's address.
  std::map<uint64_t, std::unique_ptr<TextureObject>> Textures;
  RunHandle NextStream = 1, NextEvent = 0, NextGraph = 0;
  uint64_t NextKernel = 0;
  /// Launches, and calls of libraries, that were recorded so far.
  uint64_t Launches = 0;

  ExecutionMode Mode = ExecutionMode::All;
  double BudgetSeconds = 0, SpentSeconds = 0;
  /// What a kernel did that no later call survives, as on a GPU.
  cudaError_t Sticky = cudaSuccess;
  /// Why the last launch or module has no results; "" if it has.
  std::string LastProblem;
  unsigned DeviceFlags = 0;
  size_t Limits[8] = {};
  llvm::StringSet<> Said;

private:
  friend class ApiCall;
  explicit Process(const ProcessSettings &S);
  void endWithProgram();

  std::string Checks;
  unsigned Threads = 0; ///< of the executor; 0: one for each core
  std::recursive_mutex Lock;
  unsigned Depth = 0;
  std::unique_ptr<RunWriter> Writer;
  std::unique_ptr<Executor> Engine;
  size_t LinkedModules = 0; ///< number of Modules when they were linked
  bool EngineFailed = false, Exited = false, Explained = false;
  std::map<unsigned, Stream> Defaults; ///< the default stream of each device
};

/// The frame of one call of the interface: holds the lock, stops the virtual
/// clock, writes records in the call's name.
class ApiCall {
public:
  explicit ApiCall(const char *Name);
  ~ApiCall();
  ApiCall(const ApiCall &) = delete;
  ApiCall &operator=(const ApiCall &) = delete;

  Process *operator->() { return &P; }
  Process &process() { return P; }
  /// False where the program runs without a GPU.
  bool hasDevice();
  /// Is it the number of a device?
  bool isDevice(int Number) const {
    return Number >= 0 && unsigned(Number) < P.Device.Count;
  }

  /// Writes a record; a reply that tells the time moves the virtual clock.
  template <class T> RunReply record(T &&What) {
    RunRecord R;
    R.What = std::forward<T>(What);
    return write(std::move(R));
  }
  /// Writes a notice, once for each text.
  void notice(const std::string &Text);

  /// Keeps an error for cudaGetLastError, and returns it.
  cudaError_t done(cudaError_t Error);
  template <class Result> Result doneAs(cudaError_t Error) {
    return Result(done(Error));
  }

private:
  RunReply write(RunRecord R);

  Process &P;
  std::unique_lock<std::recursive_mutex> Guard;
  const char *Name;  ///< empty once a record has it
  double HostNs = 0; ///< at the call
};

/// Executes what was deferred.
void performDeferred(ApiCall &Call);

/// Puts an operation into the stream: does it, or adds it to the graph that the
/// stream captures.
cudaError_t submit(ApiCall &Call, cudaStream_t Handle, cudaGraphNodeType Type,
                   StreamOperation Operation);

/// The device of cudaSetDevice() in this thread.
unsigned &currentDevice();

/// The last error of this thread.
cudaError_t &lastError();

} // namespace gpuestimate

/// Begins the body of a function of the interface that needs a GPU.
#define GPU_ESTIMATE_CALL                                                      \
  ApiCall Call(__func__);                                                      \
  if (!Call.hasDevice())                                                       \
  return Call.done(cudaErrorNoDevice)

/// The same for a function with another type of result.
#define GPU_ESTIMATE_CALL_AS(Result)                                           \
  ApiCall Call(__func__);                                                      \
  if (!Call.hasDevice())                                                       \
  return Result(Call.done(cudaErrorNoDevice))

#endif
