/// \file
/// A part of HIP that the runtime header has.

#include "hip_runtime_api.h"
