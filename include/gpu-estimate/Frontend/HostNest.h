/// \file
/// Loop nests of plain C and C++ that are meant for a GPU: what a directive or
/// the command line says of them, what they use, and how often and with which
/// values they run. Frontend reads all that from the AST; Offload turns the
/// nest's code into a kernel.
///
/// Directives, each before a `for`:
///   #pragma gpu_estimate kernel [grid(i,j)] [block(32,32)] [shared(A,B)]
///           [tile(32,32)] [name(n)] [independent]
///   #pragma omp [target] [teams] [distribute] parallel for [collapse(n)]
///   #pragma omp target teams loop, #pragma omp teams distribute ...
///   #pragma acc parallel loop, #pragma acc kernels loop [collapse(n)]
/// grid() names the loops that become thread coordinates, x first. Of OpenMP
/// and OpenACC, reduction(operator: variables) is read as well.
#ifndef GPU_ESTIMATE_FRONTEND_HOSTNEST_H
#define GPU_ESTIMATE_FRONTEND_HOSTNEST_H

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

/// What a directive says.
struct NestDirective {
  enum OriginType : uint8_t { Pragma, OpenMp, OpenAcc, CommandLine, Proposed };
  OriginType Origin = Proposed;
  SourceLocation Location; ///< invalid for CommandLine and Proposed
  std::string Name;        ///< name(..); "" = not told
  std::vector<std::string> Grid;
  unsigned Collapse = 0; ///< loops, outermost first; 0 = not told
  std::optional<std::array<uint64_t, 3>> Block;
  std::vector<std::string> Shared; ///< arrays to be kept in shared memory
  std::vector<unsigned> Tile;
  /// The user vouches for it that no iteration needs another one.
  bool Independent = false;
  std::vector<ReductionClause> Reductions; ///< of scalar variables
};

/// One `for`.
struct NestLoop {
  SourceLocation Location; ///< of the keyword, as the debug location says it
  std::string Variable;    ///< its counter; "" when there is none
  int Parent = -1;         ///< index of the enclosing loop in HostNest::Loops
};

/// A variable from outside the nest that the nest may use.
struct NestVariable {
  KernelArgument Argument;
  SourceLocation Location; ///< of its declaration
  bool Global = false;
  std::vector<AggregateMember> Members; ///< Argument index 0
};

/// One way to reach the nest (chain of calls).
struct NestSite {
  /// Kernel, Grid and Block are empty; Arguments holds every variable whose
  /// value, or whose buffer's size in bytes, is known.
  LaunchSite Site;
  /// Iterations of each loop of the nest, the most for any iteration of the
  /// loops of the nest around it; null when it cannot be told.
  std::vector<Expr> Extents;
};

struct HostNest {
  std::string Function;     ///< mangled name
  std::string FunctionName; ///< as written
  NestDirective Directive;
  std::vector<NestLoop> Loops; ///< outermost first, then in source order
  std::vector<NestVariable> Variables;
  /// First and last lines of statements behind `omp atomic` or `acc atomic`.
  std::vector<std::pair<unsigned, unsigned>> AtomicLines;
  std::vector<NestSite> Sites; ///< at least one
};

/// A directive or request that leads to no nest.
struct RefusedNest {
  std::string Name;
  std::string Function; ///< as written; "" when it is none
  SourceLocation Location;
  std::string Reason; ///< a whole clause
};

} // namespace gpuestimate

#endif
