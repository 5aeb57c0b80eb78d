#include "Scheduler.h"
#include "Collectives.h"
#include "Execute/Device/DeviceFunctions.h"
#include "Execute/Record/RaceDetector.h"
#include "Execute/Record/Trace.h"
#include "SystemClock.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <boost/context/detail/fcontext.hpp>
#include <condition_variable>
#include <csignal>
#include <map>
#include <pthread.h>
#include <sys/mman.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <thread>
#include <ucontext.h>
#include <unistd.h>

using namespace llvm;
namespace context = boost::context::detail;

namespace gpuestimate {

/// Turns of a worker without progress after which it starts another block, so
/// that threads may wait for blocks that have not started.
static constexpr unsigned IdleTurns = 16;
/// Workers' blocks whose stacks have guard pages: a process may have only
/// 65,530 mappings.
static constexpr unsigned GuardedBlocks = 8;
static constexpr uint64_t PageBytes = 4096;

namespace {

class BlockExecution;
class Worker;

/// Number of barriers: those of PTX, and one for each group of four warps
/// (PtxLowering.cpp).
constexpr unsigned Barriers = 16 + 8;

} // namespace

/// One GPU thread, those of a vector, or all threads of a block that never
/// wait.
class Fiber {
public:
  context::fcontext_t Context = nullptr;
  char *Stack = nullptr; ///< its end
  ThreadContext Thread;
  uint32_t First = 0, Last = 0;
  BlockExecution *Block = nullptr;
  const void *Site = nullptr; ///< in compiled code, where it waits
  Collective Wait;
  unsigned Barrier = 0;
  uint64_t Result = 0;
  uint64_t GridWait = 0;
};

namespace {

/// The lanes of a warp by what they do, as bit masks.
struct WarpLanes {
  uint64_t Ready = 0, Spinning = 0, AtBarrier = 0, AtCollective = 0, AtGrid = 0;
  uint64_t live() const {
    return Ready | Spinning | AtBarrier | AtCollective | AtGrid;
  }
};

struct BarrierState {
  unsigned Arrived = 0;  ///< threads, with ended ones of vectors that arrived
  unsigned Expected = 0; ///< 0: all threads of the block
  unsigned Active = 0;   ///< arrived threads that have not ended
  unsigned True = 0;     ///< arrived threads whose predicate is true
};

/// Memory for stacks or shared memory, with a page behind it that cannot be
/// accessed.
class Mapping {
public:
  Mapping() = default;
  Mapping(const Mapping &) = delete;
  Mapping &operator=(const Mapping &) = delete;
  ~Mapping() {
    if (Base)
      munmap(Base, Bytes + PageBytes);
  }

  /// Pointers into low memory survive a conversion to 32 bits, which is how PTX
  /// addresses shared memory. With a stride, the first page of each part cannot
  /// be accessed either.
  bool allocate(uint64_t Wanted, bool Low, uint64_t Stride) {
    Bytes = alignTo(Wanted, PageBytes);
    int Flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *M = MAP_FAILED;
    if (Low)
      M = mmap(nullptr, Bytes + PageBytes, PROT_READ | PROT_WRITE,
               Flags | MAP_32BIT, -1, 0);
    if (M == MAP_FAILED)
      M = mmap(nullptr, Bytes + PageBytes, PROT_READ | PROT_WRITE, Flags, -1,
               0);
    if (M == MAP_FAILED)
      return false;
    Base = static_cast<char *>(M);
    mprotect(Base + Bytes, PageBytes, PROT_NONE);
    for (uint64_t Offset = 0; Stride && Offset < Bytes; Offset += Stride)
      mprotect(Base + Offset, PageBytes, PROT_NONE);
    return true;
  }
  char *begin() const { return Base; }
  char *end() const { return Base + Bytes; }

private:
  char *Base = nullptr;
  uint64_t Bytes = 0;
};

/// Mappings of earlier launches, by size. Thread-safe.
class MappingCache {
public:
  /// Null when the system has no more memory.
  std::unique_ptr<Mapping> take(uint64_t Bytes, bool Low, uint64_t Stride) {
    {
      std::lock_guard<std::mutex> Guard(Lock);
      std::vector<std::unique_ptr<Mapping>> &Same = Free[{Bytes, Low, Stride}];
      if (!Same.empty()) {
        std::unique_ptr<Mapping> M = std::move(Same.back());
        Same.pop_back();
        --Count;
        return M;
      }
    }
    auto M = std::make_unique<Mapping>();
    return M->allocate(Bytes, Low, Stride) ? std::move(M) : nullptr;
  }
  void give(std::unique_ptr<Mapping> M, uint64_t Bytes, bool Low,
            uint64_t Stride) {
    std::lock_guard<std::mutex> Guard(Lock);
    if (!M || Count >= MaxFree)
      return;
    ++Count;
    Free[{Bytes, Low, Stride}].push_back(std::move(M));
  }

private:
  static constexpr unsigned MaxFree = 32;
  std::mutex Lock;
  std::map<std::tuple<uint64_t, bool, uint64_t>,
           std::vector<std::unique_ptr<Mapping>>>
      Free;
  unsigned Count = 0;
};

/// One thread block that executes, with the stacks and the shared memory that
/// the next block of the worker uses again.
class BlockExecution {
public:
  BlockExecution(Worker &W, RunningLaunch &Launch, MappingCache &Cache)
      : Owner(W), Launch(Launch), Cache(Cache) {}
  ~BlockExecution();
  bool prepare(bool Guarded);
  void start(uint64_t Linear);
  /// All threads have ended.
  void end();
  /// Runs every fiber that can run; false when that brought no thread further,
  /// as far as can be told.
  bool turn();
  bool isDone() const { return LiveFibers == 0; }
  /// The first thread that has not ended; null if all have.
  const Fiber *firstLive() const;

