/// \file
/// Differences between closed form and simulation that are known to be beyond
/// the bound, with the number that they may not exceed.
#ifndef GPU_ESTIMATE_TEST_ORACLE_EXCEPTIONS_H
#define GPU_ESTIMATE_TEST_ORACLE_EXCEPTIONS_H

#include "llvm/ADT/StringMap.h"

namespace gpuestimate::test {

/// Lines "KERNEL CACHES FRACTION POINTS" of test/oracle/exceptions.txt, where
/// '#' begins a comment: by "KERNEL CACHES FRACTION", percentage points.
llvm::StringMap<double> readExceptions();

} // namespace gpuestimate::test

#endif
