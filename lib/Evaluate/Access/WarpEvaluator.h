/// \file
/// Evaluation of a kernel model for the lanes of one warp.
///
/// The kernel's parameters are bound to one launch and its conditions, trip
/// counts and addresses are compiled; sampling and the cache model then ask for
/// their values in any warp and iteration.
///
/// Expressions are grouped by scope. A scope is the kernel's body or the body
/// of one loop; its expressions are evaluated together, once per warp or once
/// per warp and iteration.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_ACCESS_WARPEVALUATOR_H
#define GPU_ESTIMATE_LIB_EVALUATE_ACCESS_WARPEVALUATOR_H

#include "UniformSplitter.h"
#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Model/Kernel/Launch.h"
#include "gpu-estimate/Model/Machine/GpuModel.h"
#include "gpu-estimate/Symbolic/CompiledExprs.h"
#include "llvm/ADT/StringSet.h"
#include <optional>

namespace gpuestimate {

/// Largest warp size: wavefronts of AMD's GCN have 64 lanes.
inline constexpr unsigned MaxLanes = 64;
/// Assumed size in bytes of a buffer that an indirect access reads when neither
/// its size nor a bound of the index is known. It is larger than any L2 in 2024
/// and smaller than any DRAM, so that such accesses are predicted to miss.
inline constexpr double UnknownBufferBytes = 1 << 26;

/// A value loaded from memory on which an address or a condition depends,
/// modelled as uniformly random in 0 .. Range-1. The value is a function of its
/// key, if it has one: of the load's address, so that lanes and warps that load
/// one element get one value, or of all that it is computed from
/// (Unknown::Key). Otherwise it is a function of warp, lane and iteration.
struct IndirectIndex {
  std::string Name;
  double Range = 1; ///< number of values
  bool LaneVarying = true;
  /// Innermost loop around the load (-1: outside all loops): each of its
  /// iterations gives a new value. Unset if the load was not found: every loop
  /// around a use then gives a new value.
  std::optional<int> DefiningLoop;
  Expr Key; ///< null: unknown
};

/// The address base + BytesPerIndex * value, whose base is the same for all
/// lanes of a warp. Example: `x[idx[i]]` of floats has 4 bytes per index.
struct IndirectAddress {
  unsigned Index;       ///< into WarpEvaluator::indirectIndices()
  double BytesPerIndex; ///< > 0
};

/// A warp of the launch.
struct WarpPosition {
  std::array<uint64_t, 3> Block{}; ///< blockIdx
  unsigned Warp = 0;               ///< within the thread block
};

/// Bytes of the object that the access lies in; nullopt if unknown.
std::optional<double> bufferBytes(const KernelModel &Kernel,
                                  const MemoryAccess &A, const Bindings &All);

/// Evaluates the expressions of a kernel for the lanes of the current warp in
/// the current iteration of each loop. Use: reset(), then enterWarp(), then
/// setCounter() and enterScope() from the outermost scope inwards;
/// enterScope(-1) enters the kernel's body.
///
/// It has more than 40 methods because a row of results is read in many ways:
/// half of them return one kind of result, by block, loop, access or wait.
class WarpEvaluator {
public:
  /// All: values of all free parameters, as for sampleLaunch.
  WarpEvaluator(const KernelModel &Kernel, const GpuModel &Gpu, const Launch &L,
                const Bindings &All);

  /// The expressions of one scope. Results are rows of Out,
  /// [output * lanes() + lane]: first the outputs of Program, then those in
  /// split form (UniformSplitter), which are computed on request.
  struct Scope {
    const std::vector<RegionNode> *Nodes = nullptr;
    std::optional<CompiledExprs> Program;
    bool IsOutdated = false; ///< Out is older than the last enterScope()
    std::vector<double> Out;
    std::vector<unsigned> DefinedIndices; ///< indices renewed on entry
    std::vector<unsigned> ReadIndices;    ///< indices that Program reads
    std::vector<unsigned> Loops;          ///< loops directly in the scope
    /// Cost in lane evaluations (expressions x lanes) of entering the scope and
    /// counting its requests; an expression in split form counts as 8 lanes.
    double Cost = 0;
  };

  const KernelModel &kernel() const { return Kernel; }
  unsigned lanes() const { return Lanes; }
  unsigned warpsPerBlock() const { return Warps; }
  unsigned scopeOf(int Loop) const { return Loop + 1; }
  Scope &scope(int Loop) { return Scopes[scopeOf(Loop)]; }
  /// The innermost loop around a basic block; -1 for none.
  int loopOfBlock(unsigned Block) const { return BlockLoop[Block]; }
  llvm::ArrayRef<unsigned> accessesOf(unsigned Block) const {
    return BlockAccesses[Block];
  }
  llvm::ArrayRef<unsigned> waitsOf(unsigned Block) const {
    return BlockWaits[Block];
  }
  llvm::ArrayRef<IndirectIndex> indirectIndices() const { return Indices; }
  /// Names of the inputs: threadIdx, blockIdx, loop counters, indirect indices.
  llvm::ArrayRef<std::string> names() const { return Names; }