  /// Active threads of the fiber come to a barrier, True of them with a true
  /// predicate. Threads of the fiber that have ended are no longer waited for.
  void arrive(Fiber &F, unsigned Barrier, unsigned Expected, unsigned True,
              unsigned Active, bool Waits);
  void resolve(WarpLanes &W, unsigned First, uint64_t Group);
  void tryCollective(Fiber &F);
  void fiberEnds(Fiber &F);

  Worker &Owner;
  RunningLaunch &Launch;
  std::vector<Fiber> Fibers;
  std::vector<WarpLanes> Warps;
  std::array<uint64_t, 3> Index{};
  const KernelForm *Form = nullptr; ///< that it executes

private:
  bool isComplete(const WarpLanes &W, unsigned First, unsigned Lane,
                  uint64_t &Group) const;
  bool resolveArrived(unsigned WarpNumber, bool Lenient);
  void checkBarriers();
  void release(unsigned Barrier);
  void reportDeadlock();
  void runLanes(unsigned WarpNumber);

  MappingCache &Cache;
  std::unique_ptr<Mapping> Stacks, Shared;
  uint64_t SharedBytes = 0, StacksBytes = 0, GuardStride = 0;
  std::array<BarrierState, Barriers> BarrierStates;
  unsigned LiveFibers = 0, LiveThreads = 0; ///< that have not ended
  bool Waits = false;                       ///< fibers wait for each other
  bool Spins = false;
  std::unique_ptr<TracedBlock> Trace;
  RaceDetector Races;
};

/// One thread of this process while it executes blocks.
class Worker {
public:
  Worker(RunningLaunch &Launch, MappingCache &Cache)
      : Launch(Launch), Cache(Cache) {}
  void run();

  /// Switches to a fiber until it waits or ends; false when it was abandoned.
  void resume(Fiber &F);
  /// Called on a fiber: back to the worker.
  void suspend();

