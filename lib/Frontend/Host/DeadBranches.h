/// \file
/// Launches that no execution of the program reaches.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOST_DEADBRANCHES_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOST_DEADBRANCHES_H

#include "HostValue.h"

namespace gpuestimate {

struct HostAnalysis;

/// Is the point inside of a branch whose condition is known to be false, or
/// behind labels of a switch that are not those of its known value? A case is
/// also reached from the one before it that does not end with a jump. True only
/// where the values are known: for `const int K = 2048; if (K <= 1024) ...`.
bool isNeverReached(HostAnalysis &Host, const CallFrame &Frame,
                    ProgramPoint Point);

} // namespace gpuestimate

#endif
