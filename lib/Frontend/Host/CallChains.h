/// \file
/// The chains of calls in host code that lead to a function.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOST_CALLCHAINS_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOST_CALLCHAINS_H

#include "HostValues.h"

namespace gpuestimate {

class CallChains {
public:
  explicit CallChains(const HostCode &Code) : Code(Code) {}

  /// The innermost frame of each chain of calls that ends in F; frames live as
  /// long as this object. TooMany: there are more than MaxChains, and the one
  /// frame that is returned knows no caller.
  std::vector<const Frame *> to(const HostFunction &F, bool &TooMany);

private:
  /// Chains that are followed for one launch; a function that is called in
  /// more ways keeps its parameters as unknowns.
  static constexpr unsigned MaxChains = 16, MaxDepth = 5;

  struct Step {
    const HostFunction *Caller;
    const CallSite *Call;
  };
  void extend(std::vector<const HostFunction *> &Path, std::vector<Step> Steps,
              std::vector<const Frame *> &Result, bool &TooMany);

  const HostCode &Code;
  std::deque<Frame> Frames;
};

} // namespace gpuestimate

#endif