  RunningLaunch &Launch;
  Fiber *Current = nullptr; ///< null: the worker's own code runs
  context::fcontext_t Main = nullptr;
  pthread_t Self = pthread_self();
  /// What the signal handler saw.
  volatile int FaultSignal = 0;
  uint64_t FaultAddress = 0, FaultInstruction = 0;
  bool FaultIsWrite = false;

private:
  bool startBlock();
  MappingCache &Cache;
  std::vector<std::unique_ptr<BlockExecution>> Active, Spare;
  unsigned Created = 0;
};

/// The worker of this thread. A signal handler can find it in no other way.
thread_local Worker *CurrentWorker = nullptr;

int stopSignal() { return SIGRTMIN + 7; }

} // namespace

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

static std::string hexadecimal(uint64_t Address) {
  return "0x" + utohexstr(Address, /*LowerCase=*/true);
}

static constexpr char StillRunning[] =
    "still running when the budget was spent";

/// Records the first fault of the launch and stops it.
static void recordFault(RunningLaunch &Launch, const Fiber &F, std::string What,
                        std::string Buffer, uint64_t Instruction,
                        bool IsOfAnyLane = false) {
  std::lock_guard<std::mutex> Guard(Launch.Lock);
  if (!Launch.Fault && Launch.Unsupported.empty()) {
    RunFault &Fault = Launch.Fault.emplace();
    Fault.What = std::move(What);
    Fault.Buffer = std::move(Buffer);
    for (unsigned A = 0; A < 3; ++A) {
      Fault.Block[A] = F.Thread.Block[A];
      Fault.Thread[A] = F.Thread.Thread[A];
    }
    SourceLocation At = Launch.Code->locate(Instruction);
    Fault.File = At.File;
    Fault.Line = At.Line;
    Launch.FaultIsOfAnyLane = IsOfAnyLane;
  }
  Launch.Stop = true;
}

/// "4 bytes at offset 16 of 'tile'"
static std::string describeShared(const RunningLaunch &Launch, uint64_t Offset,
                                  uint32_t Bytes) {
  std::string Of = "dynamic shared memory";
  if (Offset >= Launch.StaticSharedBytes)
    Offset -= Launch.StaticSharedBytes;
  else
    for (const SharedVariable &V : Launch.SharedVariables)
      if (Offset >= V.Offset && Offset - V.Offset < V.Bytes) {
        Of = "'" + V.Name + "'";
        Offset -= V.Offset;
        break;
      }
  return std::to_string(Bytes) + " bytes at offset " + std::to_string(Offset) +
         " of " + Of;
}

/// Keeps races of lines that are not known yet.
static void recordRaces(RunningLaunch &Launch,
                        const std::array<uint64_t, 3> &Block,
                        ArrayRef<Race> Races) {
  if (Races.empty())
    return;
  std::lock_guard<std::mutex> Guard(Launch.Lock);
  const std::array<uint64_t, 3> &Size = Launch.Request->Block;
  auto Thread = [&](uint64_t Linear) {
    return std::array<uint64_t, 3>{Linear % Size[0], Linear / Size[0] % Size[1],
                                   Linear / (Size[0] * Size[1])};
  };
  for (const Race &R : Races) {
    SourceLocation At[2] = {Launch.Code->locate(R.Sites[0]),
                            Launch.Code->locate(R.Sites[1])};
    std::string Lines[2] = {At[0].brief(), At[1].brief()};
    llvm::sort(Lines);
    if (!Launch.RacingLines->insert(Lines[0] + " " + Lines[1]).second)
      continue;
    std::array<uint64_t, 3> First = Thread(R.Threads[0]);
    RunFault &Fault = Launch.Races.emplace_back();
    Fault.What = std::string("race on shared memory: ") +
                 (R.Writes[1] ? "write" : "read") + " after the " +
                 (R.Writes[0] ? "write" : "read") + " of thread (" +
                 std::to_string(First[0]) + "," + std::to_string(First[1]) +
                 "," + std::to_string(First[2]) + ")";
    if (At[0].isValid())
      Fault.What += " at " + At[0].brief();
    Fault.What += " without a barrier";
    Fault.Block = Block;
    Fault.Thread = Thread(R.Threads[1]);
    Fault.File = At[1].File;
    Fault.Line = At[1].Line;
    Fault.Buffer = describeShared(Launch, R.Offset, R.Bytes);
  }
}

/// Leaves the fiber that runs for good.
[[noreturn]] static void abandonFiber() {
  for (;;)
    CurrentWorker->suspend();
}

void stopWithFault(ThreadContext *Context, std::string What, const void *Site,
                   std::string Buffer) {
  recordFault(CurrentWorker->Launch, *Context->Self, std::move(What),
              std::move(Buffer), reinterpret_cast<uint64_t>(Site) - 1);
  abandonFiber();
}

/// Where a fiber continues after a signal: it never returns to its kernel.
static void abandonAfterSignal() { abandonFiber(); }

/// The innermost address of compiled code among the words of the stack.
static uint64_t compiledCaller(const RunningLaunch &Launch, const char *Stack,
                               const char *End) {
  for (unsigned I = 0; I < 1024 && Stack + 8 <= End; ++I, Stack += 8) {
    uint64_t Word;
    __builtin_memcpy(&Word, Stack, 8);
    if (Launch.Code->contains(Word))
      return Word - 1;
  }
  return 0;
}

static struct sigaction &previousAction(int Signal) {
  static struct sigaction Actions[64 + 1];
  return Actions[Signal];
}

static void handleSignal(int Signal, siginfo_t *Info, void *Context) {
  Worker *W = CurrentWorker;
  auto &Registers = static_cast<ucontext_t *>(Context)->uc_mcontext.gregs;
  uint64_t Instruction = Registers[REG_RIP];
  bool IsStop = Signal == stopSignal();
  if (!W || !W->Current) {
    // A stop that arrives between fibers is seen by the worker itself.
    if (IsStop)
      return;
    sigaction(Signal, &previousAction(Signal), nullptr);
    return; // the instruction faults again, in the handler of the program
  }
  // A fiber in the runtime's code may hold a lock: it is asked again later.
  if (IsStop && !W->Launch.Code->contains(Instruction))
    return;
  uint64_t Address = reinterpret_cast<uint64_t>(Info->si_addr);
  if (Signal == SIGSEGV && Address != Instruction &&
      (W->Launch.Memory->fillOnAccess(Address) ||
       (W->Launch.OpensGranules && W->Launch.Memory->openBehind(Address))))
    return; // the access is made again
  Fiber &F = *W->Current;
  char *StackEnd = F.Stack;
  if (!W->Launch.Code->contains(Instruction)) {
    const char *Stack = reinterpret_cast<const char *>(Registers[REG_RSP]);
    const char *Begin = StackEnd - W->Launch.stackBytes();
    if (Stack >= Begin && Stack < StackEnd)
      Instruction = compiledCaller(W->Launch, Stack, StackEnd);
  }
  W->FaultSignal = Signal;
  W->FaultInstruction = Instruction;
  W->FaultAddress = Address;
  W->FaultIsWrite = Registers[REG_ERR] & 2;
  // The stack of the fiber is free from here on.
  Registers[REG_RSP] = reinterpret_cast<greg_t>(StackEnd) - 256 - 8;
  Registers[REG_RIP] = reinterpret_cast<greg_t>(&abandonAfterSignal);
}

namespace {

/// Installs the handler while a launch executes.
class SignalGuard {
public:
  SignalGuard() {
    struct sigaction Action = {};
    Action.sa_sigaction = handleSignal;
    Action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&Action.sa_mask);
    for (int S : signals())
      sigaction(S, &Action, &previousAction(S));
  }
  ~SignalGuard() {
    for (int S : signals())
      sigaction(S, &previousAction(S), nullptr);
  }
  SignalGuard(const SignalGuard &) = delete;
  SignalGuard &operator=(const SignalGuard &) = delete;

private:
  static std::array<int, 5> signals() {
    return {SIGSEGV, SIGBUS, SIGFPE, SIGILL, stopSignal()};
  }
};

/// A stack for the signal handler of this thread.
class SignalStack {
public:
  SignalStack() : Memory(new char[Bytes]) {
    stack_t Stack = {};
    Stack.ss_sp = Memory.get();
    Stack.ss_size = Bytes;
    sigaltstack(&Stack, &Previous);
  }
  ~SignalStack() { sigaltstack(&Previous, nullptr); }

private:
  static constexpr size_t Bytes = 64 << 10;
  std::unique_ptr<char[]> Memory;
  stack_t Previous = {};
};

} // namespace

//===----------------------------------------------------------------------===//
// Fibers
//===----------------------------------------------------------------------===//

static void fiberMain(context::transfer_t From) {
  Worker &W = *CurrentWorker;
  W.Main = From.fctx;
  for (;;) {
    Fiber &F = *W.Current;
    const RunningLaunch &Launch = W.Launch;
    F.Block->Form->Function(&F.Thread, Launch.Request->Arguments.data(),
                            F.First, F.Last);
    F.Block->fiberEnds(F);
    W.suspend();
  }
}

