/// \file
/// From what the user said to a value for every free parameter of a kernel
/// model; each value that nobody gave is listed as an assumption.
#ifndef GPU_ESTIMATE_EVALUATE_ACCESS_BINDPARAMETERS_H
#define GPU_ESTIMATE_EVALUATE_ACCESS_BINDPARAMETERS_H

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
  /// Parameter of each assumption ("" where no expression uses it), parallel
  /// to Assumptions: what to change to learn its sensitivity.
  std::vector<std::string> Parameters;
  /// Arguments that were given, sorted by name.
  std::vector<std::pair<std::string, double>> Arguments;
};

/// Defaults, each an assumption: an unknown takes Unknown::Default (an upper
/// bound of a trip count where that is known), an integer argument the number
/// of threads along x (so that a guard `i < n` just holds for all), or its
/// logarithm where values are shifted by it, a real argument 1.
BoundParameters bindParameters(const KernelModel &Kernel, const Launch &L,
                               const Bindings &Values);

/// Names in the kernel's expressions, sorted; the upper bounds of unknowns are
/// left out.
struct UsedParameters {
  explicit UsedParameters(const KernelModel &Kernel);
  std::vector<std::string> All;
  std::vector<std::string> Outer; ///< those that BoundParameters::All binds
  llvm::StringSet<> Inner;        ///< loops' counters and loaded values
  /// By which values are shifted: numbers of bits.
  std::vector<std::string> ShiftAmounts;
};
/// The same with the kernel's parameters at hand.
BoundParameters bindParameters(const KernelModel &Kernel, const Launch &L,
                               const Bindings &Values,
                               const UsedParameters &Used);

/// Names that mean a coordinate of the thread or block.
bool isCoordinate(llvm::StringRef Parameter);

} // namespace gpuestimate

#endif
