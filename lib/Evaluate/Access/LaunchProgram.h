/// \file
/// A kernel's expressions compiled for one launch.
///
/// Sampling and the cache model ask for conditions, trip counts and addresses
/// of millions of lanes. A LaunchProgram is what they run for that, as a query
/// plan is of a database: built once, constant afterwards. A LaneState executes
/// it for one warp at a time.
///
/// Expressions are grouped by scope. A scope is the kernel's body or the body
/// of one loop; its expressions are evaluated together, once per warp or once
/// per warp and iteration. Each expression takes the cheapest of three forms:
///
///   form      example                      cost of 32 lanes
///   split     4*threadIdx.x + 1024*k       one number for the scope, a sum
///   indirect  p + 4*idx, idx random        one number for the scope, a draw
///   program   (threadIdx.x + k) / 7        every lane of every expression
///
/// The guard `i < n` and the addresses of `y[i] += x[idx[i]]` need no program:
/// i = 256*blockIdx.x + threadIdx.x splits, and `idx[i]` is a random index.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_ACCESS_LAUNCHPROGRAM_H
#define GPU_ESTIMATE_LIB_EVALUATE_ACCESS_LAUNCHPROGRAM_H

#include "IndirectIndices.h"
#include "LaunchUniformity.h"
#include "UniformSplitter.h"
#include "gpu-estimate/Model/Machine/GpuModel.h"
#include "llvm/ADT/StringSet.h"

namespace gpuestimate {

/// Largest warp size: wavefronts of AMD's GCN have 64 lanes.
inline constexpr unsigned MaxLanes = 64;

/// The address base + BytesPerIndex * value, whose base is the same for all
/// lanes of a warp. Example: `x[idx[i]]` of floats has 4 bytes per index.
struct IndirectAddress {
  unsigned Index;       ///< into LaunchProgram::indirectIndices()
  double BytesPerIndex; ///< > 0
};

class LaunchProgram {
public:
  /// All: values of all free parameters, as for sampleLaunch.
  LaunchProgram(const KernelModel &Kernel, const GpuModel &Gpu, const Launch &L,
                const Bindings &All);
  LaunchProgram(const LaunchProgram &) = delete;

  /// An expression in its compiled form, a row of its scope's results.
  struct Output {
    int Row = -1; ///< -1: the expression is null
    std::optional<UniformSplit> Sum;
    std::optional<SplitCondition> Test;
    std::optional<IndirectAddress> Indirect; ///< Sum is its base
    bool isSplit() const { return Sum || Test; }
  };
  /// The outputs of all expressions, parallel to LaunchExpressions.
  struct OutputLists {
    std::vector<Output> BlockActive, LoopActive, Trips, Addresses, WaitLengths;
  };

  /// The expressions of one scope. Its results are rows of one value per lane:
  /// first the outputs of Program, then those in split form.
  struct Scope {
    const std::vector<RegionNode> *Nodes = nullptr;
    std::optional<CompiledExprs> Program;
    unsigned Rows = 0;
    std::vector<unsigned> DefinedIndices; ///< indices renewed on entry
    std::vector<unsigned> ReadIndices;    ///< indices that Program reads
    std::vector<unsigned> Loops;          ///< loops directly in the scope
    /// Cost in lane evaluations (expressions x lanes) of entering the scope and
    /// counting its requests; an expression in split form counts as 8 lanes.
    double Cost = 0;
  };

  const KernelModel &kernel() const { return Kernel; }
  const Launch &launch() const { return L; }
  unsigned lanes() const { return Lanes; }
  unsigned warpsPerBlock() const { return Warps; }

  unsigned scopeOf(int Loop) const { return Loop + 1; }
  unsigned scopes() const { return Scopes.size(); }
  const Scope &scope(int Loop) const { return Scopes[scopeOf(Loop)]; }
  const OutputLists &outputs() const { return Outputs; }
  const UniformSplitter &sums() const { return *Sums; }
  /// Whether a scope has a program, which reads inputs for every lane.
  bool needsLanes() const { return NeedsLanes; }
  /// Sum of Scope::Cost over all scopes; infinite if a loop varies.
  double costOfWarp() const;
  const LaunchUniformity &uniformity() const { return *Uniformity; }

  /// The innermost loop around a basic block; -1 for none.
  int loopOfBlock(unsigned Block) const {
    return Expressions.LoopOfBlock[Block];
  }
  int loopOfAccess(unsigned Access) const {
    return loopOfBlock(Kernel.Accesses[Access].Block);
  }
  llvm::ArrayRef<unsigned> accessesOf(unsigned Block) const {
    return BlockAccesses[Block];
  }
  llvm::ArrayRef<unsigned> waitsOf(unsigned Block) const {
    return BlockWaits[Block];
  }

  /// Names of the inputs of all programs: threadIdx, blockIdx, loop counters,
  /// indirect indices.
  llvm::ArrayRef<std::string> names() const { return Names; }
  static constexpr unsigned blockInput(unsigned Dimension) {
    return 3 + Dimension;
  }
  static constexpr unsigned counterInput(unsigned Loop) { return 6 + Loop; }
  unsigned indexInput(unsigned Index) const {
    return counterInput(Kernel.Loops.size()) + Index;
  }

  llvm::ArrayRef<IndirectIndex> indirectIndices() const { return Indices; }
  /// The program of the address that an index is loaded from; null if unknown.
  const CompiledExprs *loadAddressProgram(unsigned Index) const {
    const auto &Program = LoadAddressPrograms[Index];
    return Program ? &*Program : nullptr;
  }
  /// Other indices that the address contains.
  llvm::ArrayRef<unsigned> loadAddressIndices(unsigned Index) const {
    return LoadAddressIndices[Index];
  }

  /// The access's address with the launch's parameters substituted.
  Expr addressExpr(unsigned Access) const {
    return Expressions.Addresses[Access];
  }
  bool addressUsesIndex(unsigned Access, unsigned Index) const;
  double bytesPerIndex(unsigned Access, unsigned Index) const;
  /// Null if the access's address has not the form of IndirectAddress.
  const IndirectAddress *indirectAddress(unsigned Access) const {
    const auto &Address = Outputs.Addresses[Access].Indirect;
    return Address ? &*Address : nullptr;
  }

private:
  enum class OutputKind { Condition, Number, Address };
  void listMembersOfBlocks();
  void nameInputs();
  void compileLoadAddresses();
  void compileScopes();
  /// Compiles the expressions of a loop's body, -1 the kernel's, and adds the
  /// names that they read to Read.
  void compileScope(int Owner, llvm::StringSet<> &Read);
  bool splitIndirect(Expr Address, unsigned Block, Output &To);
  void assignIndicesToScopes(std::vector<llvm::StringSet<>> &Read);
  bool isCostFixed(const Output &Address) const;

  const KernelModel &Kernel;
  const Launch &L;
  unsigned Lanes = 32, Warps = 1;
  LaunchExpressions Expressions;
  std::vector<IndirectIndex> Indices;
  ParameterSet IndexNames;
  std::vector<std::string> Names;
  std::vector<std::vector<unsigned>> BlockAccesses, BlockWaits;
  std::optional<UniformSplitter> Sums;
  OutputLists Outputs;
  std::vector<Scope> Scopes;
  bool NeedsLanes = false;
  std::vector<std::optional<CompiledExprs>> LoadAddressPrograms; ///< [index]
  std::vector<std::vector<unsigned>> LoadAddressIndices;         ///< [index]
  std::optional<LaunchUniformity> Uniformity;
};

} // namespace gpuestimate

#endif