void Worker::resume(Fiber &F) {
  if (!F.Context)
    F.Context = context::make_fcontext(F.Stack, Launch.stackBytes(), fiberMain);
  Current = &F;
  F.Context = context::jump_fcontext(F.Context, nullptr).fctx;
  Current = nullptr;
  if (!FaultSignal)
    return;
  F.Context = nullptr;
  int Signal = FaultSignal;
  FaultSignal = 0;
  if (Signal == stopSignal()) {
    if (Launch.BudgetSpent)
      recordFault(Launch, F, StillRunning, "", FaultInstruction);
    return;
  }
  std::string What, Buffer;
  if (Signal == SIGFPE) {
    What = "integer division without a result";
  } else if (Signal == SIGILL) {
    What = "trap";
  } else {
    What = std::string("out-of-bounds ") + (FaultIsWrite ? "write" : "read") +
           (FaultAddress ? " at " + hexadecimal(FaultAddress)
                         : " through a null or misaligned pointer");
    Buffer = Launch.Memory->describe(FaultAddress);
    if (Buffer.empty()) {
      const char *Shared = F.Thread.Shared;
      uint64_t Begin = reinterpret_cast<uint64_t>(Shared);
      uint64_t Bytes =
          Launch.StaticSharedBytes + Launch.Request->DynamicSharedBytes;
      if (Shared && FaultAddress >= Begin + Bytes &&
          FaultAddress < Begin + Bytes + 2 * PageBytes)
        Buffer = std::to_string(FaultAddress - Begin - Bytes) +
                 " bytes behind the end of " + std::to_string(Bytes) +
                 " bytes of shared memory";
    }
  }
  recordFault(Launch, F, std::move(What), std::move(Buffer), FaultInstruction,
              F.Block->Form->usesVectors());
}

void Worker::suspend() { Main = context::jump_fcontext(Main, nullptr).fctx; }

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

bool BlockExecution::prepare(bool Guarded) {
  unsigned Count = Launch.maxFibers();
  SharedBytes =
      alignTo(std::max<uint64_t>(1, Launch.StaticSharedBytes +
                                        Launch.Request->DynamicSharedBytes),
              std::max(DeviceAllocations::Alignment, Launch.SharedAlignment));
  uint64_t Stack = alignTo(Launch.stackBytes(), PageBytes) + 2 * PageBytes;
  StacksBytes = Count * Stack;
  GuardStride = Guarded ? Stack : 0;
  Stacks = Cache.take(StacksBytes, false, GuardStride);
  Shared = Cache.take(SharedBytes, true, 0);
  if (!Stacks || !Shared)
    return false;
  Fibers = std::vector<Fiber>(Count);
  for (unsigned I = 0; I < Count; ++I) {
    // Stacks end at different lines of a page, which the sets of a cache hold
    // together.
    Fibers[I].Stack = Stacks->begin() + (I + 1) * Stack - I % 32 * 128;
    Fibers[I].Block = this;
  }
  return true;
}

BlockExecution::~BlockExecution() {
  Cache.give(std::move(Stacks), StacksBytes, false, GuardStride);
  Cache.give(std::move(Shared), SharedBytes, true, 0);
}

void BlockExecution::start(uint64_t Number) {
  const ExecutionRequest &R = *Launch.Request;
  Index = {Number % R.Grid[0], Number / R.Grid[0] % R.Grid[1],
           Number / (R.Grid[0] * R.Grid[1])};
  BarrierStates = {};
  if (Launch.Recorder)
    Trace = Launch.Recorder->start(Number, *Launch.Memory);
  if (Trace)
    Trace->Checks = Launch.Checks;
  bool FindsRaces =
      Launch.Checks &&
      (Trace || (Launch.Checked && Number < Launch.CheckedBlocks));
  if (FindsRaces)
    Races.start(Shared->end() - SharedBytes, SharedBytes, Launch.Lanes,
                divideCeil(Launch.threadsPerBlock(), Launch.Lanes),
                Launch.RacesWithinWarps, Launch.MaxCheckedAccesses);
  Form = Trace        ? &Launch.Traced
         : FindsRaces ? &Launch.Checked
                      : &Launch.ordinary();
  Waits = Form->Waits;
  LiveThreads = Launch.threadsPerBlock();
  unsigned ThreadsOfFiber = Form->threadsOfFiber(LiveThreads);
  LiveFibers = divideCeil(LiveThreads, ThreadsOfFiber);
  for (unsigned I = 0; I < LiveFibers; ++I) {
    Fiber &F = Fibers[I];
    ThreadContext &T = F.Thread;
    for (unsigned A = 0; A < 3; ++A) {
      T.Block[A] = Index[A];
      T.BlockSize[A] = R.Block[A];
      T.Grid[A] = R.Grid[A];
    }
    T.WarpSize = Launch.Lanes;
    T.SpinsLeft = ThreadContext::SpinsPerTurn;
    F.First = I * ThreadsOfFiber;
    F.Last = std::min(F.First + ThreadsOfFiber, LiveThreads);
    T.Lane = F.First % Launch.Lanes;
    T.Warp = F.First / Launch.Lanes;
    T.Thread[0] = F.First % R.Block[0];
    T.Thread[1] = F.First / R.Block[0] % R.Block[1];
    T.Thread[2] = F.First / (R.Block[0] * R.Block[1]);
    T.DynamicSharedBytes = R.DynamicSharedBytes;
    T.Shared = Shared->end() - SharedBytes;
    T.GridWorkspace = reinterpret_cast<uint64_t>(Launch.Workspace);
    T.Self = &F;
    T.Trace = Trace.get();
    T.Races = FindsRaces ? &Races : nullptr;
  }
  Warps.resize(divideCeil(LiveFibers, Launch.Lanes));
  for (unsigned W = 0; W < Warps.size(); ++W) {
    unsigned Lanes = std::min(Launch.Lanes, LiveFibers - W * Launch.Lanes);
    Warps[W] = {};
    Warps[W].Ready = maskTrailingOnes<uint64_t>(Lanes);
  }
}

