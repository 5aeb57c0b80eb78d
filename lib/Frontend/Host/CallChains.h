/// \file
/// Call chains of host functions.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOST_CALLCHAINS_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOST_CALLCHAINS_H

#include "HostAnalysis.h"

namespace gpuestimate {

/// Finds the chains of calls that lead to a function.
class CallChains {
public:
  explicit CallChains(const HostIndex &Index) : Index(Index) {}

  /// The innermost frame of each chain of calls that ends in F. Frames live as
  /// long as this object. If there are more than MaxChains, TooMany is set and
  /// the only frame has no caller.
  std::vector<const CallFrame *> to(const HostFunction &F, bool &TooMany);

private:
  /// Limits of chains per function and calls per chain. Beyond them parameters
  /// stay unknown.
  static constexpr unsigned MaxChains = 16, MaxDepth = 5;

  struct Step {
    const HostFunction *Caller;
    const CallSite *Call;
  };
  void extend(std::vector<const HostFunction *> &Path, std::vector<Step> Steps,
              std::vector<const CallFrame *> &Result, bool &TooMany);

  const HostIndex &Index;
  std::deque<CallFrame> Frames;
};

} // namespace gpuestimate

#endif
