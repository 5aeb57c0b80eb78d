/// \file
/// Settings of one kernel from all authorities, highest first: command line,
/// entries of the configuration, the rest of the configuration, annotations.
#ifndef GPU_ESTIMATE_SESSION_PIPELINE_KERNELSETTINGS_H
#define GPU_ESTIMATE_SESSION_PIPELINE_KERNELSETTINGS_H

#include "gpu-estimate/Session/Pipeline/Setup.h"
#include "gpu-estimate/Session/Plan/LaunchPlan.h"

namespace gpuestimate {

class KernelSettings {
public:
  /// MainFile: of the translation unit. Annotations: of the kernel, the nearest
  /// to it last. S stays owned by the caller.
  KernelSettings(const Setup &S, llvm::StringRef MainFile,
                 const KernelSource &Kernel, std::vector<Options> Annotations);
  KernelSettings(const KernelSettings &) = delete;
  KernelSettings(KernelSettings &&) = default;

  /// Merged: what holds for the evaluation of this kernel.
  const Options &options() const { return Merged; }
  llvm::ArrayRef<ClaimedBudget> budgets() const { return Budgets; }
  /// The authority of Options::Registers.
  llvm::StringRef registersSource() const { return RegistersSource; }

  /// Takes what is assumed of indices into the model and keeps what is said of
  /// launches and names. Places of the configuration that meant something and
  /// names of patterns that did are added to Used.
  void applyTo(KernelModel &Kernel, llvm::ArrayRef<const LaunchSite *> Sites,
               std::vector<std::string> &Used);
  /// Inputs of the launch plans of Kernel. Highest, with its name in
  /// Launch::Source, outranks all authorities: the settings of a measured case.
  LaunchInputs
  launchInputs(const KernelModel &Kernel,
               std::pair<llvm::StringRef, const Options *> Highest = {}) const;

  /// Adds the budget that a kernel without an estimate has on Gpu, if any. Of
  /// one without code (a template that is not instantiated here) only a budget
  /// that names it.
  template <typename Named>
  void missBudget(const Named &Kernel, const GpuModel &Gpu, bool HasCode,
                  std::vector<BudgetCheck> &Into) const {
    addMissed(Kernel.Mangled, Kernel.Name, Kernel.Location, Gpu, HasCode, Into);
  }

private:
  struct Authority {
    llvm::StringRef Source;
    const Options *Says;
    const NamePlaces *Places = nullptr; ///< of the configuration
    SourceLocation Place;               ///< of an entry
  };
  void addMissed(llvm::StringRef Mangled, llvm::StringRef Name,
                 const SourceLocation &Location, const GpuModel &Gpu,
                 bool HasCode, std::vector<BudgetCheck> &Into) const;
  void take(Authority A, const KernelSource &Kernel);

  std::vector<Options> Annotations;
  std::vector<Authority> Authorities; ///< highest first
  Options Merged;
  std::vector<ClaimedBudget> Budgets;
  std::string RegistersSource;
};

} // namespace gpuestimate

#endif