void BlockExecution::end() {
  recordRaces(Launch, Index, Races.take());
  if (Races.hasEnded()) {
    std::lock_guard<std::mutex> Guard(Launch.Lock);
    Launch.RaceSearchEnded = true;
  }
  if (Trace)
    Launch.Recorder->end(
        *Trace, reinterpret_cast<uint64_t>(Shared->end() - SharedBytes),
        SharedBytes, *Launch.Memory);
  Trace = nullptr;
}

void BlockExecution::fiberEnds(Fiber &F) {
  --LiveFibers;
  LiveThreads -= F.Last - F.First;
  unsigned Number = &F - Fibers.data();
  Warps[Number / Launch.Lanes].Ready &= ~(uint64_t(1) << Number % Launch.Lanes);
  Launch.LiveThreads -= F.Last - F.First;
  if (Waits)
    checkBarriers();
}

/// Runs the ready lanes of a warp, each until it waits.
void BlockExecution::runLanes(unsigned WarpNumber) {
  WarpLanes &W = Warps[WarpNumber];
  unsigned First = WarpNumber * Launch.Lanes;
  for (uint64_t Left = W.Ready; Left && !Launch.Stop; Left &= Left - 1)
    Owner.resume(Fibers[First + countr_zero(Left)]);
}

bool BlockExecution::turn() {
  bool Progress = false;
  unsigned LiveBefore = LiveFibers;
  Spins = false;
  for (unsigned N = 0; N < Warps.size() && !Launch.Stop; ++N) {
    WarpLanes &W = Warps[N];
    if (W.AtGrid) {
      uint64_t Done = Launch.GridWaits;
      unsigned First = N * Launch.Lanes;
      for (uint64_t Left = W.AtGrid; Left; Left &= Left - 1) {
        unsigned Lane = countr_zero(Left);
        if (Fibers[First + Lane].GridWait < Done) {
          W.AtGrid &= ~(uint64_t(1) << Lane);
          W.Ready |= uint64_t(1) << Lane;
        }
      }
    }
    do {
      if (W.Ready)
        Progress = true;
      while (W.Ready && !Launch.Stop)
        runLanes(N);
    } while (!Launch.Stop && W.AtCollective && resolveArrived(N, false));
    if (W.Spinning) {
      W.Ready |= W.Spinning;
      W.Spinning = 0;
      Spins = true;
      runLanes(N);
    }
    Spins |= W.AtGrid != 0;
  }
  // Lanes that wait for memory may meet their warp in each iteration: as long
  // as no thread ends, that is no progress.
  if (Spins)
    return LiveFibers < LiveBefore;
  if (Progress || isDone() || Launch.Stop)
    return Progress;
  if (any_of(Warps, [](const WarpLanes &W) { return W.Ready != 0; }))
    return true;
  // All threads wait for each other. Hardware before Volta ran such a
  // collective with the lanes that had arrived, and programs rely on it.
  for (unsigned N = 0; N < Warps.size(); ++N)
    if (Warps[N].AtCollective && resolveArrived(N, true))
      return true;
  reportDeadlock();
  return false;
}

const Fiber *BlockExecution::firstLive() const {
  for (unsigned Number = 0; Number < Warps.size() * Launch.Lanes; ++Number) {
    const WarpLanes &W = Warps[Number / Launch.Lanes];
    if (W.live() >> Number % Launch.Lanes & 1)
      return &Fibers[Number];
  }
  return nullptr;
}

