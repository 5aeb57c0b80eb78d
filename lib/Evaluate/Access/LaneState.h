/// \file
/// Execution of a LaunchProgram for the lanes of one warp.
///
/// A LaneState has the coordinates of a warp, the current iteration of each
/// loop and the current values of the indirect indices. Use: reset(), then
/// enterWarp(), then setCounter() and enterScope() from the outermost scope
/// inwards; enterScope(-1) enters the kernel's body. The results of a scope are
/// valid until it is entered again.
///
/// Example: `if (i < 1000) y[i] = 0`, i = 256*blockIdx.x + threadIdx.x, in warp
/// 7 of block 3 (i = 992 .. 1023), after enterWarp({{3}, 7}), enterScope(-1):
///
///   blockBits(b)   0x000000ff   of the guarded basic block b: i < 1000
///   address(a)     3968, 3972, ... 4092
///   place(a)       {thread part 4*threadIdx.x, 3072}: the same addresses
#ifndef GPU_ESTIMATE_LIB_EVALUATE_ACCESS_LANESTATE_H
#define GPU_ESTIMATE_LIB_EVALUATE_ACCESS_LANESTATE_H

#include "IndexSampler.h"
#include "LaunchProgram.h"
#include "SplitValues.h"

namespace gpuestimate {

/// A warp of the launch.
struct WarpPosition {
  std::array<uint64_t, 3> Block{}; ///< blockIdx
  unsigned Warp = 0;               ///< within the thread block
};

class LaneState {
public:
  explicit LaneState(const LaunchProgram &Program);
  LaneState(const LaneState &) = delete;

  const LaunchProgram &program() const { return Program; }

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
    return output(Program.loopOfBlock(Block),
                  Program.outputs().BlockActive[Block]);
  }
  llvm::ArrayRef<double> loopActive(unsigned Loop) {
    return output(parent(Loop), Program.outputs().LoopActive[Loop]);
  }
  llvm::ArrayRef<double> loopTrips(unsigned Loop) {
    return output(parent(Loop), Program.outputs().Trips[Loop]);
  }
  llvm::ArrayRef<double> address(unsigned Access) {
    return output(Program.loopOfAccess(Access),
                  Program.outputs().Addresses[Access]);
  }
  llvm::ArrayRef<double> waitLength(unsigned Wait) {
    return output(Program.loopOfBlock(Program.kernel().Waits[Wait].Block),
                  Program.outputs().WaitLengths[Wait]);
  }

  // Values of expressions in split form, without a loop over the lanes; nullopt
  // for other expressions.
  /// Bit l: the block's condition holds for lane l.
  std::optional<uint64_t> blockBits(unsigned Block) const {
    return bits(Program.loopOfBlock(Block),
                Program.outputs().BlockActive[Block]);
  }
  /// Bit l: the loop's condition holds for lane l.
  std::optional<uint64_t> loopBits(unsigned Loop) const {
    return bits(parent(Loop), Program.outputs().LoopActive[Loop]);
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
    return Sums.threadPart(Part);
  }
  /// The base of an access's LaunchProgram::indirectAddress().
  double indirectBase(unsigned Access) const;

  unsigned warp() const { return CurrentWarp; }
  /// The random values; valid after enterScope() of their defining loop.
  const IndexSampler &indices() const { return Indices; }

private:
  int parent(unsigned Loop) const {
    return Program.kernel().Loops[Loop].Parent;
  }
  /// Sets an input that is equal for all lanes.
  void setShared(unsigned Input, double Value);
  llvm::ArrayRef<double> output(int Loop, const LaunchProgram::Output &Result);
  std::optional<uint64_t> bits(int Loop,
                               const LaunchProgram::Output &Result) const;

  const LaunchProgram &Program;
  const unsigned Lanes;
  SplitValues Sums;
  std::vector<double> Inputs, ///< [name * lanes + lane]
      SharedInputs;           ///< [name] inputs that are equal for all lanes
  IndexSampler Indices;
  struct ScopeResults {
    bool IsOutdated = false;  ///< Rows are older than the last enterScope()
    std::vector<double> Rows; ///< [output * lanes + lane]
  };
  std::vector<ScopeResults> Scopes;
  std::vector<std::vector<double>> ThreadInputs; ///< [warp] threadIdx
  unsigned CurrentWarp = 0;
  std::optional<std::array<uint64_t, 3>> CurrentBlock; ///< blockIdx
  /// The block changed since the kernel's body was last entered.
  bool BlockIsNew = true;
};

} // namespace gpuestimate

#endif
