/// \file
/// Makes the operation of a copy.
#ifndef GPU_ESTIMATE_LIB_RUNTIME_COPYAPI_H
#define GPU_ESTIMATE_LIB_RUNTIME_COPYAPI_H

#include "Operations.h"

namespace gpuestimate {

CopyOperation copyOf(const cudaMemcpy3DParms &P, bool Async);

} // namespace gpuestimate

#endif
