/// \file
/// A loop nest of plain C with its extents and strides, as a machine without
/// threads runs it: the thread coordinates of the kernel model are loops again,
/// outside the loops of a thread, in the order of the source.
///
/// Extents and strides are taken at the middle of the enclosing loops, which is
/// the mean where they depend on these linearly (a triangle).
#ifndef GPU_ESTIMATE_TARGETS_NEST_NEST_H
#define GPU_ESTIMATE_TARGETS_NEST_NEST_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Model/Kernel/Launch.h"

namespace gpuestimate {

struct NestedLoop {
  double Extent = 1;   ///< iterations for each entry
  bool Spread = false; ///< a thread coordinate: its iterations are independent
  int Loop = -1;       ///< index into KernelModel::Loops, or -1
  int Parent = -1;     ///< index of the enclosing NestedLoop, or -1
  double Entries = 1;  ///< over the whole nest
  bool Innermost = true;
  SourceLocation Location;
};

struct NestedAccess {
  std::string Base; ///< "" = unknown
  bool Reads = false, Writes = false;
  double Bytes = 4; ///< of one execution
  double Start = 0; ///< byte offset at the middle of the nest
  /// Bytes per iteration of each enclosing loop, by index into
  /// LoopNestNumbers::Loops.
  std::vector<std::pair<unsigned, double>> Strides; ///< outermost first
  double Executions = 0;                            ///< over the whole nest
  bool Irregular = false; ///< the address depends on loaded data
  std::optional<double> ObjectBytes;
  unsigned Index = 0; ///< into KernelModel::Accesses
};

/// A condition that depends on data.
struct NestedChance {
  SourceLocation Location;
  double Chance = 0.5; ///< probability that it holds
};

struct LoopNestNumbers {
  std::vector<NestedLoop> Loops; ///< spread ones first; parents first
  std::vector<NestedAccess> Accesses;
  std::vector<NestedChance> Chances;
  /// Innermost loop around each block of the kernel model, and how often the
  /// block is executed.
  std::vector<int> LoopOfBlock;
  std::vector<double> Executions;

  double iterations() const; ///< of all spread loops together
};

/// Computes the numbers of a loop nest from its kernel model; L and Values are
/// the arguments of evaluate(). Spread loops of one iteration are left out.
LoopNestNumbers numberNest(const KernelModel &Kernel, const Launch &L,
                           const Bindings &Values);

} // namespace gpuestimate

#endif
