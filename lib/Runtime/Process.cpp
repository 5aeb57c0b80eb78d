/// \file
/// The state of the runtime, and the frame of each call.
#include "Process.h"

#include "DeviceLinker.h"
#include "gpu-estimate/Run/DeviceStreams.h"
#include "gpu-estimate/Run/Environment.h"
#include "llvm/ADT/Twine.h"
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace gpuestimate {

namespace {

/// Signals that end the program unless it handles them. SIGSEGV of a kernel is
/// the executor's.
constexpr int FatalSignals[] = {SIGABRT, SIGFPE, SIGILL,
                                SIGTERM, SIGINT, SIGHUP};

void endBySignal(int Number) {
  Process::get().exit(128 + Number);
  std::signal(Number, SIG_DFL);
  std::raise(Number);
}

void endByExit(int Status, void *) { Process::get().exit(Status); }

double numberFrom(const char *Variable, double Default) {
  const char *Text = std::getenv(Variable);
  if (!Text)
    return Default;
  double Value;
  return llvm::StringRef(Text).getAsDouble(Value) ? Default : Value;
}

uint64_t threadNumber() {
  static std::atomic<uint64_t> Next{0};
  thread_local uint64_t Number = Next++;
  return Number;
}

} // namespace

/// Null before the first call.
static std::atomic<Process *> Current = nullptr;

static ProcessSettings settingsOfEnvironment() {
  ProcessSettings S;
  auto TextOf = [](const char *Variable) {
    const char *Text = std::getenv(Variable);
    return std::string(Text ? Text : "");
  };
  if (llvm::StringRef(TextOf(runenvironment::Socket))
          .getAsInteger(10, S.Socket))
    S.Socket = -1;
  S.Device = TextOf(runenvironment::Device);
  S.Execute = TextOf(runenvironment::Execute);
  S.Checks = TextOf(runenvironment::Checks);
  S.BudgetSeconds = numberFrom(runenvironment::Budget, S.BudgetSeconds);
  S.Threads = unsigned(numberFrom(runenvironment::Threads, 0));
  return S;
}

Process &Process::get() {
  // Made by one thread, without a lock once it is there.
  static Process *const OfEnvironment = [] {
    auto *P = new Process(settingsOfEnvironment());
    if (P->active())
      P->endWithProgram();
    Process *None = nullptr;
    Current.compare_exchange_strong(None, P);
    return P;
  }();
  (void)OfEnvironment;
  return *Current.load(std::memory_order_acquire);
}

bool Process::attach(ProcessSettings S) {
  get();
  std::unique_ptr<Process> P(new Process(S));
  if (!P->active())
    return false;
  setVirtualClock(std::make_unique<VirtualClock>(/*HostSpeed=*/1));
  Process *Before = Current.exchange(P.release());
  // That of the environment may have a program that ends with it.
  if (!Before->active())
    delete Before;
  return true;
}

void Process::detach(int Status) {
  Process *Before = Current.load();
  if (!Before)
    return;
  Before->exit(Status);
  auto *Without = new Process(ProcessSettings());
  Without->Explained = true; // what is left of the run is destroyed after it
  Current.store(Without);
  setVirtualClock(nullptr);
  delete Before;
}

ExecutionMode executionMode(llvm::StringRef Word) {
  return Word == "none"      ? ExecutionMode::None
         : Word == "sampled" ? ExecutionMode::Sampled
                             : ExecutionMode::All;
}

Process::Process(const ProcessSettings &S)
    : BudgetSeconds(S.BudgetSeconds), Checks(S.Checks), Threads(S.Threads) {
  if (S.Socket < 0 || S.Device.empty())
    return;
  auto Parsed = parseDeviceFacts(S.Device);
  if (!Parsed) {
    std::fprintf(stderr, "gpu-estimate: error: %s: %s\n",
                 runenvironment::Device,
                 llvm::toString(Parsed.takeError()).c_str());
    return;
  }
  Device = std::move(*Parsed);
  Writer = std::make_unique<RunWriter>(S.Socket);
  Mode = executionMode(S.Execute);
  Limits[cudaLimitStackSize] = 1024;
  Limits[cudaLimitPrintfFifoSize] = 1 << 20;
  Limits[cudaLimitMallocHeapSize] = 8 << 20;
  Limits[cudaLimitDevRuntimeSyncDepth] = 2;
  Limits[cudaLimitDevRuntimePendingLaunchCount] = 2048;
  Limits[cudaLimitMaxL2FetchGranularity] = 64;
}

void Process::endWithProgram() {
  on_exit(endByExit, nullptr);
  for (int Number : FatalSignals) {
    struct sigaction Old;
    if (sigaction(Number, nullptr, &Old) == 0 && Old.sa_handler == SIG_DFL)
      std::signal(Number, endBySignal);
  }
}

void Process::explainInactive() {
  if (Explained)
    return;
  Explained = true;
  std::fprintf(stderr, "gpu-estimate: note: the program finds no GPU; start it "
                       "by `gpu-estimate run`\n");
}

Executor *Process::executor() {
  if (Engine || EngineFailed)
    return Engine.get();
  ExecuteOptions Options;
  Options.Threads = Threads;
  Options.Checks = Checks != "off";
  Options.OpensGranules = Checks == "off";
  Options.AllRaces = Checks == "races";
  auto Made = Executor::create(Options);
  if (!Made) {
    EngineFailed = true;
    RunRecord R;
    R.What =
        RunNotice{"no kernel executes: " + llvm::toString(Made.takeError())};
    Writer->write(R);
    return nullptr;
  }
  Engine = std::move(*Made);
  return Engine.get();
}

void Process::announce(ApiCall &Call, Kernel &K) {
  linkModules(Call);
  if (K.Number)
    return;
  K.Number = NextKernel++;
  RunReply Known =
      Call.record(RunKernel{*K.Number, K.Module, K.Mangled, K.Assigned});
  K.WantsTraces = Known.WantsTraces;
  K.Registers = Known.Registers;
}

void Process::linkModules(ApiCall &Call) {
  if (LinkedModules == Modules.size())
    return;
  size_t NumUnits = Modules.size();
  LinkedModules = NumUnits;
  if (NumUnits + DeviceLibraries.size() < 2 ||
      llvm::all_of(Modules, [](const auto &M) { return M->IsAlone; }))
    return;
  std::vector<llvm::StringRef> Bitcode;
  for (const auto &M : Modules) // an empty unit defines and needs nothing
    Bitcode.push_back(M->Problem.empty() && M->LoadedOn.empty() && !M->IsAlone
                          ? M->Bitcode
                          : "");
  Bitcode.insert(Bitcode.end(), DeviceLibraries.begin(), DeviceLibraries.end());
  auto Groups = findLinkedUnits(Bitcode);
  if (!Groups)
    return Call.notice("device code: " + llvm::toString(Groups.takeError()));
  for (const std::vector<size_t> &Members : *Groups) {
    std::vector<llvm::StringRef> Parts;
    for (size_t I : Members)
      Parts.push_back(Bitcode[I]);
    auto Linked = linkDeviceCode(Parts);
    if (!Linked) {
      Call.notice(llvm::toString(Linked.takeError()));
      continue;
    }
    DeviceModule &All = addModule();
    All.OwnedBitcode = std::move(*Linked);
    All.Bitcode = All.OwnedBitcode;
    for (size_t I : Members) {
      if (I >= NumUnits)
        continue;
      DeviceModule &Part = *Modules[I];
      for (auto &K : std::exchange(Part.Kernels, {})) {
        K->Module = All.Number;
        All.Kernels.push_back(std::move(K));
      }
      for (auto &V : std::exchange(Part.Variables, {})) {
        V->Module = All.Number;
        All.Variables.push_back(std::move(V));
      }
    }
    Call.record(RunModule{All.Number, All.OwnedBitcode});
  }
  LinkedModules = Modules.size();
}

std::optional<uint64_t> Process::load(ApiCall &Call, DeviceModule &Module,
                                      unsigned Device) {
  if (auto Known = Module.LoadedOn.find(Device); Known != Module.LoadedOn.end())
    return Known->second;
  if (!Module.Problem.empty())
    return std::nullopt;
  Executor *E = executor();
  if (!E)
    return std::nullopt;
  auto Number = E->load(Module.Bitcode);
  if (!Number) {
    Module.Problem = llvm::toString(Number.takeError());
    Call.notice("device code cannot execute: " + Module.Problem);
    return std::nullopt;
  }
  return Module.LoadedOn[Device] = *Number;
}

Stream *Process::find(cudaStream_t Handle) {
  // A thread's default stream is the legacy one: programs are compiled with one
  // default stream for all threads.
  if (!Handle || Handle == cudaStreamLegacy || Handle == cudaStreamPerThread) {
    Stream &Default = Defaults[currentDevice()];
    Default.Number = defaultStream(currentDevice());
    return &Default;
  }
  auto *S = reinterpret_cast<Stream *>(Handle);
  return Streams.contains(S) ? S : nullptr;
}

Event *Process::find(cudaEvent_t Handle) {
  auto *E = reinterpret_cast<Event *>(Handle);
  return Events.contains(E) ? E : nullptr;
}

Kernel *Process::findKernel(const void *HostFunction) {
  return Kernels.lookup(HostFunction);
}

void *Process::storage(ApiCall &Call, Variable &V, unsigned Device) {
  void *&Storage = V.StorageOn[Device];
  if (Storage)
    return Storage;
  linkModules(Call);
  auto Loaded = load(Call, *Modules[V.Module], Device);
  if (!Loaded)
    return nullptr;
  auto Place = Engine->variable(*Loaded, V.Mangled);
  if (!Place) {
    Call.notice("variable " + V.Mangled + ": " +
                llvm::toString(Place.takeError()));
    return nullptr;
  }
  Storage = *Place;
  uint64_t Address = reinterpret_cast<uint64_t>(Storage);
  Memory.add({Address, V.Bytes, RunMemory::Variable, 0, Device});
  Call.record(RunAllocation{Address, V.Bytes, RunMemory::Variable, V.Mangled});
  return Storage;
}

Variable *Process::findVariable(ApiCall &Call, const void *HostVariable) {
  Variable *V = Variables.lookup(HostVariable);
  return V && storage(Call, *V, currentDevice()) ? V : nullptr;
}

DeviceModule &Process::addModule() {
  Modules.push_back(std::make_unique<DeviceModule>());
  Modules.back()->Number = Modules.size() - 1;
  return *Modules.back();
}

void Process::hold() {
  std::unique_lock<std::recursive_mutex> Guard(Lock);
  if (VirtualClock *Clock = virtualClock(); Clock && Depth == 0)
    Clock->freeze();
  ++Depth;
}

void Process::release() {
  std::unique_lock<std::recursive_mutex> Guard(Lock);
  if (--Depth == 0)
    if (VirtualClock *Clock = virtualClock())
      Clock->resume();
}

void Process::flush() {
  if (Writer)
    Writer->flush();
}

void Process::exit(int Status) {
  // A signal may come in the middle of a record.
  std::unique_lock<std::recursive_mutex> Guard(Lock, std::try_to_lock);
  if (!Guard || Depth || Exited || !Writer)
    return;
  Exited = true;
  RunRecord R;
  if (VirtualClock *Clock = virtualClock())
    R.HostNs = Clock->hostNs();
  R.Thread = threadNumber();
  R.What = RunExit{Status};
  Writer->write(R);
  Writer->flush();
}

/// Does the call leave deferred operations alone? Calls that add work to a
/// stream add it behind them.
static bool onlyEnqueues(llvm::StringRef Name) {
  return Name.contains("LaunchKernel") || Name.ends_with("Async") ||
         Name.starts_with("cudaEventRecord") ||
         Name.starts_with("cudaEventCreate") ||
         Name.starts_with("cudaStreamCreate") ||
         Name == "cudaStreamWaitEvent" || Name == "cudaGetLastError" ||
         Name == "cudaPeekAtLastError" || Name.starts_with("__cuda");
}

ApiCall::ApiCall(const char *Name)
    : P(Process::get()), Guard(P.Lock), Name(Name) {
  if (VirtualClock *Clock = virtualClock())
    HostNs = P.Depth ? Clock->hostNs() : Clock->freeze();
  ++P.Depth;
  if (!P.Deferred.empty() && !onlyEnqueues(Name))
    performDeferred(*this);
}

ApiCall::~ApiCall() {
  if (--P.Depth == 0)
    if (VirtualClock *Clock = virtualClock())
      Clock->resume();
}

bool ApiCall::hasDevice() {
  if (P.active())
    return true;
  P.explainInactive();
  return false;
}

/// Pages that migrate on their own do so beside the call.
static bool isByFaults(const RunRecord &R) {
  const auto *Copy = std::get_if<RunCopy>(&R.What);
  return Copy && Copy->Migration == RunMigration::Faults;
}

/// HIP's name of a function of CUDA's runtime.
static std::string nameInHip(llvm::StringRef Name) {
  if (Name == "cudaHostAlloc" || Name == "cudaMallocHost")
    return "hipHostMalloc";
  if (Name == "cudaFreeHost")
    return "hipHostFree";
  if (Name == "cuLaunchKernel")
    return "hipModuleLaunchKernel";
  return Name.consume_front("cuda") ? ("hip" + Name).str() : Name.str();
}

RunReply ApiCall::write(RunRecord R) {
  if (!P.Writer || P.Exited)
    return {};
  P.Launches += std::holds_alternative<RunLaunch>(R.What) ||
                std::holds_alternative<RunLibraryCall>(R.What);
  // What a library does to memory is not followed.
  if (std::holds_alternative<RunLibraryCall>(R.What))
    P.Repeats.wroteAnything();
  // The first record that costs time stands for the call.
  const auto *Allocation = std::get_if<RunAllocation>(&R.What);
  if (Allocation)
    P.Repeats.wrote(reinterpret_cast<const void *>(Allocation->Address));
  bool IsRemark = (Allocation && Allocation->Kind == RunMemory::Variable) ||
                  std::holds_alternative<RunModule>(R.What) ||
                  std::holds_alternative<RunKernel>(R.What) ||
                  std::holds_alternative<RunFault>(R.What) || isByFaults(R) ||
                  std::holds_alternative<RunNotice>(R.What);
  if (!IsRemark) {
    llvm::StringRef Spelling = Name;
    R.Call = P.Device.IsAmd ? nameInHip(Spelling) : Spelling.str();
    Name = "";
  }
  R.HostNs = HostNs;
  R.Thread = threadNumber();
  RunReply Reply = P.Writer->write(R);
  if (VirtualClock *Clock = virtualClock(); Clock && asks(R))
    Clock->advanceTo(Reply.NowNs);
  return Reply;
}

void ApiCall::notice(const std::string &Text) {
  if (P.Said.insert(Text).second)
    record(RunNotice{Text});
}

unsigned &currentDevice() {
  thread_local unsigned Device = 0;
  return Device;
}

cudaError_t &lastError() {
  thread_local cudaError_t Error = cudaSuccess;
  return Error;
}

cudaError_t ApiCall::done(cudaError_t Error) {
  if (P.Sticky != cudaSuccess)
    Error = P.Sticky;
  // "Not ready" tells a state; it is no failure of the call.
  if (Error != cudaSuccess && Error != cudaErrorNotReady)
    lastError() = Error;
  return Error;
}

} // namespace gpuestimate
