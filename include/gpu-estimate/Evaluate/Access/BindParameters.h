/// \file
/// Values for all free parameters of a kernel model: those that the user gave,
/// and assumed ones, each of which is listed as an assumption.
#ifndef GPU_ESTIMATE_EVALUATE_ACCESS_BINDPARAMETERS_H
#define GPU_ESTIMATE_EVALUATE_ACCESS_BINDPARAMETERS_H

#include "gpu-estimate/Evaluate/Access/ArgumentRoles.h"
#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Model/Kernel/Launch.h"
#include "gpu-estimate/Model/Result/Prediction.h"
#include "llvm/ADT/StringSet.h"

namespace gpuestimate {

struct BoundParameters {
  /// Every parameter except thread and block coordinates, loop counters and
  /// data-dependent values.
  Bindings All;
  std::vector<Assumption> Assumptions;
  /// Parameter of each assumption ("" if no expression uses it), parallel to
  /// Assumptions; changing it gives the sensitivity to the assumption.
  std::vector<std::string> Parameters;
  /// Arguments that were given, sorted by name.
  std::vector<std::pair<std::string, double>> Arguments;
};

/// Binds all parameters. Assumed: Unknown::Default of an unknown (a trip count:
/// its upper bound, or the mean length of segments, where known); 1 for a real
/// argument; for an integer argument
///   - the extent of the index that a guard compares it with, so that `i < n`
///     holds for all threads (ArgumentRoles::extent);
///   - the d-th root of T, rounded up, if it bounds d > 1 nested loops, which
///     have about T iterations together then: a thread that walks over the
///     whole of its input is taken to find as many elements there as there are
///     threads;
///   - log2(T), rounded down, if it is a shift amount;
///   - T in any other case,
/// where T is the number of threads along x.
BoundParameters bindParameters(const KernelModel &Kernel, const Launch &L,
                               const Bindings &Values);

/// Parameters in the kernel's expressions, sorted. Upper bounds of unknowns are
/// not searched.
struct UsedParameters {
  explicit UsedParameters(const KernelModel &Kernel);
  std::vector<std::string> All;
  std::vector<std::string> Outer; ///< the ones that BoundParameters::All binds
  llvm::StringSet<> Inner;        ///< loop counters and loaded values
  /// Parameters that are shift amounts, in bits.
  std::vector<std::string> ShiftAmounts;
  std::optional<ArgumentRoles> Roles; ///< of Outer; always there
};
/// bindParameters() with the kernel's parameters already collected.
BoundParameters bindParameters(const KernelModel &Kernel, const Launch &L,
                               const Bindings &Values,
                               const UsedParameters &Used);

/// Whether the parameter is a component of threadIdx or blockIdx.
bool isCoordinate(llvm::StringRef Parameter);

} // namespace gpuestimate

#endif