void BlockExecution::reportDeadlock() {
  const Fiber *F = firstLive();
  if (!F)
    return;
  unsigned Waiting = 0;
  for (unsigned N = 0; N < Warps.size(); ++N)
    for (uint64_t Left = Warps[N].AtBarrier; Left; Left &= Left - 1) {
      const Fiber &At = Fibers[N * Launch.Lanes + countr_zero(Left)];
      Waiting += At.Last - At.First;
    }
  recordFault(Launch, *F,
              "barrier that only " + std::to_string(Waiting) + " of " +
                  std::to_string(LiveThreads) + " threads of the block reach",
              "", reinterpret_cast<uint64_t>(F->Site) - 1);
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

void BlockExecution::release(unsigned Barrier) {
  BarrierState &B = BarrierStates[Barrier];
  for (unsigned N = 0; N < Warps.size(); ++N)
    for (uint64_t Left = Warps[N].AtBarrier; Left; Left &= Left - 1) {
      unsigned Lane = countr_zero(Left);
      Fiber &F = Fibers[N * Launch.Lanes + Lane];
      if (F.Barrier != Barrier)
        continue;
      F.Result = uint64_t(B.True) << 32 | B.Active;
      Warps[N].AtBarrier &= ~(uint64_t(1) << Lane);
      Warps[N].Ready |= uint64_t(1) << Lane;
    }
  B = {};
  Races.order();
}

/// Threads that have ended no longer count at a barrier.
void BlockExecution::checkBarriers() {
  for (unsigned I = 0; I < Barriers; ++I) {
    BarrierState &B = BarrierStates[I];
    if (B.Arrived && B.Arrived >= (B.Expected ? B.Expected : LiveThreads))
      release(I);
  }
}

void BlockExecution::arrive(Fiber &F, unsigned Barrier, unsigned Expected,
                            unsigned True, unsigned Active, bool Waits) {
  BarrierState &B = BarrierStates[Barrier % Barriers];
  B.Arrived += F.Last - F.First;
  B.Active += Active;
  B.True += True;
  if (Expected)
    B.Expected = Expected;
  unsigned Number = &F - Fibers.data();
  uint64_t Bit = uint64_t(1) << Number % Launch.Lanes;
  if (Waits) {
    WarpLanes &W = Warps[Number / Launch.Lanes];
    W.Ready &= ~Bit;
    W.AtBarrier |= Bit;
    F.Barrier = Barrier % Barriers;
  }
  if (B.Arrived >= (B.Expected ? B.Expected : LiveThreads))
    release(Barrier % Barriers);
  else if (Waits)
    Owner.suspend();
}

//===----------------------------------------------------------------------===//
// Collectives of a warp
//===----------------------------------------------------------------------===//

/// Have all lanes arrived that the lane's collective waits for?
bool BlockExecution::isComplete(const WarpLanes &W, unsigned First,
                                unsigned Lane, uint64_t &Group) const {
  const Collective &Wait = Fibers[First + Lane].Wait;
  Group = Wait.Mask & W.live();
  if (!Group || (Group & W.AtCollective) != Group)
    return false;
  for (uint64_t Left = Group; Left; Left &= Left - 1) {
    const Collective &Other = Fibers[First + countr_zero(Left)].Wait;
    if (Other.Kind != Wait.Kind || Other.Mask != Wait.Mask)
      return false;
  }
  return true;
}

/// Completes one collective of a warp none of whose lanes can run; false if
/// there is none. Without Lenient, only lanes that wait for nobody in
/// particular.
bool BlockExecution::resolveArrived(unsigned WarpNumber, bool Lenient) {
  WarpLanes &W = Warps[WarpNumber];
  unsigned First = WarpNumber * Launch.Lanes;
  for (uint64_t Left = W.AtCollective; Left; Left &= Left - 1) {
    const Fiber &F = Fibers[First + countr_zero(Left)];
    uint64_t Group = 0;
    if (F.Wait.Mask) {
      // A lane that the collective waits for may have ended since.
      if (isComplete(W, First, countr_zero(Left), Group)) {
        resolve(W, First, Group);
        return true;
      }
      if (!Lenient)
        continue;
    }
    Group = 0;
    for (uint64_t Other = W.AtCollective; Other; Other &= Other - 1) {
      const Fiber &O = Fibers[First + countr_zero(Other)];
      if (O.Site == F.Site && O.Wait.Kind == F.Wait.Kind &&
          (Lenient || !O.Wait.Mask))
        Group |= uint64_t(1) << countr_zero(Other);
    }
    resolve(W, First, Group);
    return true;
  }
  return false;
}

void BlockExecution::tryCollective(Fiber &F) {
  unsigned Number = &F - Fibers.data();
  unsigned Lane = Number % Launch.Lanes;
  WarpLanes &W = Warps[Number / Launch.Lanes];
  W.Ready &= ~(uint64_t(1) << Lane);
  W.AtCollective |= uint64_t(1) << Lane;
  uint64_t Group = 0;
  if (isComplete(W, Number - Lane, Lane, Group))
    resolve(W, Number - Lane, Group);
  else
    Owner.suspend();
}

void BlockExecution::resolve(WarpLanes &W, unsigned First, uint64_t Group) {
  const Collective *Waits[64] = {};
  uint64_t Results[64];
  unsigned Lanes = std::min<unsigned>(Launch.Lanes, Fibers.size() - First);
  for (unsigned L = 0; L < Lanes; ++L)
    Waits[L] = &Fibers[First + L].Wait;
  completeCollective(Group, ArrayRef(Waits, Launch.Lanes),
                     MutableArrayRef(Results, Launch.Lanes));
  for (uint64_t Left = Group; Left; Left &= Left - 1)
    Fibers[First + countr_zero(Left)].Result = Results[countr_zero(Left)];
  W.AtCollective &= ~Group;
  W.Ready |= Group;
  if (Fibers[First].Thread.Races)
    Races.orderWarp(First / Launch.Lanes);
}

//===----------------------------------------------------------------------===//
// Functions that compiled code calls
//===----------------------------------------------------------------------===//

static uint64_t collective(ThreadContext *Context, uint32_t Kind, uint64_t Mask,
                           uint64_t Value, uint32_t B, uint32_t C) {
  Fiber &F = *Context->Self;
  F.Site = __builtin_return_address(0);
  F.Wait = {CollectiveKind(Kind), Mask, Value, B, C};
  F.Block->tryCollective(F);
  return F.Result;
}

/// Arrived threads in bits 0 to 31, those with a true predicate above.
static uint64_t barrier(ThreadContext *Context, uint32_t Number,
                        uint32_t Expected, uint32_t Predicate, uint32_t Waits) {
  Fiber &F = *Context->Self;
  F.Site = __builtin_return_address(0);
  F.Block->arrive(F, Number, Expected, Predicate != 0, 1, Waits);
  return F.Result;
}

static uint64_t barrierOfLanes(ThreadContext *Context, uint32_t Number,
                               uint32_t Expected, uint32_t True, uint32_t Waits,
                               uint32_t Active) {
  Fiber &F = *Context->Self;
  F.Site = __builtin_return_address(0);
  F.Block->arrive(F, Number, Expected, True, Active, Waits);
  return F.Result;
}

/// A collective of lanes that execute in lock-step: those of one mask take part
/// together. The results replace the values; that of the first lane returns.
static uint64_t collectiveOfLanes(ThreadContext *, uint32_t Kind,
                                  uint64_t Active, const uint64_t *Masks,
                                  uint64_t *Values, const uint32_t *B,
                                  const uint32_t *C) {
  constexpr unsigned Count = 32;
  Collective Waits[Count];
  const Collective *Lanes[Count];
  uint64_t Results[Count];
  for (unsigned L = 0; L < Count; ++L) {
    Waits[L] = {CollectiveKind(Kind), Masks[L], Values[L], B[L], C[L]};
    Lanes[L] = &Waits[L];
  }
  for (uint64_t Left = Active; Left;) {
    unsigned First = countr_zero(Left);
    uint64_t Group = 0;
    for (uint64_t Others = Left; Others; Others &= Others - 1)
      if (unsigned L = countr_zero(Others);
          Masks[L] == Masks[First] &&
          (L == First || !Masks[L] || Masks[L] >> L & 1))
        Group |= uint64_t(1) << L;
    completeCollective(Group, Lanes, Results);
    Left &= ~Group;
  }
  for (uint64_t Left = Active; Left; Left &= Left - 1)
    Values[countr_zero(Left)] = Results[countr_zero(Left)];
  return Results[countr_zero(Active)];
}

static void setState(Fiber &F, uint64_t WarpLanes::*State) {
  unsigned Number = &F - F.Block->Fibers.data();
  WarpLanes &W = F.Block->Warps[Number / F.Block->Launch.Lanes];
  uint64_t Bit = uint64_t(1) << Number % F.Block->Launch.Lanes;
  W.Ready &= ~Bit;
  W.*State |= Bit;
  F.Block->Owner.suspend();
}

/// What a thread waited for orders accesses before and after.
static void orderAccesses(ThreadContext *Context) {
  if (Context->Races)
    Context->Races->order();
}

static void spin(ThreadContext *Context) {
  Fiber &F = *Context->Self;
  F.Site = __builtin_return_address(0);
  setState(F, &WarpLanes::Spinning);
  Context->SpinsLeft = ThreadContext::SpinsPerTurn;
  orderAccesses(Context);
}

/// Waits until the phase of a barrier object ends.
static void waitForPhase(ThreadContext *Context, uint64_t *Barrier,
                         uint64_t Token) {
  Fiber &F = *Context->Self;
  F.Site = __builtin_return_address(0);
  while (!barrierPhaseEnded(Barrier, Token))
    setState(F, &WarpLanes::Spinning);
  orderAccesses(Context);
}

/// Tests a phase, by its state or its parity, and lets others run until it has
/// ended: kernels are prepared as if each test succeeded
/// (Lowering/Pipeline/PhaseWaits.h).
static uint32_t tryPhase(ThreadContext *Context, uint64_t *Barrier,
                         uint64_t Phase, uint32_t IsParity) {
  Fiber &F = *Context->Self;
  F.Site = __builtin_return_address(0);
  auto HasEnded = [&] {
    return IsParity ? barrierParityEnded(Barrier, Phase)
                    : barrierPhaseEnded(Barrier, Phase);
  };
  while (!HasEnded())
    setState(F, &WarpLanes::Spinning);
  orderAccesses(Context);
  return true;
}

static void gridSync(ThreadContext *Context) {
  Fiber &F = *Context->Self;
  orderAccesses(Context);
  F.Site = __builtin_return_address(0);
  RunningLaunch &Launch = F.Block->Launch;
  F.GridWait = Launch.GridWaits;
  if (++Launch.AtGrid >= Launch.LiveThreads) {
    Launch.AtGrid = 0;
    ++Launch.GridWaits;
    return;
  }
  setState(F, &WarpLanes::AtGrid);
}

static void unsupported(ThreadContext *Context, const char *What) {
  RunningLaunch &Launch = Context->Self->Block->Launch;
  {
    std::lock_guard<std::mutex> Guard(Launch.Lock);
    if (!Launch.Fault && Launch.Unsupported.empty()) {
      Launch.Unsupported = What;
      SourceLocation At = Launch.Code->locate(
          reinterpret_cast<uint64_t>(__builtin_return_address(0)) - 1);
      if (At.isValid())
        Launch.Unsupported += " at " + At.brief();
    }
  }
  Launch.Stop = true;
  abandonFiber();
}

static void trap(ThreadContext *Context) {
  stopWithFault(Context, "trap", __builtin_return_address(0));
}

static void assertFail(ThreadContext *Context, const char *Message,
                       const char *, uint32_t, const char *, uint64_t) {
  stopWithFault(Context, std::string("assertion '") + Message + "' failed",
                __builtin_return_address(0));
}

void addSchedulerFunctions(StringMap<void *> &Table) {
  Table["ge.collective"] = reinterpret_cast<void *>(collective);
  Table["ge.barrier"] = reinterpret_cast<void *>(barrier);
  Table["ge.collective.lanes"] = reinterpret_cast<void *>(collectiveOfLanes);
  Table["ge.barrier.lanes"] = reinterpret_cast<void *>(barrierOfLanes);
  Table["ge.spin"] = reinterpret_cast<void *>(spin);
  Table["ge.mbarrier_wait"] = reinterpret_cast<void *>(waitForPhase);
  Table["ge.mbarrier_try"] = reinterpret_cast<void *>(tryPhase);
  Table["ge.grid_sync"] = reinterpret_cast<void *>(gridSync);
  Table["ge.unsupported"] = reinterpret_cast<void *>(unsupported);
  Table["ge.trap"] = reinterpret_cast<void *>(trap);
  Table["ge.assertfail"] = reinterpret_cast<void *>(assertFail);
}

//===----------------------------------------------------------------------===//
// Workers
//===----------------------------------------------------------------------===//

bool Worker::startBlock() {
  const uint64_t End = std::min(Launch.blocks(), Launch.EndBlock);
  if (Launch.Stop || Launch.NextBlock >= End)
    return false;
  uint64_t Next = Launch.NextBlock++;
  if (Next >= End)
    return false;
  if (Spare.empty()) {
    auto Run = std::make_unique<BlockExecution>(*this, Launch, Cache);
    if (!Run->prepare(Created++ < GuardedBlocks)) {
      std::lock_guard<std::mutex> Guard(Launch.Lock);
      Launch.Unsupported = "too much memory for the stacks of the threads";
      Launch.Stop = true;
      return false;
    }
    Spare.push_back(std::move(Run));
  }
  Active.push_back(std::move(Spare.back()));
  Spare.pop_back();
  Active.back()->start(Launch.Blocks.empty() ? Next : Launch.Blocks[Next]);
  return true;
}

void Worker::run() {
  SignalStack Stack;
  CurrentWorker = this;
  unsigned Idle = 0;
  while (!Launch.Stop && (!Active.empty() || startBlock())) {
    bool Progress = false;
    for (size_t I = 0; I < Active.size() && !Launch.Stop; ++I) {
      Progress |= Active[I]->turn();
      if (!Active[I]->isDone())
        continue;
      Progress = true;
      Active[I]->end();
      Spare.push_back(std::move(Active[I]));
      Active.erase(Active.begin() + I--);
    }
    Idle = Progress ? 0 : Idle + 1;
    if (Idle < IdleTurns)
      continue;
    Idle = 0;
    // As many as are active, since what a turn costs grows with them.
    bool Started = false;
    for (size_t Left = std::max<size_t>(1, Active.size());
         Left > 0 && startBlock(); --Left)
      Started = true;
    if (!Started)
      sched_yield();
  }
  // The time was over while all threads waited, outside of compiled code.
  if (Launch.BudgetSpent)
    for (const std::unique_ptr<BlockExecution> &Block : Active)
      if (const Fiber *F = Block->firstLive(); F && F->Site)
        recordFault(Launch, *F, StillRunning, "",
                    reinterpret_cast<uint64_t>(F->Site) - 1);
  CurrentWorker = nullptr;
}

namespace {

/// Stops the workers of a launch when its time is over, or when one of them has
/// found a fault: compiled code is interrupted by a signal.
class Watchdog {
public:
  Watchdog() : Thread([this] { watch(); }) {}
  ~Watchdog() {
    {
      std::lock_guard<std::mutex> Guard(Lock);
      Done = true;
    }
    Wake.notify_all();
    Thread.join();
  }
  void begin(RunningLaunch &L) {
    std::lock_guard<std::mutex> Guard(Lock);
    Launch = &L;
    End = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                             std::chrono::duration<double>(std::min(
                                 L.Request->Seconds - L.SecondsSpent, 1e8)));
    if (Sleeps)
      Wake.notify_all();
  }
  void end() {
    std::lock_guard<std::mutex> Guard(Lock);
    Launch = nullptr;
    LastEnd = Clock::now();
  }
  void add(pthread_t Worker) {
    std::lock_guard<std::mutex> Guard(Lock);
    Workers.push_back(Worker);
  }
  void remove(pthread_t Worker) {
    std::lock_guard<std::mutex> Guard(Lock);
    llvm::erase_if(Workers,
                   [&](pthread_t W) { return pthread_equal(W, Worker); });
  }

private:
  using Clock = SystemClock;

  void waitFor(std::unique_lock<std::mutex> &Guard,
               std::chrono::nanoseconds Interval) {
    std::chrono::nanoseconds Until = Clock::now().time_since_epoch() + Interval;
    timespec T;
    T.tv_sec = Until.count() / 1000000000;
    T.tv_nsec = Until.count() % 1000000000;
    pthread_cond_clockwait(Wake.native_handle(), Guard.mutex()->native_handle(),
                           CLOCK_MONOTONIC, &T);
  }

  void watch() {
    std::unique_lock<std::mutex> Guard(Lock);
    while (!Done) {
      Clock::time_point Now = Clock::now();
      if (Launch && Now >= End && !Launch->Stop) {
        Launch->BudgetSpent = true;
        Launch->Stop = true;
      }
      if (Launch && Launch->Stop)
        for (pthread_t W : Workers)
          pthread_kill(W, stopSignal());
      // Launches that follow each other need not wake this thread.
      Sleeps = !Launch && Now - LastEnd > std::chrono::seconds(1);
      if (Sleeps)
        Wake.wait(Guard);
      else
        waitFor(Guard, std::chrono::milliseconds(2));
    }
  }

  std::mutex Lock; ///< of the rest
  std::condition_variable Wake;
  RunningLaunch *Launch = nullptr;
  Clock::time_point End, LastEnd;
  std::vector<pthread_t> Workers;
  bool Sleeps = false, Done = false;
  std::thread Thread; ///< last, as it uses the others
};

} // namespace

