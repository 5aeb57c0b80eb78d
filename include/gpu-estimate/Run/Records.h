/// \file
/// What a GPU program did: one record for each call of the CUDA or HIP runtime
/// that costs time or changes memory, in the order in which the host made them.
///
/// The runtime library (lib/Runtime), inside the user's process, writes the
/// records; `gpu-estimate run` reads them from a socket while the program runs,
/// or later from a saved run. The records describe the program and its data,
/// never the GPU: the same run can be evaluated on another GPU.
#ifndef GPU_ESTIMATE_RUN_RECORDS_H
#define GPU_ESTIMATE_RUN_RECORDS_H

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gpuestimate {

/// A stream, event or graph of the program: a small number that is never
/// used again. Stream 0 is the default stream.
using RunHandle = uint64_t;

/// Device code that the program registered: LLVM bitcode of one translation
/// unit (docs/run.md tells what else the module holds), or the text of a module
/// that it loaded by name, PTX or LLVM IR.
struct RunModule {
  uint64_t Module = 0; ///< numbered from 0 in order of registration
  std::string Bitcode;
};

/// A kernel of a module, before its first launch. Launches name it by its
/// number. Asks: the reply tells whether the evaluation can use traces.
struct RunKernel {
  uint64_t Kernel = 0; ///< numbered from 0
  uint64_t Module = 0;
  std::string Mangled;
  /// Registers of one thread, as the program's own compiler has assigned them.
  std::optional<unsigned> Registers = std::nullopt;
};

enum class RunMemory : uint8_t {
  Device,     ///< cudaMalloc and its kin
  Managed,    ///< cudaMallocManaged
  Pinned,     ///< cudaMallocHost, cudaHostAlloc: host memory the GPU can read
  Registered, ///< cudaHostRegister
  Variable,   ///< __device__ and __constant__ variables
};

struct RunAllocation {
  uint64_t Address = 0, Bytes = 0;
  RunMemory Kind = RunMemory::Device;
  std::string Name; ///< of a variable
};

/// cudaFree waits for the device and asks; cudaFreeAsync does not.
struct RunFree {
  uint64_t Address = 0;
  bool Async = false; ///< the host does not wait
};

enum class RunCopyKind : uint8_t {
  HostToDevice,
  DeviceToHost,
  DeviceToDevice,
  HostToHost,
  PeerToPeer,
};

/// Why the driver moves pages of managed memory.
enum class RunMigration : uint8_t {
  None,     ///< it does not: the program copies
  Faults,   ///< the GPU, or the host, touches pages that lie on the other side
  Prefetch, ///< cudaMemPrefetchAsync
};

struct RunCopy {
  RunCopyKind Kind = RunCopyKind::HostToDevice;
  uint64_t Bytes = 0;
  bool Pinned = false; ///< the host's side is page-locked
  bool Async = false;  ///< the host does not wait for it
  RunHandle Stream = 0;
  /// Other than None: pages of managed memory, before the launch that touches
  /// them.
  RunMigration Migration = RunMigration::None;
};

struct RunMemset {
  uint64_t Address = 0, Bytes = 0;
  bool Async = false;
  RunHandle Stream = 0;
};

/// The counts of some warps of a launch, for the unknowns of the kernel model.
/// Blocks and instructions are numbered in the order of the kernel's function
/// after prepareForAnalysis().
///
/// Reuse distances count the 128-byte lines of global memory that the traced
/// warps of one thread block have used since they used the same sector (Mattson
/// et al. 1970, with sectors filled one by one). The warps take turns, one
/// request each.
struct RunTrace {
  struct LoadReuse { ///< of the first executions of a load by a warp
    uint64_t Instruction = 0;
    /// [execution] the largest distance among the sectors of the request, in
    /// bytes of lines that loads used; -1 if a sector is used for the first
    /// time.
    std::vector<int64_t> Bytes;
  };
  struct Warp {
    std::array<uint64_t, 3> Block{};
    uint64_t Index = 0;            ///< in its thread block
    double Weight = 1;             ///< warps of the launch that it stands for
    uint64_t Sampled = 0;          ///< number of the sampled thread block
    std::vector<uint64_t> Runs;    ///< [IR block] executions by the warp
    std::vector<uint64_t> Entries; ///< [loop header block] from outside
    std::vector<LoadReuse> Reuses;
  };
  struct Condition { ///< of a branch, select or division
                     ///< (Execute/Record/Trace.h)
    uint64_t Instruction = 0;
    double Lanes = 0, True = 0;
  };
  struct Branch {
    uint64_t Instruction = 0;
    double Warps = 0, Divergent = 0;
    std::vector<double> Lanes; ///< [successor]
  };
  /// The sectors that an access uses. FirstUses and Sectors are weighted sums
  /// over the thread blocks; those of accesses that were not recorded one by
  /// one are as those of the second half of the recorded ones.
  struct Reuse {
    /// By rising distances; each stands for a factor of two of them.
    std::vector<double> Bytes;   ///< the mean distance
    std::vector<double> Sectors; ///< [distance] that were used again
    double FirstUses = 0;        ///< sectors that the thread block had not used
    /// Sectors of all traced thread blocks that this access was the first to
    /// use: one by one, and such that none of the other blocks used before.
    double Footprint = 0, Union = 0;
    double FootprintLines = 0, UnionLines = 0; ///< the same in lines
  };
  struct Access {
    uint64_t Instruction = 0;
    double Requests = 0, Lanes = 0, Sectors = 0; ///< 32-byte sectors
    /// Some requests: byte offsets of the lanes in the buffer; -1 where a lane
    /// is inactive.
    std::vector<std::vector<int64_t>> Samples;
    std::vector<double> Weights; ///< [sample] requests that it stands for
    /// Reuse of global memory: of a load among the loads, and among all
    /// accesses.
    Reuse AmongLoads, AmongAll;
  };
  std::vector<double> Runs, Lanes; ///< [IR block] by warps and lanes
  std::vector<uint64_t> Loops;     ///< numbers of the loop headers' blocks
  std::vector<double> Entries;     ///< [loop] by warps
  std::vector<Warp> Warps;
  std::vector<Condition> Conditions;
  std::vector<Branch> Branches;
  std::vector<Access> Accesses;
  uint64_t WantedWarps = 0;
  std::string Stop; ///< why the trace ended early, "" if it did not
};

struct RunLaunch {
  uint64_t Kernel = 0; ///< RunKernel::Kernel
  std::array<uint64_t, 3> Grid = {1, 1, 1}, Block = {1, 1, 1};
  uint64_t DynamicSharedBytes = 0;
  RunHandle Stream = 0;
  bool Cooperative = false;
  /// The bytes of each parameter.
  std::vector<std::string> Arguments;
  bool Executed = true; ///< false: its results are missing
  /// Why they are, where the user has asked for them.
  std::optional<std::string> Problem = std::nullopt;
  std::shared_ptr<RunTrace> Trace; ///< null: not traced
};

/// A call into a library that the run executes on the CPU: "cublasSgemm".
struct RunLibraryCall {
  std::string Name;
  std::vector<std::pair<std::string, double>> Sizes; ///< m, n, k, batch ...
  /// Types of elements: "f16", "bf16", "f32", "f64", "i8", "i32", "cf32",
  /// "cf64". Compute is that of the sums; "tf32" where operands are rounded to
  /// it. Of a generator of random numbers it is the generator: "xorwow".
  std::string Operands, Results, Compute;
  RunHandle Stream = 0;
};

struct RunStream {
  RunHandle Stream = 0;
  bool NonBlocking = false; ///< not ordered with the default stream
  bool Destroyed = false;
};

struct RunEventRecord {
  RunHandle Event = 0, Stream = 0;
};
struct RunStreamWait { ///< cudaStreamWaitEvent
  RunHandle Stream = 0, Event = 0;
};
struct RunHostFunction { ///< cudaLaunchHostFunc, cudaStreamAddCallback
  RunHandle Stream = 0;
  double HostNs = 0; ///< what the function took on this host
};

/// Operations between Begin and End are the nodes of one graph launch.
struct RunGraphLaunch {
  RunHandle Graph = 0, Stream = 0;
  bool Begin = true;
};

/// The host waits. Asks: the reply has the time when the wait ends.
struct RunWait {
  enum KindType : uint8_t { Device, Stream, Event } On = Device;
  RunHandle Handle = 0; ///< of the stream or event
};
/// cudaEventElapsedTime. Asks: the reply has the milliseconds.
struct RunElapsed {
  RunHandle From = 0, To = 0;
};
/// cudaStreamQuery, cudaEventQuery. Asks: the reply tells whether all is done.
struct RunQuery {
  RunWait::KindType On = RunWait::Stream;
  RunHandle Handle = 0;
};

/// A wrong access, a failed assertion, an infinite loop: what a kernel did.
struct RunFault {
  std::string What; ///< "out-of-bounds write of 4 bytes"
  uint64_t Kernel = 0;
  std::array<uint64_t, 3> Block{}, Thread{};
  std::string File;
  unsigned Line = 0;
  std::string Buffer; ///< "12 bytes behind the end of 4096 bytes at ..."
};

/// Something the user should know: a call that is missing, a limit.
struct RunNotice {
  std::string Text;
};

/// The program called exit or returned from main; the last record.
struct RunExit {
  int Status = 0;
};

/// Any other call of the runtime's interface, for the table of calls.
struct RunCall {};

/// One call. HostNs counts only what the program itself does: it stands still
/// inside calls of the runtime (their cost and the waits for the GPU depend on
/// the GPU) and inside kernels that execute on the CPU. The virtual clock that
/// the program reads is HostNs plus an offset; each reply sets the offset anew
/// to RunReply::NowNs - HostNs of its record.
struct RunRecord {
  std::string Call;    ///< "cudaMemcpy"; "" if no call of the program
  double HostNs = 0;   ///< host time of the program before the call
  uint64_t Thread = 0; ///< of the host, numbered from 0
  std::variant<RunCall, RunModule, RunKernel, RunAllocation, RunFree, RunCopy,
               RunMemset, RunLaunch, RunLibraryCall, RunStream, RunEventRecord,
               RunStreamWait, RunHostFunction, RunGraphLaunch, RunWait,
               RunElapsed, RunQuery, RunFault, RunNotice, RunExit>
      What;
};

/// The answer to a record that asks. Synchronous copies and sets ask, too, and
/// cudaFree: every call during which the host may wait for the GPU.
struct RunReply {
  double NowNs = 0;     ///< virtual time at which the call returns
  double ElapsedMs = 0; ///< RunElapsed
  bool Ready = true;    ///< RunQuery
  /// RunKernel: what the kernel does depends on data, so that some of its
  /// launches are to be traced.
  bool WantsTraces = true;
  /// RunKernel: registers of a thread, as the prediction has them; 0: unknown.
  unsigned Registers = 0;
};

/// Does the host wait for this copy? Copies from and to pageable memory are
/// staged by the host, also where the program calls the asynchronous function
/// (CUDA Runtime API, "API synchronization behavior").
bool hostWaits(const RunCopy &C);

/// Does the writer of this record wait for a RunReply?
bool asks(const RunRecord &R);

} // namespace gpuestimate

#endif
