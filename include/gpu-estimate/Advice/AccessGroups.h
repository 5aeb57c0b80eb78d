/// \file
/// Accesses that are one in the source: an unrolled loop has several copies of
/// each, and a reader wants to see one line.
#ifndef GPU_ESTIMATE_ADVICE_ACCESSGROUPS_H
#define GPU_ESTIMATE_ADVICE_ACCESSGROUPS_H

#include "gpu-estimate/Model/Result/Prediction.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace gpuestimate {

/// The same place, object, space, kind and width.
bool isSameAccess(const AccessReport &A, const AccessReport &B);

/// Equal accesses joined, in order of their first copy: requests and DRAM
/// bytes are sums, ratios per request are weighted by requests, hit fractions
/// by sectors.
std::vector<AccessReport> mergeAccesses(llvm::ArrayRef<AccessReport> Accesses);

/// Passes of a shared-memory request without bank conflicts: every lane has a
/// word of its own, and a pass serves 32 words.
double neededPasses(unsigned BytesPerThread);

/// The same, at most what R took: a broadcast of wide words can take less.
double neededPasses(const AccessReport &R);

/// "load from 'in'", "shared store" where the object is unknown.
std::string describeAccess(const AccessReport &A);

} // namespace gpuestimate

#endif
