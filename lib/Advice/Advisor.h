/// \file
/// Shared by the searches for findings: the evaluated kernel, gains of changed
/// copies of it, and the list of findings.
#ifndef GPU_ESTIMATE_LIB_ADVICE_ADVISOR_H
#define GPU_ESTIMATE_LIB_ADVICE_ADVISOR_H

#include "gpu-estimate/Advice/Advice.h"
#include "gpu-estimate/Evaluate/Sampling/Sampling.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace gpuestimate {

/// An access of the source: its copies in the kernel model.
struct AccessSite {
  AccessReport Report;                   ///< of the copies together
  llvm::SmallVector<unsigned, 4> Copies; ///< indices into KernelModel::Accesses
  double Wasted = 0; ///< avoidable sectors or passes of the launch
};

class Advisor {
public:
  Advisor(const Prediction &Base, const KernelModel &Kernel,
          const GpuModel &Gpu, const Launch &L, const Bindings &Values,
          const EvaluateOptions &Options, KernelEvaluator &Evaluator);

  const Prediction &Base;
  const KernelModel &Kernel;
  const GpuModel &Gpu;
  const Launch &L;
  const Bindings &Values;

  /// Largest number of changes of one group that are evaluated.
  static constexpr unsigned MaxTried = 3;

  /// Evaluates a changed kernel with the samples of a what-if; nullopt if it
  /// cannot be evaluated.
  std::optional<Prediction> tryOut(const KernelModel &Changed) const;
  std::optional<Prediction> tryOut(const KernelModel &Changed,
                                   const Launch &ChangedLaunch) const;
  std::optional<Prediction> tryOut(const KernelModel &Changed,
                                   const Launch &ChangedLaunch,
                                   const Bindings &ChangedValues) const;
  /// Evaluates a changed kernel only if HasEffect accepts the totals of one of
  /// its accesses, which are known before caches and time are computed. Access
  /// is an index into the changed kernel's accesses.
  std::optional<Prediction>
  tryOut(const KernelModel &Changed, unsigned Access,
         llvm::function_ref<bool(const AccessTotals &)> HasEffect) const;
  /// Time of the unchanged kernel with the samples of a what-if, for its own
  /// launch or another one.
  std::optional<Seconds> unchangedTime() const {
    return unchangedTime(L, Values);
  }
  std::optional<Seconds> unchangedTime(const Launch &ChangedLaunch,
                                       const Bindings &ChangedValues) const;
  /// Evaluates the unchanged kernel without a term of the model.
  std::optional<Prediction> tryWithout(llvm::StringRef Term) const;
  /// Gain 1 - T'/T of a change, with T the time of the unchanged kernel by
  /// equal samples; nullopt without a changed prediction.
  std::optional<double> gain(const std::optional<Prediction> &Changed) const;
  std::optional<double> gain(std::optional<Seconds> Changed) const;
  /// 1 - E'/E with E the energy of the launch; nullopt without a changed
  /// prediction or where the power of the GPU is not known.
  std::optional<double>
  energyGain(const std::optional<Prediction> &Changed) const;
  /// Sets the gains of time and energy of a finding.
  void setGains(Finding &F, const std::optional<Prediction> &Changed) const {
    F.Gain = gain(Changed);
    F.EnergyGain = energyGain(Changed);
  }

  /// Accesses to a space, with their copies merged, whose Waste (per request)
  /// is above 0 and whose Cost (per request) is at least MinimumShare of the
  /// cost of the space; the most wasteful first.
  std::vector<AccessSite>
  sites(llvm::StringRef Space,
        llvm::function_ref<double(const AccessReport &)> Cost,
        llvm::function_ref<double(const AccessReport &)> Waste) const;

  /// Adds a finding, reworded in the terms of the GPU's vendor.
  void add(Finding F);
  std::vector<Finding> take() { return std::move(Findings); }

  /// Values of all parameters of the unchanged kernel.
  const Bindings &bound() const { return Bound; }
  /// Linear index of the thread in its block.
  Expr thread() const;
  /// Linear index of the block in the grid.
  Expr block() const;
  /// Loops around a basic block of the kernel model, innermost first.
  llvm::SmallVector<unsigned, 4> loopsAround(unsigned Block) const;

private:
  /// False when the changes that were evaluated have taken
  /// EvaluateOptions::MaxAdviceWork.
  bool mayTry() const { return Work.spent() <= Options.MaxAdviceWork; }

  WorkBudget Work{WorkLimits()}; ///< without limit: it counts
  WorkScope Scope{Work};
  EvaluateOptions Options;
  KernelEvaluator &Evaluator;
  Bindings Bound;
  std::vector<Finding> Findings;
};

/// Smallest share of the sectors or passes of its space for which an access
/// is reported.
inline constexpr double MinimumShare = 0.05;

/// Describes the accesses of a site: "loads of 'a'".
std::string where(const AccessReport &R);

// One function for each group of findings.
void findUncoalesced(Advisor &A);
void findMisaligned(Advisor &A);
void findStrides(Advisor &A);
void findBankConflicts(Advisor &A);
void findConstantDivergence(Advisor &A);
void findAtomicContention(Advisor &A);
void findLowOccupancy(Advisor &A);
void findSpills(Advisor &A);
void findLocalArrays(Advisor &A);
void findRedundantLoads(Advisor &A);
void findLaunchBound(Advisor &A);
void findTail(Advisor &A);
void findThrottling(Advisor &A);
void findInterchange(Advisor &A);
void findCoarsening(Advisor &A);
void findBlockShape(Advisor &A, llvm::ArrayRef<LaunchWithArguments> Shapes);
void findFusion(Advisor &A, const KernelModel &Before,
                const LaunchWithArguments &Planned);

} // namespace gpuestimate

#endif
