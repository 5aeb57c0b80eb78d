/// \file
/// The sizes of a launch that neither its source nor the settings tell, and the
/// launches with values for them (docs/unknown-sizes.md).
///
/// Example: of `scale<<<(n + 255) / 256, 256>>>(p, n)` in a function with the
/// parameter n the only unknown size is n; of `softmax(x, ncols)` without a
/// launch, where a block works on one row, they are the number of thread blocks
/// and ncols.
#ifndef GPU_ESTIMATE_LIB_SESSION_PLAN_UNKNOWNSIZES_H
#define GPU_ESTIMATE_LIB_SESSION_PLAN_UNKNOWNSIZES_H

#include "SizeRoles.h"
#include "gpu-estimate/Session/Plan/LaunchPlan.h"

namespace gpuestimate {

struct UnknownSize {
  enum KindType : uint8_t {
    Blocks,       ///< the number of thread blocks, over Axes
    BlockThreads, ///< the threads of a block
    Parameter,    ///< an argument or a variable of host code
  } Kind = Parameter;
  std::string Name; ///< "n", "ne01*ne02", "thread blocks"
  std::string Why;  ///< "no launch of the kernel was seen"
  /// Options that settle it, as the command line spells them.
  std::string Settle;
  std::vector<std::string> Parameters; ///< whose product it is
  std::vector<unsigned> Axes;          ///< of the grid, Blocks only
  bool ScalesGrid = false;
  bool IsShiftAmount = false;      ///< its values are logarithms to base 2
  double Usual = 0;                ///< its value in a table over another size
  std::vector<double> TableValues; ///< of a table over it, ascending
};

/// Unknown sizes of one plan.
class UnknownSizes {
public:
  /// Plan must have LaunchPlan::From, and lives longer.
  explicit UnknownSizes(const LaunchPlan &Plan);

  llvm::ArrayRef<UnknownSize> sizes() const { return Sizes; }
  /// The block of all launches of a table that is not over the block, where
  /// nobody tells it.
  const std::optional<std::array<uint64_t, 3>> &openBlock() const {
    return OpenBlock;
  }
  std::string settleBlock() const;
  /// The launch with a value for each of sizes().
  LaunchPlan plan(llvm::ArrayRef<double> Values) const;
  /// Each size has its usual value.
  std::vector<double> usualValues() const;
  /// Multiplies usual values and those of tables, but for the block.
  void scale(double Factor);

private:
  void findBlocks();
  void findArguments();
  void findHostVariables();
  void addHostVariable(UnknownSize Size);
  void findCountsOfBlocks();
  /// Number of variables that nothing determines and on which Extents depend:
  /// the launch's block, its grid, or an argument. Those of the block do not
  /// count for the others.
  double undeterminedIn(llvm::ArrayRef<Expr> Extents) const;
  bool isOpen(std::array<Expr, 3> LaunchSite::*Member, unsigned Axis) const;
  void makeBlocks();
  void uniteFactors();
  void findBlockThreads();
  bool drivesOpenGrid(llvm::StringRef Argument) const;
  bool decides(llvm::StringRef HostVariable) const;
  UnknownSize parameter(llvm::StringRef Name, std::string Why) const;

  const LaunchPlan &Plan;
  std::shared_ptr<const SizeRoles> Roles;
  std::vector<UnknownSize> Sizes;
  std::optional<std::array<uint64_t, 3>> OpenBlock;
};

} // namespace gpuestimate

#endif
