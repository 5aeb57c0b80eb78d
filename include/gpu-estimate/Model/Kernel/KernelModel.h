/// \file
/// One GPU kernel as plain data and symbolic functions of the thread's
/// coordinates, the launch and the arguments. Lowering makes it from LLVM IR;
/// Evaluate reads it. It refers neither to LLVM IR nor to a GPU.
///
/// Shape: a tree of loops over basic blocks in execution order. A block holds
/// operations with their data dependences, so that the time of one thread
/// (`time(lat...)` of Kleimenov & Popova 2021) can be computed for any set of
/// latencies; `delay` is the sum of issue costs of the same operations; `mem`
/// is the access list.
///
/// Names of free parameters in the expressions:
///   threadIdx.{x,y,z} blockIdx.{x,y,z} blockDim.{x,y,z} gridDim.{x,y,z}
///   a kernel argument: its name ("n"; a member of a by-value struct: "p.n")
///   a loop counter: Loop::Counter, running 0 .. TripCount-1
///   an unknown: Unknown::Name ("trip@f.cu:12", "p(branch@f.cu:20)",
///   "value@f.cu:7"; a second one of the same line gets "#2")
#ifndef GPU_ESTIMATE_MODEL_KERNEL_KERNELMODEL_H
#define GPU_ESTIMATE_MODEL_KERNEL_KERNELMODEL_H

