/// \file
/// A kernel model bound to one launch and compiled, ready to be evaluated for
/// the lanes of any warp: what sampling and traffic estimation share.
///
/// Expressions are grouped by scope (the kernel's body, or the body of one
/// loop), because those of one scope are needed at the same moment: once per
/// warp, respectively once per warp and iteration.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_ACCESS_LANEVALUES_H
#define GPU_ESTIMATE_LIB_EVALUATE_ACCESS_LANEVALUES_H

#include "LaneSums.h"
#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Model/Kernel/Launch.h"
#include "gpu-estimate/Model/Machine/GpuModel.h"
#include "gpu-estimate/Symbolic/CompiledExprs.h"
#include "llvm/ADT/StringSet.h"
#include <optional>

namespace gpuestimate {

/// Wavefronts of AMD's GCN have 64 lanes; nothing has more.
inline constexpr unsigned MaxLanes = 64;
/// Bytes over which a data-dependent address spreads when neither the size of
/// the buffer nor a bound of the value is known: larger than any L2 in 2024,
/// smaller than any DRAM, so that such accesses are taken to miss.
inline constexpr double UnknownBufferBytes = 1 << 26;

/// A value loaded from memory that decides an address or a condition: drawn
/// uniformly from 0 .. Range-1. Where the load is known, what it loads is a
/// function of its address, so that lanes (and warps) that load the same
/// element get the same value; else of warp, lane and iteration.
struct DrawnValue {
  std::string Name;
  double Range = 1;
  bool LaneVarying = true;
  /// Innermost loop around the load that makes it (-1: outside all loops): the
  /// value changes with that loop's iterations. Unset when the load was not
  /// found: then it changes with every loop around its use.
  std::optional<int> Home;
  /// The load, index into KernelModel::Accesses.
  std::optional<unsigned> Source;
};

/// An address that is Unit bytes (> 0) times a drawn value away from a place
/// that all lanes of a warp share.
struct DrawnPlace {
  unsigned Value; ///< index into BoundKernel::drawn()
  double Unit;
};

/// One lane of the launch, or a whole warp of them.
struct WarpPosition {
  std::array<uint64_t, 3> Block{};
  unsigned Warp = 0; ///< within the block
};

/// Bytes of the object that the access lies in, where they are known.
std::optional<double> bufferBytes(const KernelModel &Kernel,
                                  const MemoryAccess &A, const Bindings &All);

class BoundKernel {
public:
  /// All: as for sampleLaunch.
  BoundKernel(const KernelModel &Kernel, const GpuModel &Gpu, const Launch &L,
              const Bindings &All);

  /// Results of a scope, [output * lanes() + lane]: first those of its
  /// program, then those that are taken apart, which are filled in when they
  /// are asked for. A null expression has no output.
  struct Scope {
    const std::vector<Item> *Items = nullptr;
    std::optional<CompiledExprs> Program;
    bool IsOutdated = false; ///< entered since the program ran
    std::vector<double> Out;
    std::vector<unsigned> Draws; ///< values that change on entry of the scope
    std::vector<unsigned> Reads; ///< drawn values that the program reads
    std::vector<unsigned> Loops; ///< loops directly in it
    /// Expressions x lanes that entering it and counting its requests is worth:
    /// one that is taken apart takes about as long as a few lanes.
    double Cost = 0;
  };

  const KernelModel &kernel() const { return Kernel; }
  unsigned lanes() const { return Lanes; }
  unsigned warpsPerBlock() const { return Warps; }
  unsigned scopeOf(int Loop) const { return Loop + 1; }
  Scope &scope(int Loop) { return Scopes[scopeOf(Loop)]; }
  int loopOfBlock(unsigned Block) const { return BlockLoop[Block]; }
  llvm::ArrayRef<unsigned> accessesOf(unsigned Block) const {
    return BlockAccesses[Block];
  }
  llvm::ArrayRef<DrawnValue> drawn() const { return Drawn; }
  /// Of the inputs: threadIdx, blockIdx, the loops' counters, drawn values.
  llvm::ArrayRef<std::string> names() const { return Names; }

  /// As if nothing had been entered yet.
  void reset();
  /// Sets the coordinates; returns the number of lanes with a thread (the
  /// last warp of a block may be partial; they are the first ones).
  unsigned enterWarp(const WarpPosition &P);
  void setCounter(unsigned Loop, double Iteration);
  /// Draws the scope's values, evaluates its program. Salt identifies the
  /// iteration; equal salts give equal values.
  void enterScope(int Loop, uint64_t Salt);

  /// Lane values after enterScope of the scope that contains the item; empty
  /// where the expression is null.
  llvm::ArrayRef<double> blockActive(unsigned Block) {
    return output(BlockLoop[Block], ActiveOf[Block]);
  }
  llvm::ArrayRef<double> loopActive(unsigned Loop) {
    return output(Kernel.Loops[Loop].Parent, LoopActiveOf[Loop]);
  }
  llvm::ArrayRef<double> loopTrips(unsigned Loop) {
    return output(Kernel.Loops[Loop].Parent, TripsOf[Loop]);
  }
  llvm::ArrayRef<double> address(unsigned Access) {
    return output(BlockLoop[Kernel.Accesses[Access].Block], AddressOf[Access]);
  }