  /// Restores the state after construction.
  void reset();
  /// Sets the coordinates; returns the number of lanes that have a thread. Only
  /// the last warp of a block is partial; its threads are in the first lanes.
  unsigned enterWarp(const WarpPosition &P);
  void setCounter(unsigned Loop, double Iteration);
  /// Renews the indirect indices of the scope and evaluates its expressions.
  /// Salt identifies the iteration; equal salts give equal random values.
  void enterScope(int Loop, uint64_t Salt);

  // Values of the lanes, valid after enterScope() of the scope that contains
  // the block, loop or access; empty if the expression is null.
  llvm::ArrayRef<double> blockActive(unsigned Block) {
    return output(BlockLoop[Block], ActiveOutputs[Block]);
  }
  llvm::ArrayRef<double> loopActive(unsigned Loop) {
    return output(Kernel.Loops[Loop].Parent, LoopActiveOutputs[Loop]);
  }
  llvm::ArrayRef<double> loopTrips(unsigned Loop) {
    return output(Kernel.Loops[Loop].Parent, TripOutputs[Loop]);
  }
  llvm::ArrayRef<double> address(unsigned Access) {
    return output(BlockLoop[Kernel.Accesses[Access].Block],
                  AddressOutputs[Access]);
  }
  llvm::ArrayRef<double> waitLength(unsigned Wait) {
    return output(BlockLoop[Kernel.Waits[Wait].Block], WaitOutputs[Wait]);
  }

  // Values of expressions in split form, without a loop over the lanes; nullopt
  // for other expressions.
  /// Bit l: the block's condition holds for lane l.
  std::optional<uint64_t> blockBits(unsigned Block) const {
    return bits(BlockLoop[Block], ActiveOutputs[Block]);
  }
  /// Bit l: the loop's condition holds for lane l.
  std::optional<uint64_t> loopBits(unsigned Loop) const {
    return bits(Kernel.Loops[Loop].Parent, LoopActiveOutputs[Loop]);
  }
  /// The trip count if it is the same for all lanes.
  std::optional<double> uniformLoopTrips(unsigned Loop) const;
  /// address(lane) = threadPart(Thread)[lane] + Uniform.
  struct Place {
    unsigned Thread;
    double Uniform;
  };
  std::optional<Place> place(unsigned Access) const;
  llvm::ArrayRef<double> threadPart(unsigned Part) const {
    return Sums->threadPart(Part);
  }
  unsigned threadParts() const { return Sums->threadParts(); }
  unsigned warp() const { return CurrentWarp; }

  /// Whether an expression inside the loop changes between its iterations.
  bool varies(unsigned Loop) const { return Varies[Loop]; }
  /// Whether all warps of the launch that enter the loop make the same
  /// iterations, for each iteration around it: no coordinate and no value from
  /// memory decides them.
  bool hasCommonIterations(unsigned Loop) const {
    return CommonIterations[Loop];
  }
  /// Whether all warps that run a nested loop's enclosing body enter the loop
  /// in the same of its iterations; false for loops outside all loops, which a
  /// warp meets once.
  bool hasCommonEntries(unsigned Loop) const { return CommonEntries[Loop]; }
  /// Whether all warps that run the block's loop execute the block in the same
  /// of its iterations; false for blocks outside all loops.
  bool hasCommonExecutions(unsigned Block) const {
    return CommonExecutions[Block];
  }
  /// Whether an expression depends on blockIdx in this dimension.
  bool dependsOnBlock(unsigned Dimension) const {
    return BlockDependent[Dimension];
  }
  /// Sum of Scope::Cost over all scopes; infinite if a loop varies.
  double costOfWarp() const;
  bool hasIndirectIndices() const { return !Indices.empty(); }
  /// Whether a result depends on the random values of the indirect indices, not
  /// only on their distribution.
  bool dependsOnIndexValues() const { return UsesIndexValues; }
  bool addressUsesIndex(unsigned Access, unsigned Index) const;
  /// Bytes by which the address moves when the index grows by one.
  double bytesPerIndex(unsigned Access, unsigned Index) const;
  /// Null if the access's address has not the form of IndirectAddress.
  const IndirectAddress *indirectAddress(unsigned Access) const {
    const auto &Address = AddressOutputs[Access].Indirect;
    return Address ? &*Address : nullptr;
  }
  /// The base of an access's indirectAddress(), after enterScope().
  double indirectBase(unsigned Access) const;
  /// [lane] address that the index is loaded from, NaN if unknown; after
  /// enterScope() of its defining loop.
  llvm::ArrayRef<double> indexLoadAddresses(unsigned Index) const {
    return llvm::ArrayRef(LoadAddresses).slice(size_t(Index) * Lanes, Lanes);
  }
  /// Changes whenever the index gets new values.
  uint64_t valueVersion(unsigned Index) const {
    return ValueStates[Index].Version;
  }
  /// The access's address with the launch's parameters substituted.
  Expr addressExpr(unsigned Access) const { return Addresses[Access]; }

private:
  enum class OutputKind { Condition, Number, Address };
  /// An output of a scope, a row of its results.
  struct Output {
    int Row = -1; ///< -1: the expression is null
    std::optional<UniformSplit> Sum;
    std::optional<SplitCondition> Test;
    std::optional<IndirectAddress> Indirect; ///< Sum is its base
    bool isSplit() const { return Sum || Test; }
  };
  // IndirectIndices.cpp
  void findIndirectIndices(const Bindings &All);
  void takeKey(IndirectIndex &V, Expr Key) const;
  void sortByDependence();
  void renewValues(unsigned Index, uint64_t Salt);
  void materializeValues(unsigned Index);
  void setRanges(const Bindings &All);
  bool decides(llvm::StringRef Value, unsigned Block) const;
  bool isCostValueIndependent(const Output &Address) const;
  /// bytesPerIndex() of an address with this slope along the index.
  double bytesPerIndex(unsigned Access, double Slope) const;
  bool splitIndirect(Expr Address, unsigned Block, Output &To);
  void assignToScopes(std::vector<llvm::StringSet<>> &Read);