#include "gpu-estimate/Model/Kernel/MachineCode.h"
#include "gpu-estimate/Model/Kernel/OffloadedNest.h"
#include "gpu-estimate/Model/Machine/OpClass.h"
#include "gpu-estimate/Support/SourceLocation.h"
#include "gpu-estimate/Symbolic/Expr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Sequence.h"
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gpuestimate {

/// A value that an operation waits for.
struct Operand {
  unsigned Producer = 0; ///< index into KernelModel::Operations
  /// The value is the one that Producer made in the previous iteration of the
  /// innermost loop that contains both.
  bool Carried = false;
};

/// Whose processing blocks one matrix instruction keeps busy.
enum class MatrixScope : uint8_t {
  Warp,           ///< its own: mma, wmma, MFMA
  Warpgroup,      ///< its own; each of four warps issues a quarter: wgmma
  Multiprocessor, ///< all; one thread issues it for the block: tcgen05.mma
};

/// A memory access that an operation performs. Index into
/// KernelModel::Accesses.
struct PerformedAccess {
  unsigned Access = 0;
};

/// A wait that an operation stands for; its latency is the length of the wait.
/// Index into KernelModel::Waits.
struct PerformedWait {
  unsigned Wait = 0;
};

/// The arrival of an asynchronous copy. The latency of such an operation is
/// that of the copy's access divided by CopiesAhead. With s buffers the copy
/// for an iteration starts s - 1 iterations before it, so that an arrival that
/// the next iteration waits for has CopiesAhead = s - 1.
struct CopyArrival {
  unsigned Access = 0; ///< index into KernelModel::Accesses
  unsigned CopiesAhead = 1;
};

struct Operation {
  OpClass Class = OpClass::Move;
  /// Machine instructions that this entry stands for (a division or a 64-bit
  /// addition is several), issued one after the other. It is 0 for a wait, for
  /// the arrival of a copy, and for the access that stands for what a matrix
  /// instruction reads from shared memory.
  unsigned Count = 1;
  /// How many of them depend on each other in sequence (1 <= Chain <= Count):
  /// latency of the entry = Chain * class latency.
  unsigned Chain = 1;
  /// Floating-point operations of one thread, FMA counted as two.
  unsigned FlopFp16 = 0, FlopFp32 = 0, FlopFp64 = 0;
  /// Tensor classes: multiply-adds of one of the Count machine instructions of
  /// a warp.
  double TensorMultiplyAdds = 0;
  /// Tensor classes: the result of any other scope than Warp is awaited, so
  /// that the latency of the entry contains its execution.
  MatrixScope Scope = MatrixScope::Warp;
  /// What decides the latency of the entry in place of its class; monostate:
  /// nothing does.
  std::variant<std::monostate, PerformedAccess, PerformedWait, CopyArrival>
      Effect;
  /// Loop bookkeeping (counter increment, exit compare, back branch): costs
  /// once per Loop::Unroll iterations.
  bool LoopOverhead = false;
  SourceLocation Location;
  std::vector<Operand> Operands;

  /// Index into KernelModel::Accesses of the access that it performs.
  std::optional<unsigned> access() const {
    const auto *A = std::get_if<PerformedAccess>(&Effect);
    return A ? std::optional(A->Access) : std::nullopt;
  }
  /// Index into KernelModel::Waits of the wait that it stands for.
  std::optional<unsigned> wait() const {
    const auto *W = std::get_if<PerformedWait>(&Effect);
    return W ? std::optional(W->Wait) : std::nullopt;
  }
  /// Null if it is not the arrival of a copy.
  const CopyArrival *arrival() const {
    return std::get_if<CopyArrival>(&Effect);
  }
  /// Replaces the access that the effect names, if any, by New of its index.
  /// Returns false, without an effect left, where New has none.
  bool renumberAccess(llvm::ArrayRef<std::optional<unsigned>> New);
};

/// Straight-line code of a kernel with one condition.
struct BasicBlock {
  /// Operations [FirstOp, EndOp) of KernelModel::Operations, in program order.
  unsigned FirstOp = 0, EndOp = 0;
  /// Their indices.
  auto operations() const { return llvm::seq(FirstOp, EndOp); }
  /// Share of the executions of the enclosing loop body (or of the kernel) in
  /// which a thread executes this block: 0/1-valued where the condition is
  /// known, a probability where it is data-dependent. A warp executes the
  /// block when any of its lanes does.
  Expr Active;
  /// The data-dependent part of Active is the same for all lanes of a warp.
  bool WarpUniform = false;
  /// Each instruction is guarded by a predicate in place of a branch
  /// (if-conversion): the compiler lays the block out together with the blocks
  /// around it, and warps issue it whose lanes all skip it. The operand that
  /// computes the predicate is one of each operation's Operands.
  bool Predicated = false;
  /// The branch that guards the block, for divergence diagnostics.
  SourceLocation Condition;
};

/// A child of the kernel's body or of a loop's body in the tree of regions: a
/// basic block or a nested loop.
struct RegionNode {
  enum KindType : uint8_t { IsBlock, IsLoop } Kind = IsBlock;
  unsigned Index = 0; ///< into KernelModel::Blocks or ::Loops
};

struct Loop {
  std::string Counter; ///< parameter name of the iteration number, unique
  /// Iterations of one thread per entry; may depend on coordinates, outer
  /// counters, arguments, unknowns. Negative values mean 0.
  Expr TripCount;
  /// Share of the enclosing body's executions in which a thread enters.
  Expr Active;
  bool WarpUniform = false; ///< as for BasicBlock
  /// Iterations that the compiler is expected to lay out as one (pragma, or
  /// what a device compiler does on its own); 1 = none.
  unsigned Unroll = 1;
  std::vector<RegionNode> Body; ///< in execution order
  int Parent = -1; ///< index of the enclosing loop; -1: the kernel's body
  SourceLocation Location;
};

enum class MemorySpace : uint8_t { Global, Shared, Constant, Local, Texture };
enum class AccessKind : uint8_t { Load, Store, Atomic, AsyncCopy };

struct MemoryAccess {
  MemorySpace Space = MemorySpace::Global;
  AccessKind Kind = AccessKind::Load;
  unsigned BytesPerThread = 4; ///< of one thread, one execution
  /// Byte offset from the start of Base, per thread. Contains a `value@...`
  /// unknown where it depends on loaded data. Null when nothing is known.
  Expr Address;
  std::string Base; ///< argument or variable name; "" when unknown
  /// Index of the kernel argument that Base is, if it is one.
  std::optional<unsigned> BaseArgument;
  std::optional<uint64_t> BaseBytes; ///< size of the object when declared
  /// The buffer that Base points into where several arguments share one
  /// (BufferParts.h), Address then being the offset from its start; "" = Base.
  std::string Buffer;
  bool ReadOnly = false; ///< through the read-only path (__ldg, const restrict)
  bool BypassL1 = false; ///< volatile, .cg, atomics
  bool DataDependent = false; ///< Address contains loaded data
  bool ReturnsValue = true;   ///< atomics: the old value is used
  /// Atomics: an integer operation of all lanes on one address that device
  /// compilers combine within the warp, so that one lane reaches the memory.
  bool CombinesLanes = false;
  /// Atomics on shared memory: the hardware counts all lanes of a word at once.
  bool MergesLanes = false;
  bool RealAtomic = false; ///< atomics: a floating-point operation
  /// Atomics: a compare-and-swap that is repeated, with the read and the
  /// operation before it, until no other thread came between.
  bool CasLoop = false;
  unsigned Block = 0; ///< index into KernelModel::Blocks
  SourceLocation Location;
  std::string Anchor; ///< "gather:data[index[i]]" (SourceAnchor.h), or ""

  /// The buffer that the access is to; "" when unknown.
  const std::string &buffer() const { return Buffer.empty() ? Base : Buffer; }
};

/// Time that a thread lets pass: a sleep, or a loop that reads a clock until it
/// has advanced. Example: `while (clock64() - start < n);` waits n core cycles
/// from the read of start.
struct Wait {
  enum UnitType : uint8_t { CoreCycles, Nanoseconds } Unit = CoreCycles;
  Expr Length;        ///< in units; of one execution of the block
  unsigned Block = 0; ///< index into KernelModel::Blocks
};

/// A load whose value decides an unknown.
struct DataLoad {
  std::string Name;   ///< of the parameter of Unknown::Form that it stands for
  std::string Buffer; ///< as MemoryAccess::Base
  Expr Address;       ///< bytes from the start of Base; may contain other loads
  unsigned Bytes = 4;
};

/// A value that the source does not determine. It stays a symbol; printed
/// numbers use Default unless the user gives a value.
struct Unknown {
  enum KindType : uint8_t {
    TripCount,
    BranchProbability,
    LoadedValue,
    Call,
    Instruction,
    Other
  };
  KindType Kind = Other;
  std::string Name; ///< parameter name in expressions; may be "" when no
                    ///< expression uses it
  std::string What; ///< "trip count of the loop at f.cu:12"
  std::string Why;  ///< "its bound is loaded from memory (row_ptr)"
  /// A name that survives edits of the source above it (SourceAnchor.h), or "".
  std::string Anchor;
  /// Comparison whose probability this is, "" for the truth of a value; or that
  /// alone ends a loop, of its counter with a bound that is data: "<", "==" ...
  std::string Relation;
  std::string
      Settle; ///< the option that settles it: "--param 'trip@f.cu:12=VALUE'"
  double Default = 0;
  std::optional<Expr> UpperBound; ///< of the value, where one is known
  /// The value (0 or 1 of a condition) as a term over Loads, coordinates,
  /// arguments and loop counters; null where it has none. Each load comes after
  /// those that its address contains.
  Expr Form = {};
  std::vector<DataLoad> Loads = {};
  /// Threads for which this is equal have equal values; null where nothing
  /// tells that. For a LoadedValue that is computed from loaded values.
  /// Example: of `int(threadIdx.y * delay[c])` it combines threadIdx.y and the
  /// address of delay[c], so that the lanes of a row have one value.
  Expr Key = {};
  bool LaneVarying = true; ///< may differ between the lanes of a warp
  bool IsLeftOut = false;  ///< a function whose body is not in the model
  bool FromData = false;   ///< the default is what executed warps have shown
  SourceLocation Location;
};

struct KernelArgument {
  enum KindType : uint8_t { Integer, Real, Pointer, Aggregate, Texture };
  std::string Name;
  KindType Kind = Integer;
  unsigned Bytes = 4;        ///< size of the argument itself
  unsigned ElementBytes = 0; ///< pointers: size of the pointee, 0 unknown
  bool Restrict = false, Const = false;
  bool Unsigned = false; ///< an integer
};

/// Registers of one thread that a compiler keeps in local memory, and the
/// accesses to them, in words of 4 bytes.
struct RegisterSpills {
  unsigned Slots = 0; ///< of local memory
  unsigned Stores = 0, Loads = 0;
  /// How often a thread waits for loads, one latency each time; 0 = never. Of
  /// 100 loads that are needed four at a time: 25.
  unsigned Waits = 0;

  explicit operator bool() const { return Stores > 0 || Loads > 0; }
};

struct Resources {
  unsigned RegistersPerThread = 0;
  std::string RegistersSource =
      "estimate"; ///< "nvcc" | "ptxas" | "amdgpu" | "estimate" | "command-line"
  /// Registers of an instruction order that keeps few values alive, as a
  /// compiler chooses when registers are short. Only for an estimate; 0 if not
  /// known to be less than RegistersPerThread.
  unsigned RegistersAtLeast = 0;
  RegisterSpills Spills; ///< of the compiled code, where RegistersSource is one
  std::optional<MachineCode> Code; ///< the same
  uint64_t StaticSharedBytes = 0;
  bool UsesDynamicShared = false;
  /// Dynamic shared memory up to the last constant offset at which the code
  /// reads or writes, in bytes: 8196 for a float of `smem[2048 + i]`, if i may
  /// be 0. Of a copy or a barrier only the first byte is counted.
  uint64_t DynamicSharedAtLeast = 0;
  uint64_t LocalBytes = 0; ///< private arrays that stay in memory, per thread
  unsigned MaxThreadsPerBlock = 0; ///< __launch_bounds__, 0 = not given
  unsigned MinBlocksPerSm = 0;     ///< __launch_bounds__ second argument

  unsigned leastRegisters() const {
    return RegistersAtLeast && RegistersAtLeast < RegistersPerThread
               ? RegistersAtLeast
               : RegistersPerThread;
  }
};

struct KernelModel {
  /// Owns every Expr below; shared so that a model can be copied cheaply.
  std::shared_ptr<ExprContext> Context;
  std::string Mangled,
      Name; ///< Name: demangled, without the parameter list's noise
  SourceLocation Location;
  std::vector<KernelArgument> Arguments;
  std::vector<Operation> Operations;
  std::vector<BasicBlock> Blocks;
  std::vector<Loop> Loops;
  std::vector<RegionNode> Body;
  std::vector<MemoryAccess> Accesses;
  std::vector<Wait> Waits;
  std::vector<Unknown> Unknowns;
  Resources Res;
  std::optional<OffloadedNest> Nest; ///< of a kernel from plain C
  /// What was assumed when the kernel was made, as whole sentences or clauses.
  std::vector<std::string> Premises;
  /// The kernel with local memory that only one of the two has: the rules for
  /// its compiler, or the compiler's own code. Null: they agree, or the
  /// compiler was not asked.
  std::shared_ptr<const KernelModel> OtherLocal;

  /// The host's loops that became threads, x first; empty but for plain C.
  llvm::ArrayRef<ParallelLoop> parallelLoops() const {
    return Nest ? llvm::ArrayRef(Nest->Loops) : llvm::ArrayRef<ParallelLoop>();
  }
};

/// Calls Visit on every trip count, condition, address and length of a wait.
void forEachExpr(KernelModel &Model, llvm::function_ref<void(Expr &)> Visit);

/// Returns the first violated invariant (indices in range, every block and loop
/// in exactly one body, operands before their users or carried, ...), or an
/// empty text for a well-formed model. Runs after Lowering and in tests.
std::string checkConsistency(const KernelModel &Model);

} // namespace gpuestimate

#endif