class Scheduler::Implementation {
public:
  explicit Implementation(unsigned Workers)
      : Workers(Workers), Arena(int(Workers)) {}

  unsigned Workers;
  tbb::task_arena Arena;
  MappingCache Cache;
  Watchdog Dog;
};

Scheduler::Scheduler(unsigned Workers)
    : Impl(std::make_unique<Implementation>(Workers)) {}
Scheduler::~Scheduler() = default;

/// Threads of a launch for which another worker pays.
static constexpr uint64_t ThreadsPerWorker = 1024;

void Scheduler::run(RunningLaunch &Launch) {
  uint64_t Threads = Launch.blocks() * Launch.threadsPerBlock();
  Launch.LiveThreads = Threads;
  SignalGuard Signals;
  Impl->Dog.begin(Launch);
  auto work = [&] {
    Worker W(Launch, Impl->Cache);
    Impl->Dog.add(W.Self);
    W.run();
    Impl->Dog.remove(W.Self);
  };
  uint64_t Workers = std::min<uint64_t>(
      {Impl->Workers, Launch.blocks(), divideCeil(Threads, ThreadsPerWorker)});
  if (Workers <= 1)
    work();
  else
    Impl->Arena.execute([&] {
      tbb::parallel_for(
          uint64_t(0), Workers, [&](uint64_t) { work(); },
          tbb::simple_partitioner());
    });
  Impl->Dog.end();
}

} // namespace gpuestimate
