/// \file
/// What the search for findings has in common: the evaluated kernel, gains by
/// evaluating changed copies of it, and the list that is filled.
#ifndef GPU_ESTIMATE_LIB_ADVICE_ADVISOR_H
#define GPU_ESTIMATE_LIB_ADVICE_ADVISOR_H

#include "gpu-estimate/Advice/Explain.h"
#include "gpu-estimate/Evaluate/Sampling/Sampling.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace gpuestimate {

/// An access of the source: its copies in the kernel model.
struct AccessSite {
  AccessReport Report;                   ///< of the copies together
  llvm::SmallVector<unsigned, 4> Copies; ///< indices into KernelModel::Accesses
  double Wasted = 0; ///< sectors or passes of the launch that need not be
};

class Advisor {
public:
  Advisor(const Prediction &Base, const KernelModel &Kernel,
          const GpuModel &Gpu, const Launch &L, const Bindings &Values,
          const EvaluateOptions &Options, KernelEvaluator &Same);

  const Prediction &Base;
  const KernelModel &Kernel;
  const GpuModel &Gpu;
  const Launch &L;
  const Bindings &Values;

  /// Changes of one group that are evaluated, so that findings cost a bounded
  /// number of evaluations.
  static constexpr unsigned MaxTried = 3;

  /// A changed kernel, with the samples of a what-if; nullopt where it cannot
  /// be evaluated.
  std::optional<Prediction> tryOut(const KernelModel &Changed) const;
  std::optional<Prediction> tryOut(const KernelModel &Changed,
                                   const Launch &ChangedLaunch) const;
  std::optional<Prediction> tryOut(const KernelModel &Changed,
                                   const Launch &ChangedLaunch,
                                   const Bindings &ChangedValues) const;
  /// The same as long as it does to an access what HasEffect asks for: whether
  /// it does is known before caches and time are computed. Access: an index
  /// into the changed kernel's.
  std::optional<Prediction>
  tryOut(const KernelModel &Changed, unsigned Access,
         llvm::function_ref<bool(const AccessTotals &)> HasEffect) const;
  /// The time of the unchanged kernel, launched as it is or in another way,
  /// with the same samples.
  std::optional<Seconds> unchangedTime() const {
    return unchangedTime(L, Values);
  }
  std::optional<Seconds> unchangedTime(const Launch &ChangedLaunch,
                                       const Bindings &ChangedValues) const;
  /// The unchanged kernel on a machine without a term of the model.
  std::optional<Prediction> tryWithout(llvm::StringRef Term) const;
  /// 1 - T'/T, T being the time of the unchanged kernel with the same samples;
  /// nothing without a changed prediction.
  std::optional<double> gain(const std::optional<Prediction> &Changed) const;
  std::optional<double> gain(std::optional<Seconds> Changed) const;

  /// Accesses to a space, copies joined, that waste anything by Waste (per
  /// request) and cause at least MinimumShare of Cost (per request) of their
  /// space; the most wasteful first.
  std::vector<AccessSite>
  sites(llvm::StringRef Space,
        llvm::function_ref<double(const AccessReport &)> Cost,
        llvm::function_ref<double(const AccessReport &)> Waste) const;

  void add(Finding F) { Found.push_back(std::move(F)); }
  std::vector<Finding> take() { return std::move(Found); }

  /// Values of all parameters of the unchanged kernel.
  const Bindings &bound() const { return Bound; }
  /// Number of the thread in its block.
  Expr thread() const;
  /// Number of the block in the grid.
  Expr block() const;
  /// Loops around a block of the kernel model, innermost first.
  llvm::SmallVector<unsigned, 4> loopsAround(unsigned Block) const;

private:
  /// False when the changes that were evaluated have taken
  /// EvaluateOptions::MaxAdviceWork.
  bool mayTry() const { return Work.spent() <= Options.MaxAdviceWork; }

  WorkBudget Work{WorkLimits()}; ///< without limit: it counts
  WorkScope Scope{Work};
  EvaluateOptions Options;
  KernelEvaluator &Same;
  Bindings Bound;
  std::vector<Finding> Found;
};

/// Share of its space's sectors or passes below which an access is not worth a
/// finding.
inline constexpr double MinimumShare = 0.05;

/// The accesses of a site, as in "loads of 'a'".
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
void findInterchange(Advisor &A);
void findCoarsening(Advisor &A);
void findBlockShape(Advisor &A, llvm::ArrayRef<PlannedLaunch> Shapes);
void findFusion(Advisor &A, const KernelModel &Before,
                const PlannedLaunch &Planned);

} // namespace gpuestimate

#endif