  /// Input of the first loop's counter, after threadIdx and blockIdx.
  static constexpr unsigned FirstCounter = 6;
  /// Position in Inputs of the index's value for lane 0.
  size_t inputOf(unsigned Index) const {
    return (FirstCounter + Kernel.Loops.size() + Index) * Lanes;
  }

  void nameInputs();
  void compile();
  void compileLoadAddresses();
  /// Compiles the expressions of a loop's body, -1 the kernel's, and adds the
  /// names that they read to Read.
  void compileScope(int Owner, llvm::StringSet<> &Read);
  void markVarying();
  void findCommonControlFlow();
  llvm::ArrayRef<double> output(int Loop, const Output &Result);
  std::optional<uint64_t> bits(int Loop, const Output &Result) const;

  // The compiled kernel.
  const KernelModel &Kernel;
  const Launch &L;
  unsigned Lanes = 32, Warps = 1;
  /// Private to this object: the kernel's context is shared and must not grow
  /// with every launch that is bound.
  std::unique_ptr<ExprContext> Context;
  std::vector<Expr> Active, LoopActive, Trips, Addresses, Waits;
  std::vector<int> BlockLoop;
  std::vector<std::vector<unsigned>> BlockAccesses, BlockWaits;
  std::vector<Output> ActiveOutputs, LoopActiveOutputs, TripOutputs,
      AddressOutputs, WaitOutputs;
  std::vector<Scope> Scopes;
  std::vector<std::string> Names; ///< names()
  ParameterSet IndexNames;
  std::optional<UniformSplitter> Sums;
  bool NeedsLanes = false; ///< a program reads Inputs
  std::vector<char> Varies;
  std::vector<char> CommonIterations, CommonEntries; ///< [loop]
  std::vector<char> CommonExecutions;                ///< [block]
  std::array<bool, 3> BlockDependent{};

  // The state of the current warp.
  std::vector<double> Inputs, ///< [name * lanes() + lane]
      SharedInputs;           ///< [name] inputs that are equal for all lanes
  std::vector<std::vector<double>> ThreadInputs; ///< [warp] threadIdx
  unsigned CurrentWarp = 0;
  std::optional<std::array<uint64_t, 3>> CurrentBlock; ///< blockIdx
  /// The block changed since the kernel's body was last entered.
  bool BlockIsNew = true;
  uint64_t WarpSalt = 0;

  // Random values of the indirect indices.
  std::vector<IndirectIndex> Indices;
  std::vector<std::optional<CompiledExprs>> LoadAddressPrograms; ///< [index]
  /// [index] other indices that its load address contains.
  std::vector<std::vector<unsigned>> LoadAddressIndices;
  std::vector<double> LoadAddresses; ///< [index * lanes() + lane]
  /// Values are generated when they are first read after a renewal, because an
  /// evaluation of one scope reads few of the indices.
  struct ValueState {
    uint64_t WarpSalt, Salt;
    uint64_t Version = 0;
    bool Pending = false; ///< renewed, values not generated yet
  };
  std::vector<ValueState> ValueStates; ///< [index]
  uint64_t LastVersion = 0;
  bool UsesIndexValues = false;
};

} // namespace gpuestimate

#endif
