/// \file
/// What the branches around a launch tell: whether any execution reaches it,
/// and the values that variables have where it does.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOST_DEADBRANCHES_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOST_DEADBRANCHES_H

#include "HostValue.h"
#include "llvm/ADT/StringMap.h"

namespace gpuestimate {

struct HostAnalysis;

/// Is the point inside of a branch whose condition is known to be false, or
/// behind labels of a switch that are not those of its known value? A case is
/// also reached from the one before it that does not end with a jump. True only
/// where the values are known: for `const int K = 2048; if (K <= 1024) ...`.
bool isNeverReached(HostAnalysis &Host, const CallFrame &Frame,
                    ProgramPoint Point);

/// Values of parameters (SymbolTable.h) wherever Point is reached: of v within
/// `if (v == 8)`, in the other branch of `if (v != 8)`, and behind `case 8:` of
/// `switch (v)` that the case before it does not run into.
llvm::StringMap<double> valuesOnPath(HostAnalysis &Host, const CallFrame &Frame,
                                     ProgramPoint Point);

} // namespace gpuestimate

#endif
