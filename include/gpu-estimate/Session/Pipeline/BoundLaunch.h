/// \file
/// A launch with the kernel that it runs, and the copies of a kernel that its
/// launches run.
#ifndef GPU_ESTIMATE_SESSION_PIPELINE_BOUNDLAUNCH_H
#define GPU_ESTIMATE_SESSION_PIPELINE_BOUNDLAUNCH_H

#include "gpu-estimate/Resolve/UnknownResolver.h"
#include "gpu-estimate/Session/Plan/LaunchPlan.h"
#include <deque>

namespace gpuestimate {

/// Everything that a prediction of one launch needs beside the GPU. Plain data.
struct BoundLaunch {
  /// Sizes, values of arguments, premises and guesses.
  LaunchPlan Plan;
  /// The kernel of the source, or a copy with what is known of the launch's
  /// buffers. Launches with one Kernel and Executed share an evaluator
  /// (LaunchEvaluators), so that pointers serve as the key of its memory.
  std::shared_ptr<const KernelModel> Kernel;
  /// What traced warps of the launch have executed; null: nothing was.
  std::shared_ptr<const ExecutedLaunch> Executed;
  std::vector<Notice> Notices; ///< of the execution
};

/// Where a kernel's trip counts, branches and indices come from that depend on
/// data, beside what host code puts into buffers.
struct LaunchData {
  const UnknownResolver *Resolver = nullptr; ///< null: nothing is executed
  /// The launch as a run has traced it; null: Resolver executes some warps.
  const TracedLaunch *Traced = nullptr;
  SampleLimits Limits; ///< of the execution
};

/// A kernel and the copies that differ in what is known of buffers:
///
///   1. values that depend on data are those of the executed warps, if any;
///   2. pointers into one buffer become accesses to one buffer (BufferParts.h);
///   3. unless warps were executed, values of buffers that host code fills
///      (HostContents.h).
///
/// Launches that need the same copy get the same one, as far as it is among the
/// last ones: `add(p, p + n, n)` has a copy for each n.
class KernelCopies {
public:
  /// Kernel and what Data points to stay owned by the caller.
  explicit KernelCopies(const KernelModel &Kernel, LaunchData Data = {});
  KernelCopies(const KernelCopies &) = delete;

  const KernelModel &kernel() const { return *Original; }
  /// Sets the kernel, what was executed and the notices of L from L.Plan.
  llvm::Error set(BoundLaunch &L, unsigned WarpSize);

private:
  /// What a copy depends on.
  struct Key {
    std::vector<BufferPart> Parts;
    ContentsOfBuffers Contents;      ///< that the kernel depends on
    std::vector<std::string> Stated; ///< unknowns with a value of the plan
    /// The launch and the size of a warp, where the copy follows them.
    std::optional<LaunchWithArguments> Followed;
    unsigned WarpSize = 0;

    bool serves(const Key &Wanted) const;
  };
  struct Copy {
    Key Made;
    std::shared_ptr<const KernelModel> Kernel;
    std::shared_ptr<const ExecutedLaunch> Executed;
    std::vector<Notice> Notices;
  };
  llvm::Expected<Copy> make(Key Wanted) const;

  static constexpr size_t MaxCopies = 8;

  std::shared_ptr<const KernelModel> Original; ///< not owned
  LaunchData Data;
  std::deque<Copy> Recent; ///< the last ones first
};

} // namespace gpuestimate

#endif
