/// \file
/// Executes stream operations on the CPU, in the order in which the program
/// makes them, and writes their records.
#include "Operations.h"

#include "Graphs.h"
#include "MemoryApi.h"
#include "Process.h"
#include "gpu-estimate/Run/DeviceStreams.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

namespace gpuestimate {

namespace {

RunCopyKind kindOf(Process &P, const CopyOperation &C) {
  const RuntimeAllocation *To = P.Memory.find(C.To.Start),
                          *From = P.Memory.find(C.From.Start);
  // Managed memory has no device of its own.
  if (To && From && To->Device != From->Device &&
      To->Kind != RunMemory::Managed && From->Kind != RunMemory::Managed &&
      To->onDevice() && From->onDevice())
    return RunCopyKind::PeerToPeer;
  switch (C.Kind) {
  case cudaMemcpyHostToHost:
    return RunCopyKind::HostToHost;
  case cudaMemcpyHostToDevice:
    return RunCopyKind::HostToDevice;
  case cudaMemcpyDeviceToHost:
    return RunCopyKind::DeviceToHost;
  case cudaMemcpyDeviceToDevice:
    return RunCopyKind::DeviceToDevice;
  case cudaMemcpyDefault:
    break;
  }
  bool IsFrom = From && From->onDevice(), IsTo = To && To->onDevice();
  return IsFrom ? IsTo ? RunCopyKind::DeviceToDevice : RunCopyKind::DeviceToHost
         : IsTo ? RunCopyKind::HostToDevice
                : RunCopyKind::HostToHost;
}

/// Is the region inside one allocation? Memory that this library did not give
/// out passes where it may be the host's.
bool isValid(Process &P, const Region &R, const CopyOperation &C,
             bool OnDevice) {
  if (C.bytes() == 0)
    return true;
  const RuntimeAllocation *A = P.Memory.find(R.Start);
  if (!A)
    return !OnDevice;
  uint64_t Extent =
      (C.Depth - 1) * R.SlicePitch + (C.Height - 1) * R.Pitch + C.Width;
  return P.Memory.fits(R.Start, Extent);
}

cudaError_t perform(ApiCall &Call, const CopyOperation &C, RunHandle Stream) {
  Process &P = Call.process();
  RunCopyKind Kind = kindOf(P, C);
  bool FromDevice =
      Kind == RunCopyKind::DeviceToHost || Kind == RunCopyKind::DeviceToDevice;
  bool ToDevice =
      Kind == RunCopyKind::HostToDevice || Kind == RunCopyKind::DeviceToDevice;
  if (!isValid(P, C.From, C, FromDevice) || !isValid(P, C.To, C, ToDevice))
    return cudaErrorInvalidValue;
  bool Changes = false;
  auto Move = [&](char *To, const char *From, uint64_t Bytes) {
    if (std::memcmp(To, From, Bytes) == 0)
      return;
    Changes = true;
    std::memmove(To, From, Bytes);
  };
  for (uint64_t Z = 0; Z != C.Depth; ++Z) {
    char *To = C.To.Start + Z * C.To.SlicePitch;
    const char *From = C.From.Start + Z * C.From.SlicePitch;
    if (C.To.Pitch == C.Width && C.From.Pitch == C.Width) {
      Move(To, From, C.Width * C.Height);
      continue;
    }
    for (uint64_t Y = 0; Y != C.Height; ++Y)
      Move(To + Y * C.To.Pitch, From + Y * C.From.Pitch, C.Width);
  }
  bool IsRow = C.Depth == 1 && (C.Height == 1 || C.To.Pitch == C.Width);
  if (Changes && IsRow)
    P.Repeats.wrote(C.To.Start, C.bytes(),
                    llvm::xxh3_64bits(llvm::StringRef(C.To.Start, C.bytes())));
  else if (Changes)
    P.Repeats.wrote(C.To.Start);
  RunCopy R;
  R.Kind = Kind;
  R.Bytes = C.bytes();
  const RuntimeAllocation *Host =
      P.Memory.find(FromDevice ? C.To.Start : C.From.Start);
  R.Pinned = Host && Host->isPageLocked();
  // The host does not wait for a copy between places of the device.
  R.Async = C.Async || Kind == RunCopyKind::DeviceToDevice;
  R.Stream = Stream;
  Call.record(std::move(R));
  return cudaSuccess;
}

cudaError_t perform(ApiCall &Call, const MemsetOperation &M, RunHandle Stream) {
  Process &P = Call.process();
  uint64_t Bytes = M.Width * M.Height * M.Depth;
  if (Bytes == 0)
    return cudaSuccess;
  const RuntimeAllocation *A = P.Memory.find(M.To.Start);
  uint64_t Extent =
      (M.Depth - 1) * M.To.SlicePitch + (M.Height - 1) * M.To.Pitch + M.Width;
  if (!A || !P.Memory.fits(M.To.Start, Extent))
    return cudaErrorInvalidValue;
  for (uint64_t Z = 0; Z != M.Depth; ++Z)
    for (uint64_t Y = 0; Y != M.Height; ++Y) {
      char *Row = M.To.Start + Z * M.To.SlicePitch + Y * M.To.Pitch;
      if (M.ElementBytes == 1) {
        std::memset(Row, int(M.Value), M.Width);
        continue;
      }
      for (uint64_t X = 0; X + M.ElementBytes <= M.Width; X += M.ElementBytes)
        std::memcpy(Row + X, &M.Value, M.ElementBytes);
    }
  bool IsRow = M.Depth == 1 && (M.Height == 1 || M.To.Pitch == M.Width);
  if (IsRow)
    P.Repeats.wrote(M.To.Start, Bytes,
                    llvm::hash_combine(M.Value, M.ElementBytes, Bytes));
  else
    P.Repeats.wrote(M.To.Start);
  RunMemset R;
  R.Address = reinterpret_cast<uint64_t>(M.To.Start);
  R.Bytes = Bytes;
  R.Async = M.Async || !A->isPageLocked();
  R.Stream = Stream;
  Call.record(std::move(R));
  return cudaSuccess;
}

cudaError_t perform(ApiCall &Call, const HostOperation &H, RunHandle Stream) {
  int64_t Begin = realNs();
  if (H.Callback)
    H.Callback(H.Stream, cudaSuccess, H.Data);
  else
    H.Function(H.Data);
  Call.record(RunHostFunction{Stream, double(realNs() - Begin)});
  return cudaSuccess;
}

cudaError_t perform(ApiCall &Call, const EventRecordOperation &E,
                    RunHandle Stream) {
  E.Target->Recorded = true;
  Call.record(RunEventRecord{E.Target->Number, Stream});
  return cudaSuccess;
}

cudaError_t perform(ApiCall &Call, const EventWaitOperation &E,
                    RunHandle Stream) {
  // To wait for an event that nobody recorded is to wait for nothing.
  if (E.Source->Recorded)
    Call.record(RunStreamWait{Stream, E.Source->Number});
  return cudaSuccess;
}

cudaError_t perform(ApiCall &Call, const FreeOperation &F, RunHandle) {
  return releaseDevice(Call, F.Address, /*Async=*/true);
}

cudaError_t perform(ApiCall &Call, const ChildGraphOperation &C,
                    RunHandle Stream) {
  for (const GraphNode *N : C.Child->inOrder())
    if (cudaError_t Error = perform(Call, N->Operation, Stream))
      return Error;
  return cudaSuccess;
}

/// Without execution the value is what it was: the body of a loop is done once.
cudaError_t perform(ApiCall &Call, const ConditionalOperation &C,
                    RunHandle Stream) {
  auto body = [&](size_t Index) {
    if (Index >= C.Bodies.size())
      return cudaSuccess;
    return perform(Call, ChildGraphOperation{C.Bodies[Index]}, Stream);
  };
  if (C.Type == cudaGraphCondTypeSwitch)
    return body(*C.Value);
  if (C.Type == cudaGraphCondTypeIf)
    return body(*C.Value ? 0 : 1);
  while (*C.Value) {
    if (cudaError_t Error = body(0))
      return Error;
    if (Call->Mode != ExecutionMode::All ||
        Call->SpentSeconds >= Call->BudgetSeconds) {
      Call.notice("a loop of a graph was followed once, because its kernels "
                  "do not execute as a whole");
      break;
    }
  }
  return cudaSuccess;
}

cudaError_t perform(ApiCall &, const std::monostate &, RunHandle) {
  return cudaSuccess;
}

/// Why the launch does not execute; "" if it does.
std::string reasonToSkip(ApiCall &Call, const Kernel &K, unsigned Device) {
  Process &P = Call.process();
  if (P.Mode == ExecutionMode::None)
    return "no kernel executes, as --execute=none says";
  if (P.SpentSeconds >= P.BudgetSeconds)
    return "the budget of execution is spent";
  DeviceModule &Module = *P.Modules[K.Module];
  if (!P.load(Call, Module, Device))
    return Module.Problem.empty() ? "there is no executor" : Module.Problem;
  return "";
}

/// The managed variables of a kernel's module. The device has storage of its
/// own: a launch reads the host's values, and the host the launch's.
static std::vector<Variable *>
managedVariables(ApiCall &Call, DeviceModule &Module, unsigned Device) {
  if (!Module.ManagedKnown)
    if (llvm::Error E = markManaged(Module))
      Call.notice("managed variables: " + llvm::toString(std::move(E)));
  std::vector<Variable *> Result;
  for (const auto &V : Module.Variables)
    if (V->IsManaged && V->HostVariable && Call->storage(Call, *V, Device))
      Result.push_back(V.get());
  return Result;
}

/// Copies the host's value to the device. A value that the program's text
/// gives is known to the device alone until the first launch: the host's
/// variable is zero unless the program has set it.
static void giveToDevice(Variable &V, unsigned Device) {
  const char *Host = static_cast<const char *>(V.HostVariable);
  bool IsFirst = !std::exchange(V.IsShared, true);
  if (IsFirst && std::all_of(Host, Host + V.Bytes, [](char C) { return !C; }))
    return;
  std::memcpy(V.StorageOn[Device], V.HostVariable, V.Bytes);
}

static bool wantsTrace(Kernel &Function, const KernelOperation &K) {
  std::string Shape;
  llvm::raw_string_ostream OS(Shape);
  for (unsigned I = 0; I < 3; ++I)
    OS << K.Grid[I] << ' ' << K.Block[I] << ' ';
  OS << K.DynamicSharedBytes;
  return Function.wantsTrace(Shape, K.Arguments);
}

/// Kernel::TraceCost of one launch.
static uint64_t traceCost(const RunTrace &Trace, uint64_t Instructions) {
  uint64_t Sum = Trace.Warps.size() * Instructions;
  for (const RunTrace::Warp &W : Trace.Warps)
    Sum = std::accumulate(W.Runs.begin(), W.Runs.end(), Sum);
  return Sum;
}

/// The memory that arguments of the launch point into.
static std::vector<const RuntimeAllocation *>
memoryOf(const Process &P, const KernelOperation &K) {
  std::vector<const RuntimeAllocation *> Result;
  for (llvm::StringRef Bytes : K.Arguments)
    for (; Bytes.size() >= sizeof(void *);
         Bytes = Bytes.drop_front(sizeof(void *))) {
      const void *Address;
      std::memcpy(&Address, Bytes.data(), sizeof(Address));
      const RuntimeAllocation *A = P.Memory.find(Address);
      if (A && !llvm::is_contained(Result, A))
        Result.push_back(A);
    }
  return Result;
}

static std::vector<const RuntimeAllocation *>
managedMemory(const Process &P, const KernelOperation &K) {
  std::vector<const RuntimeAllocation *> Result = memoryOf(P, K);
  llvm::erase_if(Result, [](const RuntimeAllocation *A) {
    return A->Kind != RunMemory::Managed;
  });
  return Result;
}

/// Records the pages that host and GPU have faulted on before a launch.
static void recordFaults(ApiCall &Call, ManagedResidence::Migration M,
                         RunHandle Stream) {
  RunCopy C;
  C.Async = true;
  C.Stream = Stream;
  C.Migration = RunMigration::Faults;
  C.Kind = RunCopyKind::DeviceToHost;
  C.Bytes = M.ToHost;
  if (C.Bytes)
    Call.record(RunCopy(C));
  C.Kind = RunCopyKind::HostToDevice;
  C.Bytes = M.ToGpu;
  if (C.Bytes)
    Call.record(RunCopy(C));
}

/// The fault as one line: what, which kernel and thread, the source line.
static std::string describe(const RunFault &F, llvm::StringRef Kernel) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << F.What << " in '" << Kernel << "', block (" << F.Block[0] << ','
     << F.Block[1] << ',' << F.Block[2] << "), thread (" << F.Thread[0] << ','
     << F.Thread[1] << ',' << F.Thread[2] << ')';
  if (F.Line)
    OS << ", at " << F.File << ':' << F.Line;
  if (!F.Buffer.empty())
    OS << ": " << F.Buffer;
  return Text;
}

/// The kernel of this name in a module. Instances of templates that only device
/// code launches were not registered.
static Kernel &kernelNamed(DeviceModule &Module, const std::string &Mangled) {
  for (const auto &K : Module.Kernels)
    if (K->Mangled == Mangled)
      return *K;
  auto K = std::make_unique<Kernel>();
  K->Module = Module.Number;
  K->Mangled = Mangled;
  return *Module.Kernels.emplace_back(std::move(K));
}

cudaError_t perform(ApiCall &Call, const KernelOperation &K, RunHandle Stream);

/// Executes what a kernel has launched, in its stream and behind it.
static cudaError_t performLaunches(ApiCall &Call, DeviceModule &Module,
                                   std::vector<ChildLaunch> Launches,
                                   RunHandle Stream) {
  for (ChildLaunch &L : Launches) {
    KernelOperation Child;
    Child.Function = &kernelNamed(Module, L.Kernel);
    Child.Grid = L.Grid;
    Child.Block = L.Block;
    Child.DynamicSharedBytes = L.DynamicSharedBytes;
    Child.Arguments = std::move(L.Arguments);
    if (cudaError_t Error = perform(Call, Child, Stream))
      return Error;
  }
  return cudaSuccess;
}

/// Notes memory of another device that the launch must not touch.
static void checkPeers(ApiCall &Call, const KernelOperation &K,
                       unsigned Device) {
  Process &P = Call.process();
  if (P.Device.Count == 1)
    return;
  for (const RuntimeAllocation *A : memoryOf(P, K))
    if (A->Kind == RunMemory::Device && A->Device != Device &&
        !P.Peers.count({Device, A->Device}))
      Call.notice("'" +
                  llvm::StringRef(llvm::demangle(K.Function->Mangled))
                      .split('(')
                      .first.str() +
                  "' on device " + std::to_string(Device) +
                  " has memory of device " + std::to_string(A->Device) +
                  " among its arguments, and no access to it: a GPU fails if "
                  "it touches that");
}

// NOLINTNEXTLINE(readability-function-size): a case per operation.
cudaError_t perform(ApiCall &Call, const KernelOperation &K, RunHandle Stream) {
  Process &P = Call.process();
  if (P.Sticky == cudaSuccess)
    P.LastProblem.clear();
  if (P.Sticky != cudaSuccess)
    return P.Sticky;
  Kernel &Function = *K.Function;
  P.announce(Call, Function);
  RunLaunch R;
  R.Kernel = *Function.Number;
  R.Grid = K.Grid;
  R.Block = K.Block;
  R.DynamicSharedBytes = K.DynamicSharedBytes;
  R.Stream = Stream;
  R.Cooperative = K.Cooperative;
  R.Arguments = K.Arguments;

  const std::vector<const RuntimeAllocation *> Pages = managedMemory(P, K);
  ManagedResidence::Migration Moved;
  for (const RuntimeAllocation *A : Pages) {
    ManagedResidence::Migration M = P.Managed.useOnGpu(*A, 0, A->Bytes);
    Moved.ToHost += M.ToHost;
    Moved.ToGpu += M.ToGpu;
  }
  recordFaults(Call, Moved, Stream);

  const unsigned Device = deviceOf(Stream);
  checkPeers(Call, K, Device);
  std::string Reason = reasonToSkip(Call, Function, Device);
  std::optional<RunFault> Fault;
  std::vector<RunFault> Races;
  std::vector<ChildLaunch> Launches;
  bool IsEndless = false;
  if (Reason.empty()) {
    std::vector<const void *> Arguments;
    for (const std::string &Bytes : K.Arguments)
      Arguments.push_back(Bytes.data());
    ExecutionRequest Request;
    Request.Grid = K.Grid;
    Request.Block = K.Block;
    Request.DynamicSharedBytes = K.DynamicSharedBytes;
    Request.Arguments = Arguments;
    Request.Cooperative = K.Cooperative;
    Request.Seconds =
        std::min(Request.Seconds, P.BudgetSeconds - P.SpentSeconds);
    Request.SampledOnly = P.Mode == ExecutionMode::Sampled;
    Request.Trace = wantsTrace(Function, K);
    Executor &E = *P.executor();
    uint64_t Module = P.Modules[Function.Module]->LoadedOn[Device];
    auto Managed = managedVariables(Call, *P.Modules[Function.Module], Device);
    RepeatedLaunches::Inspection Inspection = P.Repeats.inspect(E, Module, K);
    bool IsRepeat = Managed.empty() && P.Mode == ExecutionMode::All &&
                    P.Repeats.restore(Inspection);
    for (Variable *V : Managed)
      giveToDevice(*V, Device);
    int64_t Begin = realNs();
    llvm::Expected<ExecutionResult> Result = ExecutionResult();
    if (!IsRepeat)
      Result = E.launch(Module, Function.Mangled, Request);
    P.SpentSeconds += double(realNs() - Begin) * 1e-9;
    for (Variable *V : Managed)
      std::memcpy(V->HostVariable, V->StorageOn[Device], V->Bytes);
    if (!IsRepeat)
      P.Repeats.executed(Inspection, Result && Result->Completed);
    if (!Result) {
      Reason = llvm::toString(Result.takeError());
    } else {
      if (Result->Trace) {
        Function.TraceCost +=
            traceCost(*Result->Trace, Result->TracedInstructions);
        R.Trace = std::make_shared<RunTrace>(std::move(*Result->Trace));
      }
      Fault = std::move(Result->Fault);
      Races = std::move(Result->Races);
      Launches = std::move(Result->ChildLaunches);
      if (Result->CheckedAccesses)
        Call.notice("kernel " + Function.Mangled + ": races on shared memory " +
                    "are searched for in the first " +
                    std::to_string(*Result->CheckedAccesses) +
                    " accesses of a thread block");
      IsEndless = Result->BudgetSpent;
      if (!Result->Unsupported.empty())
        Reason = Result->Unsupported;
      else if (Result->BudgetSpent)
        Reason = "the budget of execution is spent";
      else if (Request.SampledOnly)
        Call.notice("only sampled thread blocks execute: results are missing");
    }
  }
  for (const RuntimeAllocation *A : Pages)
    P.Managed.executed(*A);
  R.Executed = Reason.empty() && P.Mode == ExecutionMode::All;
  if (!Reason.empty()) {
    std::string Text =
        "kernel " + Function.Mangled + " does not execute: " + Reason;
    if (P.Mode == ExecutionMode::None) {
      Call.notice(Text);
    } else {
      P.LastProblem = Text;
      R.Problem = Reason;
    }
  }
  Call.record(std::move(R));
  for (RunFault &Race : Races) {
    Race.Kernel = *Function.Number;
    Call.record(std::move(Race));
  }
  if (!Fault)
    return performLaunches(Call, *P.Modules[Function.Module],
                           std::move(Launches), Stream);
  Fault->Kernel = *Function.Number;
  P.LastProblem = describe(*Fault, Function.Mangled);
  // An endless loop would keep a GPU busy for ever; here the program goes on.
  if (!IsEndless)
    P.Sticky = llvm::StringRef(Fault->What).contains("assert")
                   ? cudaErrorAssert
                   : cudaErrorIllegalAddress;
  Call.record(std::move(*Fault));
  return P.Sticky;
}

} // namespace

