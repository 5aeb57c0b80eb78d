/// \file
/// Types of the runtime API, under the SDK's file name.

#include "gpu_estimate/runtime_types.h"
