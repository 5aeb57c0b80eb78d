/// \file
/// Values that host code asks the CUDA or HIP runtime for.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOST_DEVICEQUERIES_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOST_DEVICEQUERIES_H

#include "HostValue.h"
#include "gpu-estimate/Model/Kernel/Launch.h"
#include "llvm/ADT/StringMap.h"

namespace gpuestimate {

struct HostAnalysis;

/// Turns device properties, device attributes and occupancy queries into
/// parameters, which get their values from the GPU that a launch is estimated
/// on.
class DeviceQueries {
public:
  /// A query of the occupancy calculator (see LaunchSite::Queries).
  struct Query {
    OccupancyQuery Occupancy;
    const clang::FunctionDecl *Kernel = nullptr; ///< null: unknown
  };

  explicit DeviceQueries(HostAnalysis &Host);

  /// The parameter of a field of cudaDeviceProp or hipDeviceProp_t; no value
  /// for every other expression.
  HostValue property(const clang::Expr *E);
  /// The value that a call of the runtime stores in a variable.
  HostValue stored(const clang::CallExpr &Call, const AccessPath &Variable,
                   const CallFrame &Frame, ProgramPoint Point);
  /// The number of blocks of Kernel that a multiprocessor holds at once.
  HostValue activeBlocks(const clang::FunctionDecl &Kernel, Expr Threads,
                         Expr DynamicSharedBytes);
  /// The kernel that a launch or a query names; null if it is unknown.
  const clang::FunctionDecl *kernelOf(const clang::Expr *Callee,
                                      const CallFrame &Frame,
                                      ProgramPoint Point);
  const llvm::StringMap<Query> &queries() const { return Queries; }

private:
  HostValue attribute(const clang::CallExpr &Call);
  /// The parameter of a query, which equal queries share.
  HostValue add(const Query &New, llvm::StringRef What);

  HostAnalysis &Host;
  llvm::StringMap<Query> Queries;
};

} // namespace gpuestimate

#endif
