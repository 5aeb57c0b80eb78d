/// \file
/// Merges the copies of an access, such as those of an unrolled loop, so that
/// reports show each access of the source once.
#ifndef GPU_ESTIMATE_ADVICE_ACCESSGROUPS_H
#define GPU_ESTIMATE_ADVICE_ACCESSGROUPS_H

#include "gpu-estimate/Model/Result/Prediction.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace gpuestimate {

/// True if place, object, space, kind and width are equal.
bool isSameAccess(const AccessReport &A, const AccessReport &B);

/// Merges equal accesses, in the order of their first copy: requests and DRAM
/// bytes are sums, ratios per request are weighted by requests, hit fractions
/// by sectors.
std::vector<AccessReport> mergeAccesses(llvm::ArrayRef<AccessReport> Accesses);

/// Wavefronts of a shared-memory request without bank conflicts: every lane has
/// a word of its own, and a pass serves 32 words.
double neededPasses(unsigned BytesPerThread);

/// Wavefronts of R's request without bank conflicts, at most those that R
/// takes: a broadcast of wide words can take fewer.
double neededPasses(const AccessReport &R);

/// "load from 'in'", "shared store" where the object is unknown.
std::string describeAccess(const AccessReport &A);

} // namespace gpuestimate

#endif
