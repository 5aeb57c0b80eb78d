/// \file
/// Predicts the launches of a run. Every argument is known: scalars from their
/// bytes, the size and place of a buffer from the allocation that a pointer
/// points into. The counts of traced warps settle what depends on data.
#ifndef GPU_ESTIMATE_LIB_COMMANDS_RUN_LAUNCHPREDICTOR_H
#define GPU_ESTIMATE_LIB_COMMANDS_RUN_LAUNCHPREDICTOR_H

#include "gpu-estimate/Model/Result/Analysis.h"
#include "gpu-estimate/Run/Records.h"
#include "gpu-estimate/Session/Pipeline/Setup.h"
#include <map>
#include <memory>

namespace gpuestimate {

/// A value that the executed warps of a launch show.
struct BoundLaunch;
struct SettledValue {
  std::string What; ///< Unknown::What
  /// The value, and the one that is assumed where nothing is executed; nothing
  /// for the values that addresses depend on.
  std::optional<double> Value, Without;
};

/// A predicted launch on one GPU.
struct LaunchForecast {
  uint64_t Number = 0; ///< differs between forecasts of one predictor
  Prediction Predicted;
  /// Unknowns of the kernel model that the run has settled.
  std::vector<SettledValue> FromData;
  std::optional<BudgetCheck> Budget; ///< if the kernel has one
};

class LaunchPredictor {
public:
  /// S stays owned by the caller; predictions are for its GPUs.
  explicit LaunchPredictor(const Setup &S);
  ~LaunchPredictor();

  /// Keeps what the record tells of modules, kernels and memory. Other records
  /// are ignored. Fails for device code that cannot be read.
  llvm::Error take(const RunRecord &R);

  /// Gpu: index in the set-up. The error tells why there is no prediction.
  /// The result lives until the next launch of the same kernel with the same
  /// arguments is predicted.
  llvm::Expected<const LaunchForecast *> predict(const RunLaunch &L,
                                                 size_t Gpu);

  /// The words of the arguments that point into memory of the GPU, one behind
  /// the other.
  std::string pointersIn(const RunLaunch &L) const;

  /// Name in the source, and the place; the mangled name if there is no source.
  const KernelSource *source(uint64_t Kernel) const;
  llvm::StringRef mangled(uint64_t Kernel) const;
  /// Does what the kernel does depend on data, as far as it can be predicted?
  bool wantsTraces(uint64_t Kernel);
  /// Registers of a thread on the first GPU; 0 for a kernel without prediction.
  unsigned registers(uint64_t Kernel);

  /// What the user should know, each text once.
  llvm::ArrayRef<Notice> notices() const { return Notices; }

private:
  struct Allocation {
    uint64_t Bytes = 0;
    RunMemory Kind = RunMemory::Device;
  };
  struct ModuleOfRun;
  struct KernelOfRun;
  llvm::Expected<KernelOfRun *> kernel(uint64_t Number);
  /// Null if the address is in no allocation.
  const std::pair<const uint64_t, Allocation> *find(uint64_t Address) const;
  BoundLaunch bindAsIs(const KernelOfRun &K, const LaunchSite &Site,
                       const GpuModel &On);
  LaunchSite site(const KernelOfRun &K, const RunLaunch &L) const;

  const Setup &S;
  std::vector<std::unique_ptr<ModuleOfRun>> Modules;
  std::vector<std::unique_ptr<KernelOfRun>> Kernels; ///< by RunKernel::Kernel
  std::map<uint64_t, Allocation> Memory;             ///< by address
  std::vector<Notice> Notices;
  uint64_t Forecasts = 0;
  /// Bytes of the device that were set since the last launch, and before it.
  uint64_t SetBytes = 0, SetBytesBefore = 0;
};

} // namespace gpuestimate

#endif
