/// \file
/// Loop nests of plain C and C++ that may become kernels: their directives, the
/// variables they use, their extents and how often they run. Frontend reads all
/// of it from the AST; Offload outlines the code.
///
/// Directives, each before a `for`:
///   #pragma gpu_estimate kernel [grid(i,j)] [block(32,32)] [shared(A,B)]
///           [tile(32,32)] [name(n)] [independent]
///   #pragma omp [target] [teams] [distribute] parallel for [collapse(n)]
///   #pragma omp target teams loop, #pragma omp teams distribute ...
///   #pragma acc parallel loop, #pragma acc kernels loop [collapse(n)]
/// grid() lists the loops that become thread coordinates, x first. The clause
/// reduction(operator: variables) of OpenMP and OpenACC is read as well.
#ifndef GPU_ESTIMATE_FRONTEND_HOSTLOOPNEST_H
#define GPU_ESTIMATE_FRONTEND_HOSTLOOPNEST_H

#include "gpu-estimate/Model/Kernel/KernelSource.h"
#include "gpu-estimate/Model/Kernel/Launch.h"
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace gpuestimate {

/// `reduction(+: s)`.
struct ReductionClause {
  std::string Operator; ///< "+", "*", "min", "max", "&", "|", "^"
  std::string Variable;
};

/// A directive before a loop, or a request for one.
struct NestDirective {
  enum OriginType : uint8_t { Pragma, OpenMp, OpenAcc, CommandLine, Proposed };
  OriginType Origin = Proposed;
  SourceLocation Location; ///< invalid for CommandLine and Proposed
  std::string Name;        ///< name(..); "" = none
  std::vector<std::string> Grid;
  unsigned Collapse = 0; ///< number of loops; 0 = no clause
  std::optional<std::array<uint64_t, 3>> Block;
  std::vector<std::string> Shared; ///< arrays to be kept in shared memory
  std::vector<unsigned> Tile;
  /// The user asserts that no iteration depends on another one.
  bool Independent = false;
  std::vector<ReductionClause> Reductions; ///< of scalar variables
};

/// One `for` of a nest.
struct NestLoop {
  SourceLocation Location; ///< of the keyword, as in debug locations
  std::string Variable;    ///< the counter; "" if there is none
  int Parent = -1; ///< index of the enclosing loop in HostLoopNest::Loops
};

/// A variable that is declared outside the nest and may be used in it.
struct NestVariable {
  KernelArgument Argument;
  SourceLocation Location; ///< of its declaration
  bool Global = false;
  std::vector<AggregateMember> Members; ///< Argument index 0
};

/// One way to reach the nest (chain of calls).
struct NestSite {
  /// Arguments holds every variable whose value, or whose buffer's size in
  /// bytes, is known. Kernel, Grid and Block are empty.
  LaunchSite Site;
  /// The trip count of each loop of the nest, its maximum over the iterations
  /// of the enclosing loops of the nest; null if it is unknown.
  std::vector<Expr> Extents;
};

struct HostLoopNest {
  std::string Function;     ///< mangled name
  std::string FunctionName; ///< as written
  NestDirective Directive;
  std::vector<NestLoop> Loops; ///< outermost first, then in source order
  std::vector<NestVariable> Variables;
  /// First and last lines of statements after `omp atomic` or `acc atomic`.
  std::vector<std::pair<unsigned, unsigned>> AtomicLines;
  std::vector<NestSite> Sites; ///< at least one
};

/// A directive or a request that cannot be fulfilled.
struct RefusedNest {
  std::string Name;
  std::string Function; ///< as written; "" if unknown
  SourceLocation Location;
  std::string Reason; ///< a whole clause
};

} // namespace gpuestimate

#endif