cudaError_t perform(ApiCall &Call, const StreamOperation &Operation,
                    RunHandle Stream) {
  return std::visit([&](const auto &One) { return perform(Call, One, Stream); },
                    Operation);
}

/// Is the operation a kernel that waits for memory, and may see memory that the
/// host writes meanwhile?
static bool waitsForHost(ApiCall &Call, const StreamOperation &Operation,
                         unsigned Device) {
  const auto *K = std::get_if<KernelOperation>(&Operation);
  Process &P = Call.process();
  if (!K || P.Mode == ExecutionMode::None || P.Sticky != cudaSuccess)
    return false;
  bool SeesHost = llvm::any_of(memoryOf(P, *K), [](const RuntimeAllocation *A) {
    return A->Kind != RunMemory::Device && A->Kind != RunMemory::Variable;
  });
  if (!SeesHost)
    return false;
  P.linkModules(Call);
  DeviceModule &Module = *P.Modules[K->Function->Module];
  auto Loaded = P.load(Call, Module, Device);
  if (!Loaded)
    return false;
  auto Facts = P.executor()->facts(*Loaded, K->Function->Mangled);
  if (Facts)
    return Facts->WaitsForMemory;
  llvm::consumeError(Facts.takeError()); // the launch itself will tell
  return false;
}

void performDeferred(ApiCall &Call) {
  for (Process::DeferredOperation &D : std::exchange(Call->Deferred, {}))
    if (cudaError_t Error = perform(Call, D.What, D.Stream))
      Call.done(Error);
}

cudaError_t submit(ApiCall &Call, cudaStream_t Handle, cudaGraphNodeType Type,
                   StreamOperation Operation) {
  Stream *S = Call->find(Handle);
  if (!S)
    return cudaErrorInvalidResourceHandle;
  if (!S->Capture && (!Call->Deferred.empty() ||
                      waitsForHost(Call, Operation, deviceOf(S->Number)))) {
    Call->Deferred.push_back({std::move(Operation), S->Number});
    return cudaSuccess;
  }
  if (!S->Capture)
    return perform(Call, Operation, S->Number);
  GraphNode *Node = S->Capture->add(Type, std::move(Operation));
  Node->Dependencies = S->CaptureEnds;
  S->CaptureEnds = {Node};
  return cudaSuccess;
}

} // namespace gpuestimate
