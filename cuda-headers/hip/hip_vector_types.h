/// \file
/// HIP's vector types, which the runtime header has.

#include "hip_runtime_api.h"
