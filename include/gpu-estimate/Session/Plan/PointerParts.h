/// \file
/// Pointer arguments of a launch that point into one buffer: as the user says,
/// else as host code passes them.
#ifndef GPU_ESTIMATE_SESSION_PLAN_POINTERPARTS_H
#define GPU_ESTIMATE_SESSION_PLAN_POINTERPARTS_H

#include "gpu-estimate/Session/Plan/HostVariables.h"

namespace gpuestimate {

/// Fills Plan.Parts and Plan.Premises, after Plan.Values, and adds the sizes of
/// buffers that follow. Host: the variables of the launch; null if no launch
/// was seen.
void findPointerParts(const LaunchInputs &In, HostVariables *Host,
                      LaunchPlan &Plan);

/// The pointer argument that the text of a user's pointer names, "x0" of
/// "x0 + jp".
llvm::StringRef namedBuffer(llvm::StringRef Text);

/// The names in such texts: buffers, and parameters of their distances.
void collectNames(llvm::ArrayRef<std::pair<std::string, std::string>> Pointers,
                  std::vector<std::string> &Names);

} // namespace gpuestimate

#endif