  // The same without the lanes one by one, where the expression is taken
  // apart: bit l of a condition says whether it holds for lane l.
  std::optional<uint64_t> blockBits(unsigned Block) const {
    return bits(BlockLoop[Block], ActiveOf[Block]);
  }
  std::optional<uint64_t> loopBits(unsigned Loop) const {
    return bits(Kernel.Loops[Loop].Parent, LoopActiveOf[Loop]);
  }
  /// The trip count, where all lanes have the same.
  std::optional<double> loopTripsOfAll(unsigned Loop) const;
  /// address(lane) = threadPart(Thread)[lane] + Rest.
  struct Place {
    unsigned Thread;
    double Rest;
  };
  std::optional<Place> place(unsigned Access) const;
  llvm::ArrayRef<double> threadPart(unsigned Part) const {
    return Sums->threadPart(Part);
  }
  unsigned threadParts() const { return Sums->threadParts(); }
  unsigned warp() const { return Now; }

  /// Some expression below the loop's body changes from one iteration to the
  /// next.
  bool varies(unsigned Loop) const { return Varies[Loop]; }
  /// Some expression depends on blockIdx in this dimension.
  bool dependsOnBlock(unsigned Dimension) const {
    return BlockDependent[Dimension];
  }
  /// Scope::Cost of all that a warp enters; infinite where a loop varies.
  double costOfWarp() const;
  bool drawsValues() const { return !Drawn.empty(); }
  /// Some expression depends on which values are drawn.
  bool dependsOnDraws() const { return DrawsDecide; }
  /// The access's address depends on a drawn value (an index into drawn()).
  bool addressDraws(unsigned Access, unsigned Value) const;
  /// Bytes by which the address moves when the drawn value grows by one.
  double unitOf(unsigned Access, unsigned Value) const;
  /// Null where the access's address is no such place.
  const DrawnPlace *drawnPlace(unsigned Access) const {
    const auto &Place = AddressOf[Access].Drawn;
    return Place ? &*Place : nullptr;
  }
  /// The place that all lanes share of an access that has a drawnPlace(), after
  /// enterScope.
  double drawnBase(unsigned Access) const;
  /// [lane] where the value is loaded from: NaN where that is not known; after
  /// enterScope of its home.
  llvm::ArrayRef<double> drawnFrom(unsigned Value) const {
    return llvm::ArrayRef(SourceOf).slice(size_t(Value) * Lanes, Lanes);
  }
  /// Changes with every draw.
  uint64_t drawNumber(unsigned Value) const { return LastDraw[Value].Number; }
  Expr boundAddress(unsigned Access) const { return Addresses[Access]; }

private:
  enum class OutputKind { Condition, Trips, Address };
  /// An output of a scope: a row of its results.
  struct Output {
    int Row = -1; ///< -1: the expression is null
    std::optional<LaneSum> Sum;
    std::optional<LaneTest> Test;
    std::optional<DrawnPlace> Drawn; ///< away from Sum
    bool isApart() const { return Sum || Test; }
  };
  void findDrawn(const Bindings &All);
  void orderDrawn();
  void draw(unsigned Value, uint64_t Salt);
  void makeValues(unsigned Value);
  void setRanges(const Bindings &All);
  bool decides(llvm::StringRef Value, unsigned Block) const;
  bool isAlike(const Output &Address) const;
  /// unitOf() an address with this slope along the value.
  double unitOf(unsigned Access, double Slope) const;
  bool splitDrawn(Expr Address, unsigned Block, Output &To);
  /// Input of the first loop's counter, after threadIdx and blockIdx.
  static constexpr unsigned FirstCounter = 6;

  /// Among the inputs.
  size_t inputOf(unsigned Value) const {
    return (FirstCounter + Kernel.Loops.size() + Value) * Lanes;
  }

  void nameInputs();
  void compile();
  void placeDraws(std::vector<llvm::StringSet<>> &Read);
  void markVarying();
  llvm::ArrayRef<double> output(int Loop, const Output &Of);
  std::optional<uint64_t> bits(int Loop, const Output &Of) const;

  const KernelModel &Kernel;
  const Launch &L;
  unsigned Lanes = 32, Warps = 1;
  /// Own context: the kernel's is shared and must not grow by every binding.
  std::unique_ptr<ExprContext> Context;
  std::vector<Expr> Active, LoopActive, Trips, Addresses;
  std::vector<int> BlockLoop;
  std::vector<std::vector<unsigned>> BlockAccesses;
  std::vector<Output> ActiveOf, LoopActiveOf, TripsOf, AddressOf;
  std::vector<Scope> Scopes;
  std::vector<DrawnValue> Drawn;
  std::vector<std::optional<CompiledExprs>>
      DrawnFrom; ///< address of the source
  std::vector<std::vector<unsigned>>
      SourceReads;              ///< [value] drawn values in that address
  std::vector<double> SourceOf; ///< [value * lanes() + lane] what it gave
  /// A draw whose values are not made before something reads them: of many
  /// values a walk to one body reads few.
  struct Draw {
    uint64_t WarpSalt, Salt;
    uint64_t Number = 0;
    bool Open = false;
  };
  std::vector<Draw> LastDraw; ///< [value]
  uint64_t Draws = 0;
  bool DrawsDecide = false;
  std::vector<std::string> Names; ///< of the inputs
  ParameterSet DrawnNames;
  std::optional<LaneSums> Sums;
  std::vector<double> Inputs, ///< [name * lanes() + lane]
      SharedInputs;           ///< [name]: those that all lanes share
  std::vector<std::vector<double>> ThreadInputs;  ///< [warp] threadIdx
  bool NeedsLanes = false;                        ///< something reads Inputs
  unsigned Now = 0;                               ///< warp
  std::optional<std::array<uint64_t, 3>> Entered; ///< block, the last one
  bool BlockIsNew = true; ///< since the kernel's body was entered
  std::vector<char> Varies;
  std::array<bool, 3> BlockDependent{};
  uint64_t WarpSalt = 0;
};

} // namespace gpuestimate

#endif
